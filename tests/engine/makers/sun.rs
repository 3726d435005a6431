//! Where the sun stands: published examples, and another formula.

use lanecast_makers::{Sun, Utc};

fn utc(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: f64) -> Utc {
    Utc { year, month, day, hour, minute, second }
}

#[track_caller]
fn assert_near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} instead of {expected}");
}

/// Meeus, "Astronomical Algorithms", chapter 7: example 7.a and the table after it.
#[test]
fn days_are_counted_as_astronomers_do() {
    for (time, day) in [
        (utc(1957, 10, 4, 19, 26, 24.0), 2_436_116.31),
        (utc(2000, 1, 1, 12, 0, 0.0), 2_451_545.0),
        (utc(1987, 1, 27, 0, 0, 0.0), 2_446_822.5),
        (utc(1987, 6, 19, 12, 0, 0.0), 2_446_966.0),
        (utc(1988, 1, 27, 0, 0, 0.0), 2_447_187.5),
        (utc(1988, 6, 19, 12, 0, 0.0), 2_447_332.0),
        (utc(1900, 1, 1, 0, 0, 0.0), 2_415_020.5),
        (utc(1600, 1, 1, 0, 0, 0.0), 2_305_447.5),
        (utc(1600, 12, 31, 0, 0, 0.0), 2_305_812.5),
    ] {
        assert_near(time.julian_day().expect("a time"), day, 1e-8);
    }
}

/// A year that 4 divides has a leap day, unless 100 divides it and 400 does not.
/// Day by day through the rules of the calendar, and back by Julian days.
#[test]
fn later_times_are_those_of_the_calendar() {
    let start = utc(1890, 12, 27, 22, 15, 7.5);
    let (mut date, mut count) = ((1890_u16, 12_u8, 27_u8), 0);
    while date.0 < 2105 {
        let later = start.after(86_400.0 * f64::from(count) + 1799.25).expect("a time");
        assert_eq!(later, utc(date.0, date.1, date.2, 22, 45, 6.75));
        let days = later.julian_day().expect("a day") - start.julian_day().expect("a day");
        assert_near(days, f64::from(count) + 1799.25 / 86_400.0, 1e-8);
        assert_eq!(start.seconds_until(&later), Ok(86_400.0 * f64::from(count) + 1799.25));
        assert_eq!(later.seconds_until(&start), Ok(-86_400.0 * f64::from(count) - 1799.25));
        let next = utc(date.0, date.1, date.2 + 1, 0, 0, 0.0);
        date = match (next.julian_day(), date.1) {
            (Ok(_), _) => (date.0, date.1, date.2 + 1),
            (Err(_), 12) => (date.0 + 1, 1, 1),
            (Err(_), month) => (date.0, month + 1, 1),
        };
        count += 1;
    }
    let error = |found: lanecast::Result<Utc>| found.expect_err("no time").to_string();
    assert_eq!(error(start.after(-1.0)), "time: seconds is -1; it must be from 0 to 1000000000000");
    assert_eq!(error(start.after(9e11)), "time: year is 30410; it must be from 1583 to 9999");
    assert_eq!(
        error(utc(2027, 2, 29, 0, 0, 0.0).after(1.0)),
        "time: day is 29; it must be from 1 to 28"
    );
}

#[test]
fn only_leap_years_have_a_leap_day() {
    for (year, is_leap) in
        [(1600, true), (1900, false), (2000, true), (2023, false), (2024, true), (2100, false)]
    {
        let [last, leap, march] = [(2, 28), (2, 29), (3, 1)]
            .map(|(month, day)| utc(year, month, day, 0, 0, 0.0).julian_day());
        assert_eq!(leap.is_ok(), is_leap, "{year}");
        let days = march.expect("a day") - last.expect("a day");
        assert_eq!(days, if is_leap { 2.0 } else { 1.0 }, "{year}");
    }
}

