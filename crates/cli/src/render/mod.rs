//! `lanecast render`: a picture of a mesh.

mod crease;
mod frame;
mod legend;
mod light;
mod meaning;
mod paint;
mod scale;
mod shade;
mod soften;
mod surface;

use crate::arguments::{azimuth_altitude, direction, range, size, vector};
use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::interrupt::Interrupt;
use crate::machine::Machine;
use crate::mesh::{self, Meshes, Read, Subject};
use crate::output::{self, Output, Overwriting};
use crate::pace::{Clock, Pace};
use crate::picture::{Film, Sampling};
use crate::precision::Number;
use crate::progress::Progress;
use crate::report;
use crate::rounding::Rounding;
use crate::vector::{Vector, unit};
use clap::{Args, ValueEnum};
use frame::Outline;
use lanecast::Threads;
use lanecast_io::{is_moved_too_far, moved_by_rounding};
use legend::Legend;
use meaning::usual_up;
use paint::{Paint, Source};
use scale::Range;
use serde::Serialize;
use shade::{Ground, Shader, Worker};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use surface::{Normals, Surface};

#[derive(Debug, Args)]
#[command(after_help = help::short("render", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// The picture, or - for standard output
    ///
    /// A PNG file.
    #[arg(short, long, value_name = "PICTURE")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// How it is shown
    #[arg(long, value_enum, default_value_t = Shade::Studio, hide_default_value = true)]
    shade: Shade,
    /// Colours: geometry, FILE or FILE:COLUMN
    ///
    /// geometry: a colour for each mesh of the file. FILE or FILE:COLUMN: by the values of a CSV,
    /// NPY or NPZ file, one for each triangle, vertex or face of the mesh; if there is one column,
    /// it needs no name. The colours are those of viridis, and grey where there is no value.
    #[arg(long, value_name = "COLOR", value_parser = Source::parse)]
    color: Option<Source>,
    /// The values at the two ends of the colours
    ///
    /// For --shade depth and cost and for --color FILE; the least and the greatest value unless
    /// given. Values beyond have the colour of the end.
    #[arg(long, value_name = "MIN,MAX", value_parser = range, allow_hyphen_values = true)]
    range: Option<[f64; 2]>,
    /// The unit of the values, for the legend
    ///
    /// Of lengths of the mesh in --shade depth; m for glTF files unless given.
    #[arg(long, value_name = "UNIT")]
    unit: Option<String>,
    /// Which normals the light falls on: auto, geometric or shading
    #[arg(long, value_enum, hide_possible_values = true)]
    normals: Option<Normals>,
    /// Leave out the shadow on the ground
    ///
    /// The ground is at the lowest point of the mesh, and only shadows are seen of it.
    #[arg(long)]
    no_ground: bool,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Rays per pixel; more are smoother
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    samples: u32,
    /// Where the camera stands
    ///
    /// To the front, the right and above, as near as it sees the whole mesh, unless given.
    /// Triangles without an area, and vertices that no triangle names, do not count.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    eye: Option<Vector>,
    /// What the camera looks at
    ///
    /// The middle of the mesh unless given.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    target: Option<Vector>,
    /// What is up: x, y, z or a direction
    ///
    /// z unless given, but y for glTF files, which have it so.
    #[arg(long, value_name = "X,Y,Z", value_parser = direction, allow_hyphen_values = true)]
    up: Option<Vector>,
    /// Angle from top to bottom, in degrees
    ///
    /// How much the camera sees.
    #[arg(long, value_name = "DEGREES", default_value_t = 35.0, value_parser = field_of_view, hide_default_value = true)]
    fov: f64,
    /// Where the light stands
    ///
    /// Degrees clockwise from north (y if z is up), degrees above the horizon. Unless given 235,45
    /// for --shade sun, and to the left of the camera and above it otherwise.
    #[arg(long, value_name = "AZIMUTH,ALTITUDE", value_parser = azimuth_altitude, allow_hyphen_values = true)]
    sun: Option<[f64; 2]>,
    #[command(flatten)]
    subject: Subject,
    /// Print what was cast, and how fast, as JSON
    ///
    /// With the scale of the colours; on standard output, or on standard error, behind warnings, if
    /// the picture goes to standard output.
    #[arg(long)]
    json: bool,
}

