//! `lanecast build`: a mesh in, a scene file out.

use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::interrupt::Interrupt;
use crate::machine::Machine;
use crate::mesh::{self, Held, Meshes, Read, Subject};
use crate::number;
use crate::output::{Output, Overwriting};
use crate::precision::Number;
use crate::progress::Progress;
use crate::report;
use clap::{Args, ValueEnum};
use lanecast::{BuildQuality, scene::SceneFile};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(after_help = help::short("build", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The scene file, usually NAME.scene
    ///
    /// Its extension may be none that means another format.
    #[arg(short, long, value_name = "SCENE")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// How much work goes into the tree
    #[arg(long, value_enum, default_value_t = Quality::Balanced)]
    quality: Quality,
    #[command(flatten)]
    subject: Subject,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Quality {
    /// For meshes that are built anew all the time: takes half as long, and rays are up to a tenth
    /// slower
    Fast,
    /// For most scenes
    Balanced,
    /// For interiors and the like, of large and small triangles amid each other: takes twice as
    /// long, and rays are 5 to 15% faster there
    High,
}

fn after_help() -> String {
    format!(
        "\
A scene file holds the triangles and the tree over them. Every subcommand that takes a mesh takes it
in its place, and opens it in milliseconds, where a mesh is read and its tree built each time.
Programs that use the same file at the same time share its memory. It is for machines of the same
byte order and for this version of lanecast: keep the mesh. A file that was there is replaced,
with --force, when the new one is complete; never copy over a scene file that is in use.

A mesh at survey coordinates makes a scene file of f64, which all of them take but bench: see
--precision.

A scene file has names and the numbers of faces, and knows nothing of vertices that no triangle
names, nor of their normals. Of one that programs
have written, with scenes placed in it or with boxes and spheres, all is kept, and the tree over
its own triangles built anew.

Examples:
  lanecast build mesh.ply -o mesh.scene
  lanecast build interior.glb -o interior.scene --quality high --json
  lanecast cast mesh.scene rays.npy -o hits.npz

{EXIT_CODES}"
    )
}

/// The fields of the JSON summary.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    scene: String,
    geometries: usize,
    #[serde(flatten)]
    held: Held,
    quality: Quality,
    bytes: u64,
    elapsed_seconds: f64,
    read_seconds: f64,
    build_seconds: f64,
    write_seconds: f64,
    /// To open the file again and to look at all of it.
    check_seconds: f64,
    threads: usize,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let began = Instant::now();
        let machine = self.subject.machine.meaning()?;
        let (path, overwriting) = (&self.output, self.overwriting);
        Output { path, inputs: &[&self.subject.mesh], overwriting }.check_scene()?;
        let progress = Progress::phase(!self.json, "reading the mesh");
        let start = Instant::now();
        let read = self.subject.read(|_| Ok(false))?;
        drop(progress);
        match read {
            Read::F32(meshes) => self.build([began, start], &machine, meshes),
            Read::F64(meshes) => self.build([began, start], &machine, meshes),
        }
    }

    /// Builds and saves what was read, from `start` on.
    fn build<T: Number>(
        &self,
        [began, start]: [Instant; 2],
        machine: &Machine,
        mut meshes: Meshes<T>,
    ) -> Result<()> {
        if let Some(scene) = meshes.scene() {
            scene.check()?;
        }
        let read_seconds = start.elapsed().as_secs_f64();

        let progress = Progress::phase(!self.json, "building the tree");
        let quality = match self.quality {
            Quality::Fast => BuildQuality::Fast,
            Quality::Balanced => BuildQuality::Balanced,
            Quality::High => BuildQuality::High,
        };
        let built = mesh::build_anew(&self.subject.mesh, &mut meshes, machine, quality)?;
        drop(progress);

        // Up to here there is nothing to clean up, and an interrupt ends the program by itself.
        let interrupt = Interrupt::listen();
        let progress =
            Progress::new(!self.json, Some(built.scene.statistics().bytes as u64), "bytes");
        let start = Instant::now();
        built.scene.save_watched(&self.output, &|written| {
            progress.set(written.done as u64);
            interrupt.flow()
        })?;
        let write_seconds = start.elapsed().as_secs_f64();
        drop(progress);
        // What was written is what can be read.
        let start = Instant::now();
        SceneFile::open(&self.output)?.scene::<T>()?.check()?;
        let check_seconds = start.elapsed().as_secs_f64();
        let summary = Summary {
            mesh: self.subject.mesh.display().to_string(),
            scene: self.output.display().to_string(),
            geometries: meshes.count(),
            held: Held::new(&built.scene),
            quality: self.quality,
            bytes: self.output.metadata().map_or(0, |file| file.len()),
            elapsed_seconds: began.elapsed().as_secs_f64(),
            read_seconds,
            build_seconds: built.seconds,
            write_seconds,
            check_seconds,
            threads: machine.threads.count(),
        };
        if self.json {
            return report::say_json(&summary);
        }
        report::remark(&summary.line());
        Ok(())
    }
}

impl Summary {
    fn line(&self) -> String {
        format!(
            "{} in {}; {}: read {}, tree {}, write {}, check {}",
            self.held.words(),
            number::bytes(self.bytes as usize),
            number::seconds(self.elapsed_seconds),
            number::seconds(self.read_seconds),
            number::seconds(self.build_seconds),
            number::seconds(self.write_seconds),
            number::seconds(self.check_seconds),
        )
    }
}
