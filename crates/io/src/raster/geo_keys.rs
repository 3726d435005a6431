//! The keys by which a GeoTIFF names its coordinate reference system.

use super::Registration;

/// The key of how pixels are registered, the only one that is not of the reference system.
const RASTER_TYPE: u16 = 1025;
/// The key of the kind of the reference system.
const MODEL_TYPE: u16 = 1024;

/// A coordinate reference system as a GeoTIFF has it: the tags `GeoKeyDirectory`, `GeoDoubleParams`
/// and `GeoAsciiParams`, which a file is written with unchanged.
///
/// Nothing of it is interpreted, but whether coordinates are angles.
#[derive(Debug, Clone, PartialEq)]
pub struct GeoKeys {
    directory: Vec<u16>,
    pub(super) doubles: Vec<f64>,
    /// With whatever ends it in the file.
    pub(super) text: Vec<u8>,
}

impl GeoKeys {
    /// Refuses a directory that does not hold the keys that it counts.
    pub(super) fn new(
        directory: Vec<u16>,
        doubles: Vec<f64>,
        text: Vec<u8>,
    ) -> Result<Self, String> {
        let count = directory.get(3).copied().map_or(0, usize::from);
        if directory.len() < 4 || directory.len() != 4 + 4 * count {
            let found = directory.len();
            return Err(format!(
                "GeoKeyDirectory holds {found} numbers, not 4 and 4 for each of {count} keys"
            ));
        }
        Ok(Self { directory, doubles, text })
    }

    /// Whether coordinates are longitude and latitude: angles, while heights are lengths.
    pub fn is_geographic(&self) -> bool {
        self.value(MODEL_TYPE) == Some(2)
    }

    /// The value of a key that is one number.
    fn value(&self, key: u16) -> Option<u16> {
        let mut keys = self.directory[4..].chunks_exact(4);
        keys.find(|entry| entry[0] == key && entry[1] == 0).map(|entry| entry[3])
    }

    pub(super) fn registration(&self) -> Result<Registration, String> {
        match self.value(RASTER_TYPE) {
            None | Some(1) => Ok(Registration::Area),
            Some(2) => Ok(Registration::Point),
            Some(other) => Err(format!("GTRasterType is {other}; known: 1 (area), 2 (point)")),
        }
    }

    /// The keys of a reference system, if there is one: not where the only key says how pixels are
    /// registered.
    pub(super) fn with_system(self) -> Option<Self> {
        (self.directory[4..].chunks_exact(4).any(|entry| entry[0] != RASTER_TYPE)).then_some(self)
    }

    /// The directory of a file whose pixels are registered so; none if there is nothing to say.
    pub(super) fn directory(keys: Option<&Self>, registration: Registration) -> Option<Vec<u16>> {
        let found = keys.map(Self::registration);
        if matches!(found, Some(Ok(found)) if found == registration) {
            return keys.map(|keys| keys.directory.clone());
        }
        let mut directory = keys.map_or_else(|| vec![1, 1, 0, 0], |keys| keys.directory.clone());
        let value = match registration {
            Registration::Area if keys.is_none() => return None,
            Registration::Area => 1,
            Registration::Point => 2,
        };
        // Keys are in ascending order.
        let entries = directory[4..].chunks_exact(4);
        let at = 4 + 4 * entries.take_while(|entry| entry[0] < RASTER_TYPE).count();
        if directory.get(at) == Some(&RASTER_TYPE) {
            directory[at + 1..at + 4].copy_from_slice(&[0, 1, value]);
        } else {
            directory.splice(at..at, [RASTER_TYPE, 0, 1, value]);
            directory[3] += 1;
        }
        Some(directory)
    }
}
