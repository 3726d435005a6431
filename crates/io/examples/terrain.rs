//! A terrain as a field of heights and as the mesh of the same triangles: memory, and the time of
//! rays and points on one thread, as docs/guide/practice.md has them.
//!
//! ```sh
//! cargo run --release --example terrain -- 1000 7
//! ```
//!
//! Answers are compared before the clock starts. Times are medians of rounds in turns.

use std::io::Write;
use std::time::Instant;

use lanecast::primitive::HeightField;
use lanecast::{Precision, Ray, RayBatch, Scene, SceneBuilder, SightLines, Threads};
use lanecast_makers::{Beam, Lidar, Pose};
use lanecast_reference::random::Random;

type Failure = Box<dyn std::error::Error>;

/// The distance of neighbours in the grid, in metres.
const SPACING: f64 = 10.0;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |given| given.parse());
    let (size, rounds) = (number(1000)?, number(7)?);
    compare::<f32>("f32", size, rounds, |x| x as f32)?;
    compare::<f64>("f64", size, rounds, |x| x)
}

/// Hills with smaller hills on them, by noise at the corners of coarser and coarser grids.
fn heights(size: usize) -> Vec<f64> {
    let mut heights = vec![0.0; size * size];
    let mut random = Random::new(1);
    let mut step = 128;
    while step > 0 {
        let across = size / step + 2;
        let noise: Vec<f64> = (0..across * across).map(|_| random.unit_f64()).collect();
        for (place, height) in heights.iter_mut().enumerate() {
            let [row, column] = [place / size, place % size];
            let corner =
                |up: usize, right: usize| noise[(row / step + up) * across + column / step + right];
            let [y, x] = [row, column].map(|place| {
                let along = (place % step) as f64 / step as f64;
                along * along * (3.0 - 2.0 * along)
            });
            let (south, north) = (
                corner(0, 0) + x * (corner(0, 1) - corner(0, 0)),
                corner(1, 0) + x * (corner(1, 1) - corner(1, 0)),
            );
            *height += 0.25 * SPACING * step as f64 * (south + y * (north - south));
        }
        step /= 2;
    }
    heights
}

/// The processor's time of this thread in seconds; where the system does not tell it, the time.
fn now(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |time| time * 1e-9)
}

