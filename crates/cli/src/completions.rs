//! `lanecast completions`: what a shell needs to complete the program's arguments.

use crate::arguments::Cli;
use crate::failure::Result;
use crate::report;
use clap::{Args, CommandFactory};
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
    pub(crate) fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lanecast", &mut script);
        report::say(&String::from_utf8_lossy(&script))
    }
}