/// How a mesh is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shade {
    /// A wide lamp, light from around, a shadow on the ground
    Studio,
    /// Sunlight and cast shadows
    Sun,
    /// How open the surface is: dark where something is near
    Ao,
    /// Colours without light
    Flat,
    /// Direction of the surface: x red, y green, z blue
    Normals,
    /// Distance from the camera: near is bright
    Depth,
    /// Work per ray: nodes of the tree and triangles that were tested; cheap is dark
    Cost,
}

fn after_help() -> String {
    format!(
        "\
The scale of --shade cost is printed on standard output. A picture of at least 240 by 160 pixels has a legend where colours have a meaning. The same command gives the same picture. A mesh without triangles is an error.

Examples:
  lanecast render mesh.ply -o mesh.png
  lanecast render statue.obj -o statue.png --up y --size 800x1200
  lanecast render parts.glb -o parts.png --color geometry
  lanecast render mesh.ply -o d.png --color near.npz:distance --unit mm
  lanecast render terrain.ply -o evening.png --shade sun --sun 280,12
  lanecast render mesh.stl -o cost.png --shade cost
  lanecast render room.glb -o room.png --eye 2,1.6,3 --target 0,1,0 --fov 60

{EXIT_CODES}"
    )
}

fn field_of_view(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|degrees| (0.001..=170.0).contains(degrees))
        .ok_or_else(|| "expected an angle in degrees, from 0.001 to 170".to_owned())
}

/// Rows of pixels that a thread takes at a time.
const ROWS: usize = 16;

