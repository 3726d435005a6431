//! Which rays are verified: those of a file, or as many of them as there is time for, or rays made at random.

use super::place::Place;
use crate::failure::Result;
use crate::rays::{Random, center, diagonal, ray};
use crate::vector::{Vector, add, from_f32, scale, sub, to_f32};
use lanecast::io::{Mesh, RayChunk, RayReader};
use lanecast::{Aabb, Ray};

/// A ray and the name that a difference calls it by: its id in the file, or its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Named {
    pub(super) id: i64,
    pub(super) ray: Ray,
}

/// Takes at most so many rays of a file, each with the same chance, in their order; and says how many there are.
///
/// Vitter, "Random Sampling with a Reservoir", ACM Transactions on Mathematical Software 11(1), 1985.
pub(super) fn of_file(mut reader: RayReader, most: usize, seed: u64) -> Result<(Vec<Named>, u64)> {
    const CHUNK: usize = 1 << 16;
    let mut random = Random::new(seed);
    let (mut taken, mut seen) = (Vec::new(), 0_u64);
    let mut chunk = RayChunk::default();
    while reader.next_chunk(CHUNK, &mut chunk)? {
        for (index, &ray) in chunk.rays.iter().enumerate() {
            let named = (seen, Named { id: chunk.ids().get(index), ray });
            seen += 1;
            if taken.len() < most {
                taken.push(named);
                continue;
            }
            let place = random.below(seen as usize);
            if place < most {
                taken[place] = named;
            }
        }
    }
    taken.sort_unstable_by_key(|&(row, _)| row);
    Ok((taken.into_iter().map(|(_, named)| named).collect(), seen))
}

/// Rays at the insides, the edges and the vertices of triangles, a third each: from anywhere around, from other
/// vertices, and along the axes; with and without ends. Each is so as one of the places sees it.
pub(super) fn aimed(meshes: &[Mesh], places: &[Place], bounds: &Aabb, count: usize, seed: u64) -> Vec<Named> {
    let mut random = Random::new(seed);
    let filled: Vec<&Mesh> = meshes.iter().filter(|mesh| !mesh.triangles.is_empty()).collect();
    let make = |id: usize| {
        let ray = aim(&filled, bounds, id, &mut random);
        // Three in a row are of different kinds.
        Named { id: id as i64, ray: places[id / 3 % places.len()].shows(&ray) }
    };
    (0..count).map(make).collect()
}

fn aim(meshes: &[&Mesh], bounds: &Aabb, number: usize, random: &mut Random) -> Ray {
    let mesh = meshes[random.below(meshes.len())];
    let triangle = mesh.triangles[random.below(mesh.triangles.len())];
    let [a, b, c] = triangle.map(|vertex| from_f32(mesh.vertices[vertex as usize]));
    let [u, v] = match number % 3 {
        0 => [0.0, 0.0],
        1 => [if random.below(2) == 0 { 0.5 } else { random.unit() }, 0.0],
        _ => {
            let u = random.unit();
            [u, random.unit() * (1.0 - u)]
        }
    };
    let target = add(a, add(scale(sub(b, a), u), scale(sub(c, a), v)));
    // Rounded as the ray will be: along an axis it goes through just this point.
    let target = from_f32(to_f32(target));
    // A mesh may be so small that what leads from point to point is too short to be a direction.
    let lengthened = if diagonal(bounds) < 1e-20 { (1_u128 << 100) as f64 } else { 1.0 };
    let ray = match random.below(4) {
        0 => {
            let axis = random.below(3);
            let mut direction = [0.0; 3];
            direction[axis] = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let away = diagonal(bounds) * random.unit();
            ray(sub(target, scale(direction, away)), direction)
        }
        1 => {
            let origin = from_f32(mesh.vertices[random.below(mesh.vertices.len())]);
            ray(origin, scale(sub(target, origin), lengthened))
        }
        _ => {
            let origin = around(bounds, random);
            ray(origin, scale(sub(target, origin), lengthened))
        }
    };
    match random.below(6) {
        0 => ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
        // `t` is that at the target where the ray was aimed from afar: it ends about there.
        1 => ray.with_interval(0.0, (1.0 / lengthened) as f32),
        2 => ray.with_interval(random.unit() as f32, f32::INFINITY),
        _ => ray,
    }
}

/// Somewhere in a box of twice the size.
fn around(bounds: &Aabb, random: &mut Random) -> Vector {
    let middle = center(bounds);
    std::array::from_fn(|axis| {
        let side = f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
        middle[axis] + side.max(0.1 * diagonal(bounds)) * (2.0 * random.unit() - 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(rays: usize) -> RayReader {
        let rows: String = (0..rays).map(|row| format!("{row},0,0,0,0,1\n")).collect();
        let text = format!("ox,oy,oz,dx,dy,dz\n{rows}");
        RayReader::from_reader("rays", std::io::Cursor::new(text)).expect("a table")
    }

    #[test]
    fn few_rays_of_a_file_are_all_taken_and_of_many_some_in_their_order() {
        let (all, seen) = of_file(file(100), 100, 1).expect("rays");
        assert_eq!((all.len(), seen), (100, 100));
        let (some, seen) = of_file(file(1000), 100, 1).expect("rays");
        assert_eq!((some.len(), seen), (100, 1000));
        assert!(some.iter().all(|named| named.ray.origin[0] == named.id as f32));
        assert!(some.is_sorted_by(|a, b| a.id < b.id) && some[90].id > 500, "{some:?}");
        assert_eq!(of_file(file(1000), 100, 1).expect("rays").0, some);
        assert_ne!(of_file(file(1000), 100, 2).expect("rays").0, some);
    }
}
