//! `lanecast completions`: what a shell needs to complete the program's arguments.

use crate::failure::Result;
use crate::report;
use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lanecast completions bash > ~/.local/share/bash-completion/completions/lanecast
  lanecast completions zsh > ~/.zfunc/_lanecast
  lanecast completions fish > ~/.config/fish/completions/lanecast.fish")]
pub(crate) struct Arguments {
    /// The shell that is to complete
    shell: Shell,
}

impl Arguments {
    /// Prints the script for the program whose command line is `program`.
    pub(crate) fn run(&self, mut program: Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "lanecast", &mut script);
        report::say(&String::from_utf8_lossy(&script))
    }
}
