//! Which columns of a table mean what.

/// The numbers of a ray in the order of [`Ray`](crate::Ray)'s memory; the last two may be missing.
pub(super) const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
/// The name of the column of ids.
pub(super) const ID_NAME: &str = "ray_id";
const REQUIRED: usize = 6;

/// Where the columns of a ray stand in a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// The place of each of [`NAMES`].
    pub(super) numbers: [Option<usize>; 8],
    pub(super) ray_id: Option<usize>,
}

impl Columns {
    /// Finds the columns by their names.
    pub(super) fn find<S: AsRef<str>>(found: &[S]) -> Result<Self, String> {
        let place = |name: &str| {
            let mut places = (0..found.len()).filter(|&place| found[place].as_ref() == name);
            let first = places.next();
            match places.next() {
                Some(_) => Err(format!("column \"{name}\" stands there twice")),
                None => Ok(first),
            }
        };
        let mut numbers = [None; 8];
        for (number, name) in numbers.iter_mut().zip(NAMES) {
            *number = place(name)?;
        }
        let missing: Vec<_> = (0..REQUIRED)
            .filter(|&number| numbers[number].is_none())
            .map(|number| format!("\"{}\"", NAMES[number]))
            .collect();
        if !missing.is_empty() {
            return Err(format!("no column {}; found {}", missing.join(", "), shown(found)));
        }
        Ok(Self { numbers, ray_id: place(ID_NAME)? })
    }
}

/// Names as they may stand in a message, which garbage must not blow up.
fn shown<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 20;
    let name = |name: &S| name.as_ref().chars().take(40).flat_map(char::escape_debug).collect::<String>();
    let mut shown: Vec<String> = names.iter().take(MOST).map(name).collect();
    if names.len() > MOST {
        shown.push(format!("and {} more", names.len() - MOST));
    }
    shown.join(", ")
}