/// Reda and Andreas, "Solar Position Algorithm for Solar Radiation Applications"
/// (NREL/TP-560-34302, 2008), appendix A.5: 12:30:30 in Golden, Colorado, seven hours behind UTC,
/// seen from 1830 m and without refraction.
#[test]
fn the_example_of_the_national_renewable_energy_laboratory() {
    let sun = Sun::at(utc(2003, 10, 17, 19, 30, 30.0), 39.742_476, -105.178_6).expect("a sun");
    assert_near(sun.azimuth, 194.340_24, 0.01);
    assert_near(sun.altitude, 39.872_05, 0.01);
}

/// At the north pole the altitude is the declination: 0 at the equinoxes, 23.44 degrees at the
/// solstice. The times are those of the almanac for 2024.
#[test]
fn seasons_begin_when_the_almanac_says() {
    let declination = |time| Sun::at(time, 90.0, 0.0).expect("a sun").altitude;
    assert_near(declination(utc(2024, 3, 20, 3, 6, 0.0)), 0.0, 0.01);
    assert_near(declination(utc(2024, 9, 22, 12, 44, 0.0)), 0.0, 0.01);
    assert_near(declination(utc(2024, 6, 20, 20, 51, 0.0)), 23.44, 0.01);
    assert_near(declination(utc(2024, 12, 21, 9, 21, 0.0)), -23.44, 0.01);
    // Meeus, example 25.a.
    assert_near(declination(utc(1992, 10, 13, 0, 0, 0.0)), -7.785_07, 0.001);
}

/// The low-precision formula of the Astronomical Almanac, good to 0.01 degrees from 1950 to 2050.
fn by_the_almanac(days: f64, latitude: f64, longitude: f64) -> [f64; 3] {
    let degrees = |x: f64| x.rem_euclid(360.0).to_radians();
    let anomaly = degrees(357.528 + 0.985_600_3 * days);
    let ecliptic = degrees(
        280.460 + 0.985_647_4 * days + 1.915 * anomaly.sin() + 0.020 * (2.0 * anomaly).sin(),
    );
    let obliquity = degrees(23.439 - 0.000_000_4 * days);
    let right_ascension = (obliquity.cos() * ecliptic.sin()).atan2(ecliptic.cos());
    let declination = (obliquity.sin() * ecliptic.sin()).asin();
    let hour_angle = degrees(15.0 * (18.697_374_558 + 24.065_709_824_419_08 * days) + longitude)
        - right_ascension;
    let (latitude, (sine, cosine)) = (latitude.to_radians(), hour_angle.sin_cos());
    [
        -declination.cos() * sine,
        declination.sin() * latitude.cos() - declination.cos() * cosine * latitude.sin(),
        declination.sin() * latitude.sin() + declination.cos() * cosine * latitude.cos(),
    ]
}

#[test]
fn two_formulas_agree_at_all_times_and_places() {
    for number in 0..3000_u32 {
        let place = |step: f64, span: f64| (f64::from(number) * step).fract() * span;
        let time = utc(
            1950 + (number % 101) as u16,
            1 + (number % 12) as u8,
            1 + (number % 28) as u8,
            (number % 24) as u8,
            (number % 59) as u8,
            place(0.137, 60.0),
        );
        let (latitude, longitude) = (place(0.618, 180.0) - 90.0, place(0.414, 360.0) - 180.0);
        let found = Sun::at(time, latitude, longitude).expect("a sun").direction();
        let expected =
            by_the_almanac(time.julian_day().expect("a time") - 2_451_545.0, latitude, longitude);
        let off = (0..3)
            .map(|axis| (found[axis] - expected[axis]).powi(2))
            .sum::<f64>()
            .sqrt()
            .to_degrees();
        assert!(off < 0.025, "{off} degrees off at {time:?}, {latitude}, {longitude}");
    }
}

#[test]
fn the_sun_stands_where_a_map_says() {
    let direction = |azimuth, altitude| Sun { azimuth, altitude }.direction();
    for (found, expected) in [
        (direction(0.0, 0.0), [0.0, 1.0, 0.0]),
        (direction(90.0, 0.0), [1.0, 0.0, 0.0]),
        (direction(123.0, 90.0), [0.0, 0.0, 1.0]),
        (direction(270.0, 30.0), [-0.75_f64.sqrt(), 0.0, 0.5]),
    ] {
        assert!(
            (0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-12),
            "{found:?} {expected:?}"
        );
    }
}
