//! Picks: the hits of one ray, each with points, normals and the way to it.

use lanecast::CastOptions;
use lanecast::cast::PickLimit;
use lanecast::scene::Pick;

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Number, with_either};
use crate::options::{Given, lanecast_options, takes};
use crate::rays::{lanecast_rays, with_rays};
use crate::scene::lanecast_scene;
use crate::single::lanecast_hit_f64;

/// Which hits of a ray are picked.
pub type lanecast_pick_limit = i32;
pub const LANECAST_PICK_ALL: lanecast_pick_limit = 0;
/// The first of each geometry, in each instance by itself.
pub const LANECAST_PICK_ONE_PER_GEOMETRY: lanecast_pick_limit = 1;
/// The first.
pub const LANECAST_PICK_NEAREST: lanecast_pick_limit = 2;

/// A hit with points and normals of `double`, whatever the scene. Normals have length 1, or are zero
/// where a primitive has none.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_pick {
    /// Of `float` it is converted, which is exact.
    pub hit: lanecast_hit_f64,
    /// In the frame of the scene that was asked.
    pub point: [f64; 3],
    pub normal: [f64; 3],
    /// In the frame of the scene that holds the primitive.
    pub local_point: [f64; 3],
    pub local_normal: [f64; 3],
    /// The numbers of the instances around it, outermost first, each in the scene of the one before;
    /// not to be read where there are none.
    pub instance_path: *const u32,
    pub depth: usize,
}

/// Picks of a ray.
#[derive(Debug)]
pub struct lanecast_picks {
    picks: Vec<lanecast_pick>,
    /// Those of the picks, which point to them.
    _paths: Vec<Vec<u32>>,
}

/// Picks as they lie in memory, valid until they are freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_picks_view {
    pub count: usize,
    pub picks: *const lanecast_pick,
}

impl lanecast_picks {
    fn of<T: Number>(found: Vec<Pick<T>>) -> Self {
        let shown = |pick: &Pick<T>| lanecast_pick {
            hit: lanecast_hit_f64::of(&pick.hit),
            point: pick.world_point,
            normal: pick.world_normal,
            local_point: pick.local_point,
            local_normal: pick.local_normal,
            instance_path: pick.instance_path.as_ptr(),
            depth: pick.instance_path.len(),
        };
        Self {
            picks: found.iter().map(shown).collect(),
            // Where the numbers lie stays the same.
            _paths: found.into_iter().map(|pick| pick.instance_path).collect(),
        }
    }
}

unsafe fn pick<T: Number>(
    scene: &lanecast::Scene<T>,
    rays: *const lanecast_rays,
    limit: lanecast_pick_limit,
    options: *const lanecast_options,
    picks: *mut *mut lanecast_picks,
) -> Result<(), Failure> {
    let limit = match limit {
        LANECAST_PICK_ALL => PickLimit::All,
        LANECAST_PICK_ONE_PER_GEOMETRY => PickLimit::OnePerGeometry,
        LANECAST_PICK_NEAREST => PickLimit::Nearest,
        other => return Err(Failure::argument("limit", format!("{other} is none"))),
    };
    // SAFETY: by the caller.
    unsafe {
        with_rays::<T>(rays, false, &mut |rays| {
            if rays.len() != 1 {
                let problem = format!("it is {}; one ray was expected", rays.len());
                return Err(Failure::argument("rays.count", problem));
            }
            let given = Given::read(options, takes!("pick" as all_hits), 1)?;
            let options: CastOptions<'_, T> = given.options()?;
            expect_place("picks", picks, 1)?;
            let found = scene.cast(&rays.ray(0)).with(&options).pick(limit)?;
            give("picks", picks, lanecast_picks::of(found))
        })
    }
}

/// The hits of one ray, nearest first, each with points and normals: crossings, unless the options ask
/// for touches. A ray that cannot be cast is a failure. Free the picks by `lanecast_picks_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_pick_hits(
    scene: *const lanecast_scene,
    ray: *const lanecast_rays,
    limit: lanecast_pick_limit,
    options: *const lanecast_options,
    picks: *mut *mut lanecast_picks,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => pick(scene, ray, limit, options, picks)) }
    })
}

/// Shows picks.
///
/// # Safety
/// `picks` are picks, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_picks_get(
    picks: *const lanecast_picks,
    view: *mut lanecast_picks_view,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_picks { picks, .. } = unsafe { handle("picks", picks) }?;
        expect_place("view", view, 1)?;
        // SAFETY: by the caller.
        unsafe { view.write(lanecast_picks_view { count: picks.len(), picks: picks.as_ptr() }) };
        Ok(())
    })
}

/// Frees picks; nothing if null.
///
/// # Safety
/// They are null, or were made by this library, and neither they nor a view of them is used
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_picks_free(picks: *mut lanecast_picks) {
    // SAFETY: by the caller.
    unsafe { free(picks) }
}
