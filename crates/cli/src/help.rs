//! What the help says behind the options: all of it after `--help`, and on one screen after `-h`.

/// A text whose paragraphs are a line each, for clap to wrap to the terminal. Lines that begin with
/// blanks, and what stands before the first of them, stay lines.
pub(crate) fn long(text: &str) -> String {
    let mut flowing = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        flowing += line.trim_end();
        let stays = |line: &str| line.is_empty() || line.starts_with(' ');
        match lines.peek() {
            Some(next) if stays(line) || stays(next) => flowing.push('\n'),
            Some(_) => flowing.push(' '),
            None => {}
        }
    }
    flowing
}

/// The first examples of the text, and where the rest of it is.
pub(crate) fn short(subcommand: &str, text: &str) -> String {
    const EXAMPLES: usize = 2;
    let examples = text.lines().skip_while(|line| *line != "Examples:").take(1 + EXAMPLES);
    let examples = examples.collect::<Vec<_>>().join("\n");
    let command = if subcommand.is_empty() { String::new() } else { format!(" {subcommand}") };
    format!("{examples}\n\nMore: lanecast{command} --help")
}
