//! How often closed surfaces go around a point: a ray from it leaves them so much more often than
//! it enters them.

use crate::brute_force::cast;
use crate::vector::{Vector, cross, dot, length, minus};
use crate::world::World;
use lanecast::{Ray, Side};
use std::collections::BTreeMap;

/// Any will do; the second and third where rounding decides something along those before.
const DIRECTIONS: [[f32; 3]; 3] =
    [[0.267, 0.534, 0.802], [-0.61, 0.27, -0.74], [0.35, -0.83, 0.43]];

/// How often each geometry, by the ids of its instance and its own, goes around a point; those that
/// are not named do not. `None` where it is too close to one to tell.
pub fn windings(world: &World<'_>, point: [f32; 3]) -> Option<BTreeMap<[u32; 2], i32>> {
    DIRECTIONS.iter().find_map(|&direction| {
        let expected = cast(world, &Ray::new(point, direction));
        assert_eq!(expected.defect, None, "{point:?}");
        let mut windings: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for meeting in expected.meetings {
            if !meeting.is_certain {
                return None;
            }
            let out = if meeting.passage.side == Side::Back { 1 } else { -1 };
            let ids = [meeting.instance_id, meeting.geometry_id];
            *windings.entry(ids).or_default() += if meeting.passage.crosses { out } else { 0 };
        }
        Some(windings)
    })
}

/// How often all of them together go around a point.
pub fn winding(world: &World<'_>, point: [f32; 3]) -> Option<i32> {
    windings(world, point).map(|windings| windings.values().sum())
}

/// The solid angle of a triangle as seen from a point, above 0 where it shows its back.
///
/// Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", IEEE Transactions on
/// Biomedical Engineering, 1983.
pub fn solid_angle(corners: [Vector; 3], point: Vector) -> f64 {
    let [a, b, c] = corners.map(|corner| minus(corner, point));
    let [la, lb, lc] = [length(a), length(b), length(c)];
    let volume = dot(a, cross(b, c));
    let around = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * volume.atan2(around)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshes::{self, Mesh};
    use crate::random::Random;
    use crate::vector::vector;

    #[test]
    fn windings_are_what_solid_angles_add_up_to() {
        let reversed = |mesh: Mesh| Mesh {
            triangles: mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
            ..mesh
        };
        let all = [
            meshes::tessellated_box(3),
            meshes::icosphere(2, 1.5),
            reversed(meshes::icosphere(1, 0.5)),
            meshes::icosphere(1, 0.7).moved([0.9, 0.0, 0.0]),
        ];
        let world =
            World::of_meshes(all.iter().map(|mesh| (&mesh.vertices[..], &mesh.triangles[..])));
        let random = &mut Random::new(1);
        let (mut held, mut around) = (0, 0);
        for number in 0..1_000 {
            // On a lattice as often as not, where rays along diagonals run through edges.
            let lattice =
                |random: &mut Random| [(); 3].map(|()| random.below(33) as f32 * 0.125 - 2.0);
            let point = if number % 2 == 0 { random.point(-2.0, 2.0) } else { lattice(random) };
            let Some(found) = windings(&world, point) else { continue };
            for (geometry_id, mesh) in (0..).zip(&all) {
                let angles = (0..mesh.triangles.len())
                    .map(|place| solid_angle(mesh.corners(place).map(vector), vector(point)));
                let whole = angles.sum::<f64>() / (2.0 * std::f64::consts::TAU);
                let winding = found.get(&[lanecast::INVALID_ID, geometry_id]).copied().unwrap_or(0);
                assert!((whole - f64::from(winding)).abs() < 1e-3, "{point:?}: {whole}, {found:?}");
                around += usize::from(winding != 0);
            }
            held += 1;
        }
        assert!(held > 950 && around > 200, "{held} held, {around} around");
    }
}
