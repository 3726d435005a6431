//! What was measured on, and when.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// What every table says of itself.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// Seconds since 1970-01-01, UTC.
    unix_time: u64,
    processor: String,
    cores: usize,
    /// The widest that the processor has and that somebody here uses.
    instructions: &'static str,
}

impl Machine {
    /// This one, now.
    pub(crate) fn here() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            unix_time: since_1970.map_or(0, |elapsed| elapsed.as_secs()),
            processor: processor(),
            cores: cores(),
            instructions: instructions(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unix_time, processor, cores, instructions } = self;
        let [year, month, day] = date(unix_time / 86_400);
        write!(f, "{processor}, {cores} cores, {instructions}, {year}-{month:02}-{day:02}")
    }
}

/// The processor's name as the system gives it, or the architecture, and its generation if it is
/// known.
fn processor() -> String {
    named(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// What `/proc/cpuinfo` says of the first core.
fn named(text: &str) -> String {
    let value = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(other, _)| other.trim() == key).map(|(_, value)| value.trim())
    };
    let name = value("model name").unwrap_or(std::env::consts::ARCH);
    let number = |key: &str| value(key)?.parse().ok();
    let generation = || generation(value("vendor_id")?, number("cpu family")?, number("model")?);
    match generation() {
        Some(generation) => format!("{name} ({generation})"),
        None => name.to_owned(),
    }
}

/// By the numbers that Linux knows them by (`arch/x86/kernel/cpu/amd.c` and
/// `arch/x86/include/asm/intel-family.h`), as names such as "AMD EPYC" say little.
fn generation(vendor: &str, family: u32, model: u32) -> Option<&'static str> {
    Some(match (vendor, family, model) {
        ("AuthenticAMD", 23, 0x00..=0x2f) => "Zen",
        ("AuthenticAMD", 23, _) => "Zen 2",
        ("AuthenticAMD", 25, 0x00..=0x0f | 0x20..=0x5f) => "Zen 3",
        ("AuthenticAMD", 25, 0x10..=0x1f | 0x60..=0xaf) => "Zen 4",
        ("AuthenticAMD", 26, 0x00..=0x4f | 0x60..=0x7f) => "Zen 5",
        ("GenuineIntel", 6, 63) => "Haswell",
        ("GenuineIntel", 6, 79) => "Broadwell",
        ("GenuineIntel", 6, 85) => "Skylake or Cascade Lake",
        ("GenuineIntel", 6, 106 | 108) => "Ice Lake",
        ("GenuineIntel", 6, 143) => "Sapphire Rapids",
        ("GenuineIntel", 6, 207) => "Emerald Rapids",
        ("GenuineIntel", 6, 173 | 174) => "Granite Rapids",
        ("GenuineIntel", 6, 151 | 154) => "Alder Lake",
        ("GenuineIntel", 6, 183 | 186 | 191) => "Raptor Lake",
        _ => return None,
    })
}

fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            return "AVX-512";
        }
        if std::is_x86_feature_detected!("avx2") {
            return "AVX2";
        }
        if std::is_x86_feature_detected!("sse4.2") {
            return "SSE4.2";
        }
    }
    std::env::consts::ARCH
}

/// Year, month and day, so many days after 1970-01-01.
fn date(days: u64) -> [u64; 3] {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    [year, month, left + 1]
}

/// How many threads the system lets this program run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Bytes that the system could give to a program without swapping, where it tells.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kilobytes(line.trim().strip_suffix(" kB")?)
}

fn kilobytes(text: &str) -> Option<usize> {
    Some(text.parse::<usize>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::{date, named};

    #[test]
    fn generations_are_told_from_family_and_model() {
        let amd = |family, model| {
            format!(
                "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: {family}\nmodel\t\t: {model}\nmodel name\t: AMD EPYC\n"
            )
        };
        assert_eq!(named(&amd(25, 1)), "AMD EPYC (Zen 3)");
        assert_eq!(named(&amd(25, 17)), "AMD EPYC (Zen 4)");
        assert_eq!(named(&amd(25, 160)), "AMD EPYC (Zen 4)");
        assert_eq!(named(&amd(26, 2)), "AMD EPYC (Zen 5)");
        assert_eq!(named(&amd(99, 2)), "AMD EPYC");
        assert_eq!(named(""), std::env::consts::ARCH);
    }

    #[test]
    fn dates_know_leap_years() {
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(11_017), [2000, 3, 1]);
        assert_eq!(date(20_787), [2026, 11, 30]);
        assert_eq!(date(20_818), [2026, 12, 31]);
    }
}
