//! Which primitives overlap with a region.

use lanecast::answers::PrimitiveIds;
use lanecast::primitive::Sphere;
use lanecast::{Aabb, CastOptions, Frustum, Region};

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Number, with_either};
use crate::memory::{all_of, lanecast_column};
use crate::options::{Given, Takes, lanecast_options, takes};
use crate::scene::lanecast_scene;

/// The kind of a region.
pub type lanecast_region = i32;
/// Six numbers: the least and the greatest corner.
pub const LANECAST_REGION_BOX: lanecast_region = 1;
/// Four numbers: the center and the radius.
pub const LANECAST_REGION_SPHERE: lanecast_region = 2;
/// Four numbers a plane: what is a·x + b·y + c·z + d >= 0 for all planes.
pub const LANECAST_REGION_PLANES: lanecast_region = 3;

/// Primitives that a query found.
#[derive(Debug)]
pub struct lanecast_primitive_list(Vec<PrimitiveIds>);

/// Primitives as they lie in memory, by ascending ids; valid until the list is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_primitive_list_view {
    pub count: usize,
    /// `uint32_t` all.
    pub primitive_id: lanecast_column,
    pub geometry_id: lanecast_column,
    pub instance_id: lanecast_column,
}

unsafe fn region(
    kind: lanecast_region,
    numbers: *const f64,
    count: usize,
) -> Result<Region, Failure> {
    // SAFETY: by the caller.
    let numbers = unsafe { all_of("numbers", numbers, count) }?;
    let expect = |expected: usize| {
        if count == expected {
            return Ok(());
        }
        Err(Failure::argument("count", format!("it is {count}; {expected} numbers were expected")))
    };
    let vector = |first: usize| std::array::from_fn(|axis| numbers[first + axis]);
    match kind {
        LANECAST_REGION_BOX => {
            expect(6)?;
            Ok((&Aabb::<f64> { min: vector(0), max: vector(3) }).into())
        }
        LANECAST_REGION_SPHERE => {
            expect(4)?;
            Ok((&Sphere::<f64>::new(vector(0), numbers[3])).into())
        }
        LANECAST_REGION_PLANES if count.is_multiple_of(4) => {
            Ok((&Frustum::new(numbers.as_chunks().0)?).into())
        }
        LANECAST_REGION_PLANES => Err(Failure::argument("count", "it is no multiple of four")),
        other => Err(Failure::argument("region", format!("{other} is no kind of region"))),
    }
}

unsafe fn overlapping(
    scene: *const lanecast_scene,
    region: Region,
    options: *const lanecast_options,
    any: bool,
    takes: Takes,
) -> Result<Vec<PrimitiveIds>, Failure> {
    unsafe fn find<T: Number>(
        scene: &lanecast::Scene<T>,
        region: Region,
        options: *const lanecast_options,
        any: bool,
        takes: Takes,
    ) -> Result<Vec<PrimitiveIds>, Failure> {
        // SAFETY: by the caller.
        let given = unsafe { Given::read(options, takes, 1) }?;
        let options: CastOptions<'_, T> = given.options()?;
        let overlap = scene.overlap(region).with(&options);
        if !any {
            return Ok(overlap.primitives()?);
        }
        let found = PrimitiveIds { primitive_id: 0, geometry_id: 0, instance_id: 0 };
        Ok(if overlap.any()? { vec![found] } else { Vec::new() })
    }
    // SAFETY: by the caller.
    let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
    // SAFETY: by the caller.
    unsafe { with_either!(content, scene => find(scene, region, options, any, takes)) }
}

/// Whether anything overlaps with a region: 1 or 0, or a negative result.
///
/// # Safety
/// All pointers are null or as the types say, and so many numbers are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_overlaps_any(
    scene: *const lanecast_scene,
    kind: lanecast_region,
    numbers: *const f64,
    count: usize,
    options: *const lanecast_options,
) -> i32 {
    crate::border::enter_for(|| {
        // SAFETY: by the caller.
        let found = unsafe {
            overlapping(
                scene,
                region(kind, numbers, count)?,
                options,
                true,
                takes!("overlaps_any" as overlaps_any),
            )
        }?;
        Ok(i32::from(!found.is_empty()))
    })
}

/// The primitives that overlap with a region. Free the list by `lanecast_primitive_list_free`.
///
/// # Safety
/// All pointers are null or as the types say, and so many numbers are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_overlap(
    scene: *const lanecast_scene,
    kind: lanecast_region,
    numbers: *const f64,
    count: usize,
    options: *const lanecast_options,
    list: *mut *mut lanecast_primitive_list,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        unsafe {
            let region = region(kind, numbers, count)?;
            expect_place("list", list, 1)?;
            let found = overlapping(scene, region, options, false, takes!("overlap" as overlap))?;
            give("list", list, lanecast_primitive_list(found))
        }
    })
}

/// Shows a list of primitives.
///
/// # Safety
/// `list` is a list, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_primitive_list_get(
    list: *const lanecast_primitive_list,
    view: *mut lanecast_primitive_list_view,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_primitive_list(found) = unsafe { handle("list", list) }?;
        expect_place("view", view, 1)?;
        let shown = lanecast_primitive_list_view {
            count: found.len(),
            primitive_id: crate::lists::field(found, |ids| &ids.primitive_id),
            geometry_id: crate::lists::field(found, |ids| &ids.geometry_id),
            instance_id: crate::lists::field(found, |ids| &ids.instance_id),
        };
        // SAFETY: by the caller.
        unsafe { view.write(shown) };
        Ok(())
    })
}

/// Frees a list of primitives; nothing if null.
///
/// # Safety
/// It is null, or was made by this library, and neither it nor a view of it is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_primitive_list_free(list: *mut lanecast_primitive_list) {
    // SAFETY: by the caller.
    unsafe { free(list) }
}
