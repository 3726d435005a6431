//! The Rust side of `overhead.py`: casts the rays of a file at a scene of a file, and prints how
//! long it took, whenever a line of standard input asks for it.
#![expect(clippy::print_stdout, reason = "it is a program")]

use lanecast::answers::{AnyHitBatch, HitBatch};
use lanecast::columns::Strided;
use lanecast::{RayBatch, Scene, Threads};
use std::io::{BufRead, Write};
use std::time::Instant;

type Problem = Box<dyn std::error::Error>;

fn main() -> Result<(), Problem> {
    let [scene, rays] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "SCENE RAYS")?;
    let scene: Scene = Scene::open(scene)?;
    // Rows of six f32.
    let numbers: Vec<f32> = std::fs::read(rays)?
        .chunks_exact(4)
        .map(|x| f32::from_le_bytes([x[0], x[1], x[2], x[3]]))
        .collect();
    let (mut hits, mut any) = (HitBatch::new(), AnyHitBatch::new());
    for line in std::io::stdin().lock().lines() {
        // query, how answers are kept, rays, calls
        let line = line?;
        let words: Vec<_> = line.split(' ').collect();
        let [query, kept, rows, calls] = words[..] else {
            return Err("four words were expected".into());
        };
        let (rows, calls): (usize, usize) = (rows.parse()?, calls.parse()?);
        let column = |place| Strided::every(&numbers, place, 6, rows);
        let vector = |first| -> lanecast::Result<_> {
            Ok([column(first)?, column(first + 1)?, column(first + 2)?])
        };
        let threads = if rows > 1 << 15 { Threads::ALL } else { Threads::ONE };
        let mut seconds = Vec::with_capacity(calls);
        for _ in 0..calls {
            let start = Instant::now();
            let rays = RayBatch::from_strided(vector(0)?, vector(3)?)?;
            let cast = scene.cast(&rays).threads(&threads);
            match (query, kept) {
                ("closest", "new") => hits = std::hint::black_box(cast.closest()?),
                ("closest", _) => cast.closest_into(&mut hits)?,
                ("any", "new") => any = std::hint::black_box(cast.any()?),
                _ => cast.any_into(&mut any)?,
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
        seconds.sort_by(f64::total_cmp);
        let found = if query == "closest" { hits.status() } else { any.status() };
        let found = found.iter().filter(|status| status.is_hit()).count();
        println!("{} {found}", seconds[calls / 2]);
        std::io::stdout().flush()?;
    }
    Ok(())
}
