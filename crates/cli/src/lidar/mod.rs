//! `lanecast lidar`: what a laser scanner measures.

mod noise;
mod rows;
mod scan;

use crate::arguments::{not_negative, pair, range, vector};
use crate::failure::{EXIT_CODES, Failure, Result};
use crate::help;
use crate::hit_format::{self, Format};
use crate::mesh::Read;
use crate::numbers;
use crate::output::{Output, Overwriting};
use crate::pace::Clock;
use crate::pipeline::Common;
use crate::rounding::Rounding;
use crate::vector::Vector;
use clap::Args;
use clap::builder::ArgPredicate::IsPresent;
use lanecast_io::{is_moved_too_far, moved_by_rounding};
use lanecast_makers::{Beam, Lidar, Pose, Prism, Shot};
use noise::{Noise, Reflectances, Returns};
use scan::Scan;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = help::short("lidar", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    /// What is measured, a row for each point
    ///
    /// As ply, pcd, las, laz, npz, csv, parquet, Arrow IPC (arrow, feather, ipc; arrows for the
    /// stream), or - for standard output; or the points alone, as xyz.
    #[arg(short, long, value_name = "POINTS")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// The format of the output
    ///
    /// Whatever the extension says; unless given, the extension's, and csv on standard output.
    #[arg(long, value_name = "FORMAT", value_parser = hit_format::named_or(&CLOUDS))]
    format: Option<Format>,
    /// How many beams there are, one above the other
    ///
    /// With --swath or --prism 1 unless given.
    #[arg(long, value_name = "N", default_value_t = 32, default_value_ifs = ONE_BEAM, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    beams: u32,
    /// Elevations of the lowest and highest beam
    ///
    /// In degrees. With --swath or --prism 0,0 unless given.
    #[arg(long, value_name = "LOW,HIGH", default_value = "-25,15", default_value_ifs = LEVEL, value_parser = pair, allow_hyphen_values = true)]
    elevations: [f64; 2],
    /// The beams instead, from a csv file
    ///
    /// With the columns elevation and azimuth, in degrees, and if you like delay, how long after
    /// the others of its firing a beam is fired, in seconds.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["beams", "elevations"])]
    beam_table: Option<PathBuf>,
    /// Firings of all beams in a turn
    #[arg(long, value_name = "N", default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Azimuths between which it fires
    ///
    /// In degrees, clockwise from y (north) seen from above: 350,370 is a sector around north. From
    /// a greater to a lesser it turns counter-clockwise.
    #[arg(long, value_name = "FROM,TO", default_value = "0,360", value_parser = pair, allow_hyphen_values = true)]
    sector: [f64; 2],
    /// Lines straight down across y instead, as a polygon mirror scans them below an aircraft that
    /// flies along y
    ///
    /// Each turn is a line between two angles, in degrees from straight down, positive to the
    /// right (x): of --steps pulses, in --turn-seconds, or in the part DUTY of them from 0 to 1
    /// while the mirror turns on in the rest. Elevations of beams look ahead.
    #[arg(
        long,
        value_name = "FROM,TO[,DUTY]",
        value_parser = swath,
        allow_hyphen_values = true,
        conflicts_with = "sector",
        hide_short_help = true
    )]
    swath: Option<[f64; 3]>,
    /// A prism that rotates about y and bends beams, which go along y; two or more make a rosette
    ///
    /// Degrees by which it bends them, turns a second, counter-clockwise as the scanner looks, and
    /// if you like where it begins, in degrees from x towards z. Deflections add up; the field of
    /// view is twice their sum. Prisms turn on from turn to turn, which hence differ.
    #[arg(
        long,
        value_name = "DEGREES,RATE[,PHASE]",
        value_parser = prism,
        allow_hyphen_values = true,
        conflicts_with_all = ["sector", "swath"],
        hide_short_help = true
    )]
    prism: Vec<[f64; 3]>,
    /// The shots of a turn, one by one, from a csv file
    ///
    /// With the columns azimuth and elevation, in degrees, and if you like time, in seconds after
    /// the turn begins (evenly within it unless given), and beam, a number. They are fired in the
    /// order of the file.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["beams", "elevations", "beam_table", "steps", "sector", "swath", "prism"],
        hide_short_help = true
    )]
    pattern: Option<PathBuf>,
    /// Where the scanner stands, upright
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, required_unless_present = "poses")]
    at: Option<Vector>,
    /// Where it is over time, from a csv file
    ///
    /// With the columns time, x, y, z and, unless it stands upright, the quaternion qx, qy, qz, qw
    /// from the scanner's axes to the mesh's.
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    poses: Option<PathBuf>,
    /// How far it moves in a second, while it turns
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, conflicts_with = "poses", hide_short_help = true)]
    velocity: Option<Vector>,
    /// How far it turns in a second beside its turns, in degrees, counter-clockwise seen from
    /// above, as a vehicle in a curve
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        allow_hyphen_values = true,
        conflicts_with = "poses",
        hide_short_help = true
    )]
    yaw_rate: f64,
    /// When it fires first, in seconds
    ///
    /// At the first of the poses unless given.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, requires = "poses")]
    start: Option<f64>,
    /// How long a turn takes, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = seconds, allow_hyphen_values = true)]
    turn_seconds: f64,
    /// How many turns it makes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// The nearest and farthest that it measures
    ///
    /// Both included; the farthest may be inf, and everything is measured unless given.
    #[arg(long, value_name = "NEAR,FAR", value_parser = range)]
    range: Option<[f64; 2]>,
    /// Also write a row for each pulse that measures nothing, with distance inf, intensity 0, ids
    /// -1, incidence and x y z NaN; las and laz have no place for these
    #[arg(long, hide_short_help = true)]
    misses: bool,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    noise: Noise,
}

