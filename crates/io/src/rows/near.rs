//! Names of columns that are not known but nearly are: passed over, they would give answers to
//! other rays.

/// What other programs call the columns of a row, as [`plain`] has it, and what they are called
/// here.
pub(super) type Aliases = &'static [(&'static str, &'static str)];

/// The known name that was meant by one that is not known, if any:
///
/// - the same letters and digits, whatever the case and whatever stands between them (`tmax`,
///   `T_MAX`, `ray id`);
/// - a name in other programs (`tnear`, `dirx`, `x0`, `origin_x`);
/// - of known names of four letters and more, one letter more, less or other, or two neighbours
///   exchanged, beginning alike (`t_mx`, `t_mxa`). Where the first letter differs it is another
///   thing of that kind: `x_max`, `z_min`.
pub(super) fn meant<'k>(
    name: &str,
    known: impl Iterator<Item = &'k str>,
    aliases: Aliases,
) -> Option<&'k str> {
    let name = plain(name);
    let alias = aliases.iter().find(|(alias, _)| *alias == name).map(|&(_, known)| known);
    alias.or_else(|| {
        known.into_iter().find(|known| {
            let known = plain(known);
            name == known
                || known.len() >= 4 && name.get(..1) == known.get(..1) && is_one_edit(&name, &known)
        })
    })
}

/// The column of a table that was most likely meant by a name that is not one of its columns, if
/// any.
///
/// ```
/// assert_eq!(lanecast_io::meant_column("T_Max", &["t_min", "t_max"]), Some("t_max"));
/// assert_eq!(lanecast_io::meant_column("intensity", &["t_min", "t_max"]), None);
/// ```
pub fn meant_column(name: &str, columns: &[&'static str]) -> Option<&'static str> {
    meant(name, columns.iter().copied(), &[])
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|x| x.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether one letter was put in, left out or replaced, or two neighbours exchanged (Damerau, "A
/// technique for computer detection and correction of spelling errors", CACM 7(3), 1964).
fn is_one_edit(a: &str, b: &str) -> bool {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|word| word.chars().collect());
    let alike = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[alike..], &b[alike..]);
    let without = |word: &[char], count: usize| word.get(count..).map(<[char]>::to_vec);
    let exchanged = a.len() > 1 && b.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..];
    exchanged
        || without(a, 1).is_some_and(|rest| rest == b)
        || without(b, 1).is_some_and(|rest| rest == a)
        || without(a, 1).zip(without(b, 1)).is_some_and(|(a, b)| a == b)
}
