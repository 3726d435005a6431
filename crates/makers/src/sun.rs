//! The position of the sun at a date and time, and rays from points towards it or other lights.

use crate::common::*;

/// The direction of the sun, or of another light as far away.
///
/// ```
/// use lanecast_makers::{Sun, Utc};
/// // Greenwich, at noon of midsummer's day: high in the south.
/// let time = Utc { year: 2026, month: 6, day: 21, hour: 12, minute: 0, second: 0.0 };
/// let sun = Sun::at(time, 51.48, 0.0)?;
/// assert!((sun.azimuth - 179.0).abs() < 1.0 && (sun.altitude - 62.0).abs() < 0.1);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sun {
    /// Degrees clockwise from north, as on a map.
    pub azimuth: f64,
    /// Degrees above the horizon.
    pub altitude: f64,
}

impl Sun {
    /// The sun at a time and place: latitude in degrees to the north, longitude in degrees from
    /// Greenwich to the east.
    ///
    /// The formulas are those of low accuracy in Meeus, "Astronomical Algorithms" (second edition,
    /// 1998), chapters 12, 13, 22 and 25: 0.01 degrees within a few centuries of 2000. They leave
    /// out the difference of UTC to the uniform time of the tables (0.001 degrees today, 0.01 in
    /// the 17th century), the sun's parallax (0.0024 degrees at most), and refraction, which lifts
    /// the sun by half a degree at the horizon, a tenth at an altitude of 10 degrees, and a
    /// hundredth at 60.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a latitude beyond 90 degrees, a longitude beyond 360, a time [no calendar](Utc::julian_day) has.
    pub fn at(time: Utc, latitude: f64, longitude: f64) -> Result<Self> {
        let julian_day = time.julian_day()?;
        let asked = Asked("sun");
        asked.within("latitude", latitude, -90.0..=90.0)?;
        asked.within("longitude", longitude, -360.0..=360.0)?;
        with_default_float_mode(|| {
            // After noon of the first of January 2000.
            let days = julian_day - 2_451_545.0;
            // In centuries.
            let t = days / 36_525.0;
            // Chapter 25: mean longitude and anomaly, the equation of the centre, and with them
            // where the sun appears.
            let mean_longitude = 280.46646 + t * (36_000.769_83 + t * 0.000_303_2);
            let anomaly = 357.52911 + t * (35_999.050_29 - t * 0.000_153_7);
            let center = (1.914_602 - t * (0.004_817 + t * 0.000_014)) * sin_cos(anomaly).0
                + (0.019_993 - t * 0.000_101) * sin_cos(2.0 * anomaly).0
                + 0.000_289 * sin_cos(3.0 * anomaly).0;
            let node = sin_cos(125.04 - 1_934.136 * t);
            let nutation = -0.004_78 * node.0;
            let apparent = sin_cos(mean_longitude + center - 0.005_69 + nutation);
            // Chapter 22: how the equator is inclined.
            let mean_obliquity = 23.0
                + (26.0 + (21.448 - t * (46.815 + t * (0.000_59 - t * 0.001_813))) / 60.0) / 60.0;
            let obliquity = sin_cos(mean_obliquity + 0.002_56 * node.1);
            // Towards the sun, z to the pole and x to the spring equinox.
            let [x, y, z] = [apparent.1, apparent.0 * obliquity.1, apparent.0 * obliquity.0];
            // Chapter 12: how far the earth has turned.
            let sidereal = 280.460_618_37
                + 360.985_647_366_29 * days
                + t * t * (0.000_387_933 - t / 38_710_000.0)
                + nutation * obliquity.1;
            let (sine, cosine) = sin_cos(sidereal + longitude);
            let [south_point, east] = [x * cosine + y * sine, y * cosine - x * sine];
            // Chapter 13: from the equator to the horizon.
            let (sine, cosine) = sin_cos(latitude);
            let [north, up] = [z * cosine - south_point * sine, z * sine + south_point * cosine];
            let level = (east * east + north * north).sqrt();
            let azimuth = libm::atan2(east, north).to_degrees();
            Ok(Self {
                azimuth: if azimuth < 0.0 { azimuth + 360.0 } else { azimuth },
                altitude: libm::atan2(up, level).to_degrees(),
            })
        })
    }

    /// The unit vector towards the sun; x is east, y is north and z is up.
    pub fn direction(&self) -> [f64; 3] {
        with_default_float_mode(|| {
            let (east, north) = sin_cos(self.azimuth);
            let (rise, level) = sin_cos(self.altitude);
            [east * level, north * level, rise]
        })
    }
}

/// Of an angle in degrees.
fn sin_cos(degrees: f64) -> (f64, f64) {
    // Exact, so that many turns cost no accuracy.
    libm::sincos((degrees % 360.0).to_radians())
}