fn after_help() -> String {
    format!(
        "\
Rows are those of points: x y z distance time beam azimuth pulse return_number return_count
incidence intensity primitive_id geometry_id instance_id status. Pulses are numbered firing after
firing, and in each from the first beam to the last; time is in seconds, azimuth in degrees in the
scanner's axes, of a --swath the angle from straight down, and ids are those of lanecast cast. Returns
of a pulse are numbered from 1, also where not all are written. Incidence is the angle with the normal
in degrees, 0 head-on. Intensity is the power that came back: the share of the beam's energy *
reflectance * cos(incidence) * (reference range / distance)^2, summed over all that the beam meets for
this return; without a --reference-range the last factor is left out.

In ply a row is a vertex, with a property for each column, in pcd a point with a field; pulse is a
double there, status a number, and pcd calls beam ring. las and laz are of version 1.4, point format
6: time is the GPS time, intensity is 65,535 for 1 and all above, and all other columns are extra
dimensions, beam as ring, and the intensity as it is as exact_intensity. xyz has x y z alone. Beams
are made while they are cast, so they need not fit into memory; of a --pattern only its shots do.

A scanner that moves fires each beam from where it is then: by --poses, or by --velocity and
--yaw-rate. The delays of a beam table are part of that.

Examples:
  lanecast lidar terrain.ply -o scan.ply --at 5000,5000,450
  lanecast lidar street.glb -o scan.npz --beam-table vlp16.csv --poses path.csv
  lanecast lidar mesh.stl -o - --at 0,0,2 --beams 16 --steps 360 --range 0.5,100 | head
  lanecast lidar hall.glb -o scan.npz --at 0,0,1 --prism 10,97.3 --prism 10,-61.7 --steps 20000 --turns 10
  lanecast lidar terrain.ply -o scan.laz --at 0,0,900 --swath -30,30 --velocity 0,60,0 --turn-seconds 0.01 --turns 900
  lanecast lidar wood.ply -o scan.ply --at 0,0,2 --range-noise 0.02 --divergence 3 --resolution 0.6 --returns all

{EXIT_CODES}"
    )
}

/// What goes down or through prisms is usually one beam.
const ONE_BEAM: [(&str, clap::builder::ArgPredicate, &str); 2] =
    [("swath", IsPresent, "1"), ("prism", IsPresent, "1")];
const LEVEL: [(&str, clap::builder::ArgPredicate, &str); 2] =
    [("swath", IsPresent, "0,0"), ("prism", IsPresent, "0,0")];

/// Reads three numbers, of which the last may be missing.
fn three(text: &str, last: &str) -> Option<[f64; 3]> {
    let is_short = text.matches(',').count() == 1;
    vector(&if is_short { format!("{text},{last}") } else { text.to_owned() }).ok()
}

fn swath(text: &str) -> Result<[f64; 3], String> {
    three(text, "1").filter(|&[.., duty]| duty > 0.0 && duty <= 1.0).ok_or_else(|| {
        "expected two angles, and perhaps a part above 0 and at most 1, as in -30,30 or -30,30,0.5"
            .to_owned()
    })
}

