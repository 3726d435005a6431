//! Who is seen by whom on the shipped terrain: a map of how many of some watchtowers see each
//! place.
//!
//! ```sh
//! cargo run --release --example line_of_sight -- sight.png 800 24
//! ```

mod support;

use std::path::PathBuf;

use lanecast::{RayBatch, Scene, SightLines};

use support::{arguments, wrote};

type Vector = [f32; 3];
type Failure = Box<dyn std::error::Error>;

/// How high above the ground a tower's eyes are, and what they look for, in metres.
const TOWER: f32 = 20.0;
const PERSON: f32 = 1.7;

fn main() -> Result<(), Failure> {
    let usage = "line_of_sight [PICTURE.png] [WIDTH] [TOWERS]";
    let ([_, width, towers], path) = arguments(usage, ["line_of_sight.png", "800", "24"]);
    let (width, towers): (u32, usize) = (width.parse()?, towers.parse()?);

    let terrain = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/jacksboro.ply");
    let meshes = lanecast_io::read_model(&terrain)?.meshes;
    let scene = Scene::from_triangles(&meshes[0].vertices, &meshes[0].triangles)?;
    let map = Map::of(&scene, width)?;

    let observers: Vec<Vector> =
        map.summits(towers).iter().map(|&place| raised(map.ground[place], TOWER)).collect();
    // Places beyond the terrain have no ground: they are asked about all the same, and drawn as
    // nothing.
    let targets: Vec<Vector> = map.ground.iter().map(|&ground| raised(ground, PERSON)).collect();
    let lines = SightLines::new(&observers, &targets)?;
    let start = std::time::Instant::now();
    let sight = scene.sight(&lines).matrix()?;
    let seconds = start.elapsed().as_secs_f64();
    let count = observers.len() * targets.len();
    eprintln!(
        "{count} lines in {seconds:.2} s, {:.1} million a second",
        count as f64 / seconds / 1e6
    );

    if let Some(&hidden) = map.land.iter().find(|&&place| !sight.sees(0, place)) {
        let hit = scene
            .sight(&lines)
            .first_obstacle(0, hidden)?
            .ok_or("a broken line is broken somewhere")?;
        let [x, y, z] = observers[0];
        let part = 100.0 * hit.t;
        eprintln!(
            "from ({x:.0}, {y:.0}, {z:.0}) the view of place {hidden} ends after {part:.0}% of the way"
        );
    }
    let seen: Vec<usize> = (0..targets.len())
        .map(|place| (0..observers.len()).filter(|&observer| sight.sees(observer, place)).count())
        .collect();
    lanecast_io::write_png(&path, map.width, map.height, &map.picture(&seen, &observers))?;
    wrote(&path);
    Ok(())
}

fn raised([x, y, z]: Vector, by: f32) -> Vector {
    [x, y, z + by]
}

/// The ground below each pixel of a map that has north at the top.
struct Map {
    width: u32,
    height: u32,
    ground: Vec<Vector>,
    /// How bright the ground is, by its slope towards the light.
    light: Vec<f32>,
    /// The pixels that have ground below them.
    land: Vec<usize>,
}

impl Map {
    fn of(scene: &Scene, width: u32) -> Result<Self, Failure> {
        let bounds = scene.bounds();
        let size: Vector = std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis]);
        let pixel = size[0] / width as f32;
        let height = (size[1] / pixel).ceil().max(1.0) as u32;
        let above: Vec<Vector> = (0..width * height)
            .map(|place| {
                let [x, y] = [place % width, place / width].map(|at| (at as f32 + 0.5) * pixel);
                [bounds.min[0] + x, bounds.max[1] - y, bounds.max[2] + 1.0]
            })
            .collect();
        let rays = RayBatch::from_points(&above, [0.0, 0.0, -1.0]);
        let hits = scene.cast(&rays).geometric_normals(true).closest()?;
        let land = (0..above.len()).filter(|&place| hits.status()[place].is_hit()).collect();
        let fall = |place: usize| {
            if hits.status()[place].is_hit() { hits.t()[place] } else { size[2] + 1.0 }
        };
        let ground = (0..above.len()).map(|place| raised(above[place], -fall(place))).collect();
        let light = hits.geometric_normal().iter().map(|normal| {
            let [x, y, z] = *normal;
            let length = (x * x + y * y + z * z).sqrt().max(f32::MIN_POSITIVE);
            ((-0.5 * x + 0.5 * y + 0.7 * z).abs() / length).clamp(0.2, 1.0)
        });
        Ok(Self { width, height, ground, light: light.collect(), land })
    }

    /// The highest pixels, none within an eighth of the map's width of another.
    fn summits(&self, count: usize) -> Vec<usize> {
        let mut places = self.land.clone();
        places.sort_by(|&a, &b| self.ground[b][2].total_cmp(&self.ground[a][2]));
        let apart = (self.width / 8).max(2);
        let mut summits: Vec<usize> = Vec::new();
        for place in places {
            let at = |place: usize| [place as u32 % self.width, place as u32 / self.width];
            let is_far = |&other: &usize| {
                let ([x, y], [u, v]) = (at(place), at(other));
                x.abs_diff(u) + y.abs_diff(v) >= apart
            };
            if summits.iter().all(is_far) {
                summits.push(place);
            }
            if summits.len() == count {
                break;
            }
        }
        summits
    }

    /// Grey where nobody looks, from blue for one tower to yellow for most; the towers themselves
    /// in white.
    fn picture(&self, seen: &[usize], observers: &[Vector]) -> Vec<u8> {
        let most = seen.iter().copied().max().unwrap_or(0).max(2);
        let mut bytes = vec![0; 3 * seen.len()];
        for &place in &self.land {
            let color: Vector = match seen[place] {
                0 => [95.0, 95.0, 95.0],
                count => {
                    let share = (count - 1) as f32 / (most - 1) as f32;
                    [40.0 + 215.0 * share, 90.0 + 140.0 * share, 190.0 - 150.0 * share]
                }
            };
            for (byte, color) in bytes[3 * place..3 * place + 3].iter_mut().zip(color) {
                *byte = (color * self.light[place]) as u8;
            }
        }
        for observer in observers {
            let is_near = |&&place: &&usize| {
                let [x, y, _] = self.ground[place];
                let pixel = (self.ground[1][0] - self.ground[0][0]).abs();
                (x - observer[0]).abs().max((y - observer[1]).abs()) < 3.5 * pixel
            };
            for &place in self.land.iter().filter(is_near) {
                bytes[3 * place..3 * place + 3].fill(255);
            }
        }
        bytes
    }
}
