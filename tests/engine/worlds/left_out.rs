//! What rays leave out: by masks of geometries and instances, by sides, what they start on, and
//! what a filter refuses.

use crate::common::answers::Answers;
use crate::common::backends::same_on_every_backend;
use crate::worlds::answers::hold_row;
use crate::worlds::{RAYS, worlds};
use lanecast::{CastOptions, Contact, Culling, Hit, INVALID_ID, Ray, RayBatch, Scene, Side};
use lanecast_reference::known::{Known, Tally};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::world_rays::rays_at;

/// Columns of what each ray leaves out.
struct Left {
    masks: Vec<u32>,
    culling: Vec<Culling>,
    /// Instance, geometry and primitive.
    skipped: [Vec<u32>; 3],
}

impl Left {
    /// Of these only, by the bits of `which`: masks, sides, what is skipped.
    fn drawn(which: u64, scene: &Scene, rays: &[Ray], random: &mut Random) -> Self {
        let has = |bit: u32| which >> bit & 1 == 1;
        let skipped: Vec<Hit> = rays
            .iter()
            .map(|ray| {
                // What it meets first, or what another does.
                let ray = if random.below(4) == 0 { &rays[random.below(rays.len())] } else { ray };
                let first = scene.cast(ray).closest().expect("sound").filter(|_| has(2));
                first.unwrap_or(Hit::NONE)
            })
            .collect();
        let mask = |random: &mut Random| random.pick(&[0b001, 0b010, 0b100, 0b110, u32::MAX, 0]);
        let side =
            |random: &mut Random| random.pick(&[Culling::None, Culling::Back, Culling::Front]);
        Self {
            masks: rays.iter().map(|_| if has(0) { mask(random) } else { u32::MAX }).collect(),
            culling: rays
                .iter()
                .map(|_| if has(1) { side(random) } else { Culling::None })
                .collect(),
            skipped: [
                skipped.iter().map(|hit| hit.instance_id).collect(),
                skipped.iter().map(|hit| hit.geometry_id).collect(),
                skipped.iter().map(|hit| hit.primitive_id).collect(),
            ],
        }
    }

    fn options(&self) -> CastOptions<'_> {
        let [instances, geometries, primitives] = &self.skipped;
        let options =
            CastOptions::new().geometric_normals(true).mask(&self.masks).culling(&self.culling);
        options.skip(geometries, primitives).skip_in(instances)
    }

    /// Whether a ray may meet a thing from that side.
    fn lets_pass(&self, row: usize, known: &Known<'_>, thing: usize, side: Side) -> bool {
        let seen = known.world.things[thing].masks.iter().all(|mask| mask & self.masks[row] != 0);
        let from_there = match self.culling[row] {
            Culling::None => true,
            Culling::Back => side == Side::Front,
            Culling::Front => side == Side::Back,
        };
        seen && from_there && known.ids[thing] != self.skipped.each_ref().map(|column| column[row])
    }
}

/// By everything that a filter is told but `t`, which is rounded.
fn accepts(row: usize, [instance, geometry, primitive]: [u32; 3], side: Side) -> bool {
    let number = row as u32 + instance.wrapping_add(1) + 2 * geometry + primitive;
    !(number + u32::from(side == Side::Back)).is_multiple_of(3)
}

#[test]
fn what_a_ray_leaves_out_is_not_met_and_all_else_is() {
    let (mut tally, mut left_out, mut skipping) = (Tally::default(), 0, 0);
    // As many worlds of each of the ways to leave out.
    for seed in 0..worlds() {
        let random = &mut Random::new(400 + seed);
        let world = RandomWorld::drawn_masked(seed as u32 / 2 % 4, random);
        let (known, rays) = (Known::new(&world), rays_at(&world, RAYS, random));
        let left = Left::drawn(seed, &world.scene, &rays, random);
        let batch = &RayBatch::from_rays(&rays);
        let name = format!("world {seed}");
        let accepted = |row: usize, hit: &Hit, side: Side| {
            accepts(row, [hit.instance_id, hit.geometry_id, hit.primitive_id], side)
        };
        let [plain, filtered] = same_on_every_backend(&name, |backend| {
            let options = left.options().backend(backend);
            [options.clone(), options.filter(&accepted)]
                .map(|options| Answers::of(&world.scene, batch, &options))
        });
        for (row, ray) in rays.iter().enumerate() {
            let expected = known.of_ray(ray);
            let counts = |thing: usize, side: Side| left.lets_pass(row, &known, thing, side);
            tally.add(hold_row(&expected, &plain, row, &counts, &name));
            let and_accepted = |thing: usize, side: Side| {
                counts(thing, side) && accepts(row, known.ids[thing], side)
            };
            tally.add(hold_row(
                &expected,
                &filtered,
                row,
                &and_accepted,
                &format!("{name}, filtered"),
            ));
            let [of_all, _] = expected.count(Contact::Crossing, &|_, _| true);
            left_out += of_all.saturating_sub(expected.count(Contact::Crossing, &counts)[0]);
        }
        skipping += left.skipped[1].iter().filter(|&&id| id != INVALID_ID).count();
    }
    tally.assert_most(worlds() as usize * RAYS / 2);
    assert!(
        left_out > tally.sure / 4 && skipping > RAYS,
        "{left_out} left out, {skipping} skip, {tally:?}"
    );
}