/// A date of the Gregorian calendar and a time of day, in UTC.
///
/// ```
/// use lanecast_makers::Utc;
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
    /// [`Error::UnusableField`] names the first field that no calendar or clock has.
    pub fn julian_day(&self) -> Result<f64> {
        let days = self.days()?;
        // The first of March of the year 0 begins at 1721119.5.
        Ok(with_default_float_mode(|| days as f64 + 1_721_119.5 + self.second_of_day() / 86_400.0))
    }

    /// How many seconds later the other time is, negative if it is earlier. Leap seconds between
    /// them are not counted. The errors of [`julian_day`](Self::julian_day).
    pub fn seconds_until(&self, other: &Self) -> Result<f64> {
        let days = other.days()? - self.days()?;
        let seconds = || days as f64 * 86_400.0 + other.second_of_day() - self.second_of_day();
        Ok(with_default_float_mode(seconds))
    }

    /// The time so many seconds later, without leap seconds.
    ///
    /// ```
    /// use lanecast_makers::Utc;
    /// let late = Utc { year: 2027, month: 12, day: 31, hour: 23, minute: 59, second: 30.0 };
    /// let leap_day = Utc { year: 2028, month: 2, day: 29, hour: 0, minute: 0, second: 0.0 };
    /// assert_eq!(late.after(30.0 + 59.0 * 86_400.0)?, leap_day);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`julian_day`](Self::julian_day), of this time or the later one, and
    /// [`Error::UnusableField`] unless the seconds are from 0 to 10¹².
    pub fn after(&self, seconds: f64) -> Result<Self> {
        let days = self.days()?;
        Asked("time").within("seconds", seconds, 0.0..=1e12)?;
        let later = with_default_float_mode(|| {
            let since = self.second_of_day() + seconds;
            let second_of_day = since % 86_400.0;
            // Exact: a whole number of days.
            let (year, month, day) = date(days + ((since - second_of_day) / 86_400.0) as i64);
            let minutes = (second_of_day / 60.0) as u16;
            Self {
                year: u16::try_from(year).unwrap_or(u16::MAX),
                month,
                day,
                hour: (minutes / 60) as u8,
                minute: (minutes % 60) as u8,
                second: second_of_day - f64::from(minutes) * 60.0,
            }
        });
        later.days().map(|_| later)
    }

    fn second_of_day(&self) -> f64 {
        f64::from(self.hour) * 3600.0 + f64::from(self.minute) * 60.0 + self.second
    }

    /// Days since the first of March of the year 0, if there is such a time.
    fn days(&self) -> Result<i64> {
        let Self { year, month, day, hour, minute, second } = *self;
        let length = match month {
            2 if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let asked = Asked("time");
        asked.within("year", year, 1583..=9999)?;
        asked.within("month", month, 1..=12)?;
        asked.within("day", day, 1..=length)?;
        asked.within("hour", hour, 0..=23)?;
        asked.within("minute", minute, 0..=59)?;
        let is_usable = (0.0..61.0).contains(&second);
        ensure!(is_usable, asked, "second", "is {second}; it must be from 0 to 61, 61 excluded");
        // Years begin with March here: the leap day is the last, and the months before it have 153
        // days to five.
        let [year, month, day] = [i64::from(year), i64::from(month), i64::from(day)];
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        Ok(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1)
    }
}

/// Year, month and day so many days after the first of March of the year 0: 400 years have 146,097
/// days, and years begin with March as above.
fn date(days: i64) -> (i64, u8, u8) {
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * cycle + year + carry, month as u8, day as u8)
}

/// Rays from many points towards each of several distant lights, such as the sun hour by hour, in
/// the order of directions, each with all points. A point whose ray misses is in the light. For
/// points on a surface see [`Cast::skip`](lanecast::Cast::skip).
#[derive(Clone)]
pub struct Sunlight<'a, T = f32> {
    points: &'a [[T; 3]],
    directions: Vec<[T; 3]>,
}

impl<T> std::fmt::Debug for Sunlight<'_, T> {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Sunlight");
        shown.field("points", &self.points.len()).finish_non_exhaustive()
    }
}

impl<'a, T: Number> Sunlight<'a, T> {
    /// Rays from these points in these directions, of any length, such as [`Sun::direction`].
    ///
    /// # Errors
    /// [`Error::UnusableField`]: one of the `directions` zero, not finite or beyond 2¹⁰⁰, or too many rays to count.
    pub fn new(points: &'a [[T; 3]], directions: &[[f64; 3]]) -> Result<Self> {
        let asked = Asked("sunlight");
        asked.counted("directions", points.len(), directions.len())?;
        with_default_float_mode(|| {
            let checked = |&direction| {
                asked.direction("directions", direction).map(|direction| direction.map(T::of_f64))
            };
            Ok(Self { points, directions: directions.iter().map(checked).collect::<Result<_>>()? })
        })
    }
}

impl<T: Number> Maker<Ray<T>> for Sunlight<'_, T> {
    fn len(&self) -> usize {
        self.points.len() * self.directions.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        make_runs(self.points.len(), first, rays, |light, point, run| {
            let direction = self.directions[light];
            for (ray, &[x, y, z]) in run.iter_mut().zip(&self.points[point..]) {
                // Copied as one array the point goes through the stack, which takes 5 ns a ray.
                *ray = Ray::new([x, y, z], direction);
            }
        });
    }
}
