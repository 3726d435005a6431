//! Dates and times.

use super::checks::Asked;
use crate::error::Result;
use crate::simd::with_default_float_mode;

const ASKED: Asked = Asked("time");

/// A date of the Gregorian calendar and a time of day, in UTC.
///
/// ```
/// use lanecast::makers::Utc;
/// let noon = Utc { year: 2000, month: 1, day: 1, hour: 12, minute: 0, second: 0.0 };
/// assert_eq!(noon.julian_day()?, 2_451_545.0);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utc {
    /// From 1583 to 9999.
    pub year: u16,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
    /// Below 24.
    pub hour: u8,
    /// Below 60.
    pub minute: u8,
    /// Below 61, as there are leap seconds.
    pub second: f64,
}

impl Utc {
    /// The Julian day: days since noon of the first of January 4713 BC of the Julian calendar.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField) names the first field that no calendar or clock has.
    pub fn julian_day(&self) -> Result<f64> {
        let Self { year, month, day, hour, minute, second } = *self;
        let length = match month {
            2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if !(1583..=9999).contains(&year) {
            return ASKED.refuse("year", format!("is {year}; it must be from 1583 to 9999"));
        }
        if !(1..=12).contains(&month) {
            return ASKED.refuse("month", format!("is {month}; it must be from 1 to 12"));
        }
        if !(1..=length).contains(&day) {
            return ASKED.refuse("day", format!("is {day}; that month has {length} days"));
        }
        if hour > 23 {
            return ASKED.refuse("hour", format!("is {hour}; it must be from 0 to 23"));
        }
        if minute > 59 {
            return ASKED.refuse("minute", format!("is {minute}; it must be from 0 to 59"));
        }
        if !(0.0..61.0).contains(&second) {
            return ASKED.refuse("second", format!("is {second}; it must be from 0 to 61, 61 excluded"));
        }
        // Years begin with March here, so that the leap day is the last of its year, and the lengths of the months
        // before it go on in steps of 153 days to five.
        let [year, month, day] = [i64::from(year), i64::from(month), i64::from(day)];
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
        // The first of March of the year 0 begins at 1721119.5.
        let seconds = f64::from(hour) * 3600.0 + f64::from(minute) * 60.0;
        Ok(with_default_float_mode(|| days as f64 + 1_721_119.5 + (seconds + second) / 86_400.0))
    }
}