/// The fields of the JSON report.
#[derive(Debug, Serialize)]
struct Summary {
    mesh: String,
    picture: String,
    size: [u32; 2],
    precision: &'static str,
    triangles: usize,
    rays: u64,
    #[serde(flatten)]
    pace: Pace,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Range>,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.subject.machine.meaning()?;
        let (path, overwriting) = (&self.output, self.overwriting);
        let values = self.color.as_ref().and_then(Source::path);
        let inputs: Vec<&Path> = std::iter::once(&*self.subject.mesh).chain(values).collect();
        Output { path, inputs: &inputs, overwriting }.check_picture()?;
        self.check()?;
        let moved = moved_by_rounding::<f32>(self.eye.into_iter().flatten());
        let eye_needs_f64 = |size| Ok(is_moved_too_far(moved, size));
        match clock.reading(|| self.subject.read(eye_needs_f64))? {
            Read::F32(meshes) => {
                Rounding::new(Path::new("--eye"), &meshes).look(moved);
                self.paint(&machine, meshes, clock)
            }
            Read::F64(meshes) => self.paint(&machine, meshes, clock),
        }
    }

    fn paint<T: Number>(
        &self,
        machine: &Machine,
        mut meshes: Meshes<T>,
        mut clock: Clock,
    ) -> Result<()> {
        let built = mesh::build_filled(&self.subject.mesh, &mut meshes, machine)?;
        let paint =
            clock.reading(|| Paint::new(self.color.as_ref(), &self.subject.mesh, &meshes))?;
        let outline = Outline::of(&built.scene)?;
        let up = self.up.map_or_else(|| usual_up(&self.subject.mesh), unit);
        let mut sampling = self.sampling(&outline, up, 0.0)?;
        let lift = outline.clearance::<T>(sampling.camera.eye());
        let ground = Ground {
            height: outline.lowest(up) - 2.0 * lift,
            center: outline.center(),
            radius: outline.radius(),
        };
        let mut shader = Shader {
            scene: &built.scene,
            meshes: &meshes,
            options: machine.options(),
            shade: self.shade,
            surface: Surface::new(
                &self.subject.mesh,
                &meshes,
                self.normals.unwrap_or_default(),
                lift,
            )?,
            paint,
            light: self.light(&outline, up, &sampling),
            ground: self.ground_is_seen().then_some(ground),
            range: None,
        };
        if let (Paint::Values(values, _), Some(range)) = (&mut shader.paint, self.range) {
            values.range = values.range.between(range);
        }
        let ramp = shader.ramp();
        let find_range = |sampling: &Sampling, shader: &Shader<'_, T>| -> Result<_> {
            let found = shader.find_range(sampling)?;
            Ok(found.map(|found| self.range.map_or(found, |range| found.between(range))))
        };
        shader.range = find_range(&sampling, &shader)?;
        let line = Legend::line(self.size);
        // The legend stands beside what is seen, and is as wide as that makes its numbers.
        if let (Some(legend), Some(line)) = (self.legend(&shader, &ramp), line) {
            let most = f64::from(self.size[0]) / 2.0;
            sampling = self.sampling(&outline, up, legend.width(line).min(most))?;
            shader.range = find_range(&sampling, &shader)?;
        }
        shader.options = shader.options.threads(&Threads::ONE);

        let mut film = Film::new(&sampling);
        let (rays, time) = self.fill(&shader, &sampling, machine, &mut film)?;
        clock.asked(time);
        if let (Some(legend), Some(line)) = (self.legend(&shader, &ramp), line) {
            legend.draw(&mut film, self.size, line);
        }
        clock.writing(|| film.write(&self.output))?;
        let summary = Summary {
            mesh: self.subject.mesh.display().to_string(),
            picture: self.output.display().to_string(),
            size: self.size,
            precision: T::NAME,
            triangles: built.scene.triangle_count(),
            rays,
            pace: Pace::of_rays(rays, &clock, &built, machine),
            scale: shader.range.or(match &shader.paint {
                Paint::Values(values, _) => Some(values.range),
                _ => None,
            }),
        };
        self.sum_up(&summary)
    }

    /// Casts the rays of a picture, a piece to a thread; how many they were, and how long it took.
    fn fill<T: Number>(
        &self,
        shader: &Shader<'_, T>,
        sampling: &Sampling,
        machine: &Machine,
        film: &mut Film,
    ) -> Result<(u64, Duration)> {
        let interrupt = Interrupt::listen();
        let progress = Progress::new(!self.json, Some(sampling.len() as u64), "rays");
        let runs = Mutex::new(film.runs(ROWS * self.size[0] as usize));
        let done = AtomicU64::new(0);
        let work = || {
            let mut worker = Worker::new(shader, sampling);
            loop {
                let run = runs.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((start, pixels)) = run else { return Ok(worker.spent()) };
                worker.fill(start, pixels, &interrupt)?;
                let rays = pixels.len() as u64 * u64::from(self.samples);
                progress.set(done.fetch_add(rays, Ordering::Relaxed) + rays);
            }
        };
        let count = machine.threads.count();
        let spent: Vec<Result<_>> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..count).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others =
                others.into_iter().map(|thread| thread.join().expect("a thread that ends"));
            std::iter::once(own).chain(others).collect()
        });
        let spent = spent.into_iter().collect::<Result<Vec<(u64, Duration)>>>()?;
        let time: Duration = spent.iter().map(|(_, time)| *time).sum();
        Ok((spent.iter().map(|(rays, _)| rays).sum(), time / count as u32))
    }

    fn sum_up(&self, summary: &Summary) -> Result<()> {
        match &summary.scale {
            _ if self.json => report::sum_up(summary, String::new, true, &self.output),
            Some(range) if self.shade == Shade::Cost && output::is_standard(&self.output) => {
                report::remark(&range.words());
                Ok(())
            }
            Some(range) if self.shade == Shade::Cost => report::say(&(range.words() + "\n")),
            _ => Ok(()),
        }
    }
}