fn compare<T: Precision>(
    precision: &str,
    size: usize,
    rounds: usize,
    of: impl Fn(f64) -> T + Copy,
) -> Result<(), Failure> {
    let start = Instant::now();
    let mut out = std::io::stdout();
    let ground = heights(size);
    let given: Vec<T> = ground.iter().map(|&height| of(height)).collect();
    let vertices: Vec<[T; 3]> = (0..size * size)
        .map(|place| {
            let along = |number: usize| of(number as f64 * SPACING);
            [along(place % size), along(place / size), given[place]]
        })
        .collect();
    let corners: Vec<[u32; 3]> = (0..(size - 1) * (size - 1))
        .flat_map(|cell| {
            let first = (cell / (size - 1) * size + cell % (size - 1)) as u32;
            let (right, left) = (first + 1, first + size as u32);
            [[first, right, left], [left + 1, left, right]]
        })
        .collect();

    let one = &Threads::ONE;
    let before = now(start);
    let field = HeightField::new(&given, [size, size], [of(0.0); 2], [of(SPACING); 2])?;
    let field = SceneBuilder::<T>::default().height_field(field)?.threads(one).build()?;
    let between = now(start);
    let mesh =
        SceneBuilder::<T>::default().triangle_mesh(&vertices, &corners)?.threads(one).build()?;
    let built = [between - before, now(start) - between];
    let cells = ((size - 1) * (size - 1)) as f64;
    let bytes = |scene: &Scene<T>| {
        (scene.statistics().bytes + scene.statistics_of_others().bytes) as f64 / cells
    };
    let of_heights = size_of_val(&given[..]) as f64 / cells;
    writeln!(
        out,
        "{precision}, {size} × {size} heights: {:.1} bytes a cell and {:.1}; built in {:.3} s and {:.3} s",
        bytes(&field) + of_heights,
        bytes(&mesh),
        built[0],
        built[1],
    )?;

    let width = SPACING * (size - 1) as f64;
    let height_at = |x: f64, y: f64| {
        let [column, row] = [x, y].map(|along| ((along / SPACING) as usize).min(size - 1));
        ground[row * size + column]
    };
    // A picture of so many places a side, all over the terrain.
    let side = 800;
    let places: Vec<[f64; 2]> = (0..side * side)
        .map(|place| {
            [place % side, place / side].map(|step| width * (step as f64 + 0.4) / side as f64)
        })
        .collect();
    let mut random = Random::new(2);
    let ray = |origin: [f64; 3], direction: [f64; 3]| Ray::new(origin.map(of), direction.map(of));
    let above: Vec<Ray<T>> =
        places.iter().map(|&[x, y]| ray([x, y, 4000.0], [0.0, 0.0, -1.0])).collect();
    let aslant: Vec<Ray<T>> = (0..side * side)
        .map(|_| {
            let [x, y, a, b] = [0; 4].map(|_| random.unit_f64());
            ray([width * x, width * y, 2000.0], [2.0 * a - 1.0, 2.0 * b - 1.0, -1.0])
        })
        .collect();
    let on_ground =
        |&[x, y]: &[f64; 2], raised: f64| [x, y, height_at(x, y) + SPACING + raised].map(of);
    let sun = |degrees: f64| -> Vec<Ray<T>> {
        let (rise, level) = degrees.to_radians().sin_cos();
        let towards = [0.6 * level, -0.8 * level, rise].map(of);
        places.iter().map(|place| Ray::new(on_ground(place, 0.0), towards)).collect()
    };
    let (high, low) = (sun(60.0), sun(15.0));
    let mast = [on_ground(&[0.5 * width, 0.5 * width], 30.0)];
    let targets: Vec<[T; 3]> = places.iter().map(|place| on_ground(place, 2.0)).collect();
    let sight = SightLines::new(&mast, &targets)?;
    let poses = |x: f64| Pose::standing([x, 0.4 * width, height_at(x, 0.4 * width) + 40.0]);
    let scans: Vec<Ray<T>> = [0.3, 0.6]
        .iter()
        .map(|&part| {
            let lidar = Lidar::new(&Beam::fan(64, [-25.0, 15.0]), 2000)?;
            let lidar = lidar.carried(&[poses(part * width)], 0.0, 0.0, 1)?;
            let rays: RayBatch<'_, f32> = RayBatch::made(&lidar);
            let rays = (0..rays.len()).map(|row| {
                let Ray { origin, direction, .. } = rays.ray(row);
                ray(origin.map(f64::from), direction.map(f64::from))
            });
            Ok(rays.collect::<Vec<_>>())
        })
        .collect::<Result<Vec<_>, Failure>>()?
        .concat();
    let points: Vec<[T; 3]> =
        places.iter().step_by(4).map(|place| on_ground(place, 30.0 * random.unit_f64())).collect();

    type Ask<'a, T> = Box<dyn Fn(&Scene<T>) -> Result<u64, Failure> + 'a>;
    // Sums of the bits of answers.
    let closest = |rays: &'_ [Ray<T>]| -> Ask<'_, T> {
        let rays = rays.to_vec();
        Box::new(move |scene| {
            let hits = scene.cast(&rays).threads(one).closest()?;
            let ids = hits.primitive_id().iter().map(|&id| u64::from(id));
            let t = hits.t().iter().map(|&t| t.to_f64().to_bits());
            Ok(ids.chain(t).fold(0, u64::wrapping_add))
        })
    };
    let any = |rays: &'_ [Ray<T>]| -> Ask<'_, T> {
        let rays = rays.to_vec();
        Box::new(move |scene| {
            let hits = scene.cast(&rays).threads(one).any()?;
            Ok(hits.status().iter().filter(|status| status.is_hit()).count() as u64)
        })
    };
    let asked: [(&str, usize, Ask<'_, T>); 7] = [
        ("rays from above, in order", above.len(), closest(&above)),
        ("the same, in no order and aslant", aslant.len(), closest(&aslant)),
        ("sun, high", high.len(), any(&high)),
        ("sun, low", low.len(), any(&low)),
        (
            "sight from a mast",
            targets.len(),
            Box::new(|scene| {
                let matrix = scene.sight(&sight).threads(one).matrix()?;
                Ok((0..targets.len()).filter(|&target| matrix.sees(0, target)).count() as u64)
            }),
        ),
        ("a laser scanner above the ground", scans.len(), closest(&scans)),
        (
            "closest points",
            points.len(),
            Box::new(|scene| {
                let found = scene.points(&points).threads(one).closest(of(f64::INFINITY))?;
                let distances = found.distance().iter().map(|&t| t.to_f64().to_bits());
                Ok(distances.fold(0, u64::wrapping_add))
            }),
        ),
    ];
    for (what, count, ask) in &asked {
        let (of_field, of_mesh) = (ask(&field)?, ask(&mesh)?);
        // Systems count a processor's time in steps of some milliseconds.
        let repeats = [&field, &mesh].map(|scene| {
            let before = now(start);
            ask(scene).map(|_| (0.25 / (now(start) - before).max(0.004)).ceil() as usize)
        });
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for ((times, scene), repeats) in times.iter_mut().zip([&field, &mesh]).zip(&repeats) {
                let repeats = *repeats.as_ref().map_err(ToString::to_string)?;
                let before = now(start);
                for _ in 0..repeats {
                    ask(scene)?;
                }
                times.push((now(start) - before) / repeats as f64);
            }
        }
        let [field, mesh] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            1e9 * times[times.len() / 2] / *count as f64
        });
        let same = if of_field == of_mesh { "" } else { ", and answers differ" };
        writeln!(
            out,
            "{what:>34}: {field:7.1} ns and {mesh:6.1} ns, {:5.2} times{same}",
            field / mesh
        )?;
    }
    Ok(())
}
