//! stub
use crate::failure::Result;
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Arguments {}
impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        Ok(())
    }
}
