//! What the examples share: their command line, and where their output goes.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of an example, the first of which names its output; each as given, or its default.
/// An output without a name goes to the folder `target`, which git ignores. Help, options and a
/// name of a file that is there end the program.
pub(crate) fn arguments<const N: usize>(
    usage: &str,
    defaults: [&str; N],
) -> ([String; N], PathBuf) {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if given.iter().any(|argument| argument == "-h" || argument == "--help") {
        let _ = writeln!(std::io::stdout(), "usage: {usage}");
        std::process::exit(0);
    }
    if let Some(wrong) = given.iter().find(|argument| argument.starts_with('-')).or(given.get(N)) {
        fail(&format!("unexpected argument {wrong:?}; usage: {usage}"));
    }
    let output = match given.first() {
        Some(name) if Path::new(name).exists() => {
            fail(&format!("{name}: there is such a file already"))
        }
        Some(name) => PathBuf::from(name),
        None => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
            std::fs::create_dir_all(&folder)
                .and_then(|()| folder.canonicalize())
                .unwrap_or(folder)
                .join(defaults[0])
        }
    };
    let mut arguments = defaults.map(str::to_owned);
    arguments.iter_mut().zip(given).for_each(|(argument, given)| *argument = given);
    (arguments, output)
}

/// Says where the output is.
pub(crate) fn wrote(output: &Path) {
    eprintln!("written: {}", output.display());
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}