fn prism(text: &str) -> Result<[f64; 3], String> {
    three(text, "0").ok_or_else(|| {
        "expected degrees, turns a second and perhaps a phase, as in 10,97.3 or 10,97.3,90"
            .to_owned()
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    not_negative(text, f64::MAX, "0.1")
}

/// The formats of points.
const CLOUDS: [&str; 5] = ["ply", "pcd", "xyz", "las", "laz"];

/// The tables of beams, of shots, of poses and of reflectances, if there are files of them.
struct Tables {
    beams: Option<numbers::Table<3>>,
    pattern: Option<numbers::Table<4>>,
    poses: Option<numbers::Table<8>>,
    reflectances: Option<Reflectances>,
}

impl Tables {
    /// The columns that are not read: of beams or shots, of poses, and of reflectances.
    fn ignored(&self) -> [Vec<String>; 3] {
        let of_beams = self.beams.as_ref().map(|table| table.ignored.clone());
        let of_pattern = || self.pattern.as_ref().map(|table| table.ignored.clone());
        let of_poses = self.poses.as_ref().map(|table| table.ignored.clone());
        let of_surfaces = self.reflectances.as_ref().map(|table| table.ignored().to_vec());
        [of_beams.or_else(of_pattern), of_poses, of_surfaces].map(Option::unwrap_or_default)
    }

    /// Where the scanner is, standing unless there are poses.
    fn path(&self, at: Option<[f64; 3]>) -> Vec<Pose> {
        let Some(table) = &self.poses else { return vec![Pose::standing(at.unwrap_or_default())] };
        let pose = |&[time, x, y, z, qx, qy, qz, qw]: &[f64; 8]| Pose {
            time,
            position: [x, y, z],
            rotation: [qx, qy, qz, qw],
        };
        table.rows.iter().map(pose).collect()
    }
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let mut clock = Clock::start();
        let machine = self.common.subject.machine.meaning()?;
        let of_beams = self.beam_table.as_deref().or(self.pattern.as_deref());
        let files = [of_beams, self.poses.as_deref(), self.noise.table()];
        let inputs: Vec<_> =
            std::iter::once(self.common.mesh()).chain(files.into_iter().flatten()).collect();
        let output = Output { path: &self.output, inputs: &inputs, overwriting: self.overwriting };
        let format = hit_format::of_or(&output, self.format, &CLOUDS)?;
        let cloud = if let Format::Own(name) = format { name } else { "" };
        self.common.labels.expect_ids(cloud != "xyz", "formats with columns")?;
        if self.misses && ["xyz", "las", "laz"].contains(&cloud) {
            let problem = format!("{cloud} has no place for what is not measured");
            return Err(Failure::about("--misses", problem));
        }
        if cloud == "xyz" && matches!(self.noise.returns, Returns::All) {
            let problem = "a file of points alone does not say which return each is";
            return Err(Failure::about("--returns all", problem));
        }
        let range = self.range()?;
        let tables = self.tables()?;
        let path = tables.path(self.at);
        let (lidar, receiver) = (self.lidar(&tables, &path)?, self.noise.receiver()?);
        let ignored = tables.ignored();
        for (table, ignored) in files.into_iter().zip(&ignored) {
            table.iter().for_each(|path| self.common.name_ignored(path, ignored, &self.output));
        }
        let moved = moved_by_rounding::<f32>(path.iter().flat_map(|pose| pose.position));
        let needs_f64 = |size| Ok(is_moved_too_far(moved, size));
        let scan = Scan {
            format,
            range,
            lidar: &lidar,
            receiver: &receiver,
            reflectances: tables.reflectances.as_ref(),
            machine: &machine,
            ignored,
        };
        match clock.reading(|| self.common.subject.read(needs_f64))? {
            Read::F32(meshes) => {
                let place = self.poses.as_deref().unwrap_or(Path::new("--at"));
                Rounding::new(place, &meshes).look(moved);
                self.scan(scan, meshes, clock)
            }
            Read::F64(meshes) => self.scan(scan, meshes, clock),
        }
    }

    fn tables(&self) -> Result<Tables> {
        let beams = |path| numbers::read(path, ["elevation", "azimuth", "delay"], 1);
        let pattern = |path| numbers::read(path, ["azimuth", "elevation", "time", "beam"], 2);
        Ok(Tables {
            beams: self.beam_table.as_deref().map(beams).transpose()?,
            pattern: self.pattern.as_deref().map(pattern).transpose()?,
            poses: self.poses.as_deref().map(Self::poses).transpose()?,
            reflectances: self.noise.reflectances()?,
        })
    }

    /// The poses of a file, upright without quaternions.
    fn poses(file: &Path) -> Result<numbers::Table<8>> {
        let columns = ["time", "x", "y", "z", "qx", "qy", "qz", "qw"];
        let mut table = numbers::read(file, columns, 4)?;
        let missing = (4..8).find(|&place| !table.given[place]);
        if let (Some(missing), true) = (missing, table.given[4..].contains(&true)) {
            let problem = format!("there is no column \"{}\" of the quaternion", columns[missing]);
            return Err(Failure::about(file.display(), problem));
        }
        if missing.is_some() {
            table.rows.iter_mut().for_each(|row| row[7] = 1.0);
        }
        Ok(table)
    }

    /// The shots of a table.
    fn shots(&self, file: &Path, table: &numbers::Table<4>) -> Result<Vec<Shot>> {
        let shot = |(&[azimuth, elevation, time, beam], line): (&[f64; 4], &usize)| {
            // Numbers of beams are written as `i32`.
            let most = f64::from(i32::MAX);
            if !((0.0..=most).contains(&beam) && beam.fract() == 0.0) {
                let problem = format!("{beam} is no whole number from 0 to {most}");
                let place = format!("line {line}: column \"beam\": ");
                return Err(Failure::about(file.display(), place + &problem));
            }
            Ok(Shot { time, azimuth, elevation, beam: beam as u32 })
        };
        let mut shots =
            table.rows.iter().zip(&table.lines).map(shot).collect::<Result<Vec<_>>>()?;
        if let [_, _, false, _] = table.given {
            Shot::spread(&mut shots, self.turn_seconds);
        }
        Ok(shots)
    }

    fn lidar(&self, tables: &Tables, poses: &[Pose]) -> Result<Lidar> {
        let Tables { beams: beam_table, pattern, poses: pose_table, .. } = tables;
        let lidar = match (&self.pattern, pattern) {
            (Some(file), Some(table)) => Lidar::from_pattern(&self.shots(file, table)?),
            _ => {
                let beam =
                    |&[elevation, azimuth, delay]: &[f64; 3]| Beam { elevation, azimuth, delay };
                let beams: Vec<Beam> = match beam_table {
                    Some(table) => table.rows.iter().map(beam).collect(),
                    None => Beam::fan(self.beams, self.elevations),
                };
                Lidar::new(&beams, self.steps).and_then(|lidar| match self.swath {
                    Some([from, to, duty]) => lidar.swath([from, to], duty),
                    None => lidar.sector(self.sector),
                })
            }
        };
        let start = self.start.or(poses.first().map(|pose| pose.time)).unwrap_or_default();
        let lidar = lidar.and_then(|lidar| {
            let lidar = lidar.carried(poses, start, self.turn_seconds, self.turns)?;
            let prism = |&[deflection, rate, phase]: &[f64; 3]| Prism { deflection, rate, phase };
            let prisms: Vec<Prism> = self.prism.iter().map(prism).collect();
            let lidar = if prisms.is_empty() { lidar } else { lidar.prisms(&prisms)? };
            if self.poses.is_some() {
                return Ok(lidar);
            }
            lidar.moving(self.velocity.unwrap_or_default(), self.yaw_rate)
        });
        let line = |field: &str, row: usize| match field {
            "beams" => beam_table.as_ref().map(|table| table.lines[row]),
            "pattern" => pattern.as_ref().map(|table| table.lines[row]),
            "poses" => pose_table.as_ref().map(|table| table.lines[row]),
            _ => None,
        };
        let lidar = lidar.map_err(|error| match error {
            lanecast::Error::UnusableRow { maker, field, row, problem } => {
                let place =
                    line(field, row).map_or_else(String::new, |line| format!("line {line}: "));
                lanecast::Error::UnusableRow { maker, field, row, problem: place + &problem }
            }
            other => other,
        });
        let file = |path: &Option<PathBuf>, option: &str| {
            path.as_ref().map_or_else(|| option.to_owned(), |path| path.display().to_string())
        };
        let typed = [
            ("beams", file(&self.beam_table, "--elevations")),
            ("pattern", file(&self.pattern, "--pattern")),
            ("prisms", "--prism".to_owned()),
            ("swath", "--swath".to_owned()),
            ("poses", file(&self.poses, "--at")),
            ("steps", "--steps".to_owned()),
            ("start", "--start".to_owned()),
            ("seconds", "--turn-seconds".to_owned()),
            ("turns", "--turns".to_owned()),
            ("velocity", "--velocity".to_owned()),
            ("yaw_rate", "--yaw-rate".to_owned()),
        ];
        lidar.map_err(|error| Failure::of_maker(error, &typed))
    }

    fn range(&self) -> Result<[f64; 2]> {
        let [near, far] = self.range.unwrap_or([0.0, f64::INFINITY]);
        if !(0.0 <= near && near <= far) {
            return Err(Failure::about("--range", "the nearest must be from 0 to the farthest"));
        }
        if (near as f32).is_infinite() {
            return Err(Failure::about("--range", "the nearest is beyond what f32 holds, 3.4e38"));
        }
        Ok([near, far])
    }
}
