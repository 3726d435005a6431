//! Lines of sight from many points to many.

use lanecast::SightLines;

use crate::border::{
    Failure, LANECAST_INVALID_INPUT, enter, enter_for, expect_place, handle, lanecast_result,
};
use crate::content::{Number, expect_precision, lanecast_precision, with_either};
use crate::memory::{copied_rows, lanecast_rows, sized, slice};
use crate::options::{Given, lanecast_options, takes};
use crate::scene::lanecast_scene;
use crate::single::lanecast_hit_f64;

/// Lines from each observer to each target, both rows of three coordinates, which are copied.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_sight_lines {
    /// `sizeof(lanecast_sight_lines)`.
    pub size: usize,
    /// That of the scene.
    pub precision: lanecast_precision,
    pub observers: lanecast_rows,
    pub targets: lanecast_rows,
    /// The part of each line that is left out at both ends: from 0 to below 0.5.
    pub shortened: f64,
    /// The primitives on which observers and targets lie, which hide nothing; one each, or null.
    pub observer_geometry_ids: *const u32,
    pub observer_primitive_ids: *const u32,
    pub target_geometry_ids: *const u32,
    pub target_primitive_ids: *const u32,
}

/// Ids of primitives, for all points of a list.
unsafe fn lying_on<'a>(
    name: &str,
    geometry_ids: *const u32,
    primitive_ids: *const u32,
    count: usize,
) -> Result<Option<[&'a [u32]; 2]>, Failure> {
    // SAFETY: by the caller.
    match unsafe { (slice(name, geometry_ids, count)?, slice(name, primitive_ids, count)?) } {
        (None, None) => Ok(None),
        (Some(geometry_ids), Some(primitive_ids)) => Ok(Some([geometry_ids, primitive_ids])),
        _ => Err(Failure::argument(name, "ids of geometries and of primitives go together")),
    }
}

/// Lines that were read and checked.
struct Read<'a, T> {
    observers: Vec<[T; 3]>,
    targets: Vec<[T; 3]>,
    shortened: T,
    observers_on: Option<[&'a [u32]; 2]>,
    targets_on: Option<[&'a [u32]; 2]>,
}

impl<T: Number> Read<'_, T> {
    /// # Safety
    /// The pointer is null, or what it points to is as the header says.
    unsafe fn from(lines: *const lanecast_sight_lines) -> Result<Self, Failure> {
        // SAFETY: by the caller.
        let given: lanecast_sight_lines = unsafe { sized("lines", lines) }?;
        expect_precision::<T>("lines.precision", given.precision)?;
        // SAFETY: by the caller.
        let (observers, targets) = unsafe {
            (
                copied_rows::<T, 3>("lines.observers", given.observers)?,
                copied_rows::<T, 3>("lines.targets", given.targets)?,
            )
        };
        if !(0.0..0.5).contains(&given.shortened) {
            let message = format!(
                "lines.shortened: it is {}; from 0 to 0.5, 0.5 excluded, was expected",
                given.shortened
            );
            return Err(Failure::new(LANECAST_INVALID_INPUT, message));
        }
        // SAFETY: by the caller.
        let (observers_on, targets_on) = unsafe {
            (
                lying_on(
                    "lines: ids of observers",
                    given.observer_geometry_ids,
                    given.observer_primitive_ids,
                    observers.len(),
                )?,
                lying_on(
                    "lines: ids of targets",
                    given.target_geometry_ids,
                    given.target_primitive_ids,
                    targets.len(),
                )?,
            )
        };
        let shortened = T::rounded(given.shortened);
        Ok(Self { observers, targets, shortened, observers_on, targets_on })
    }

    fn lines(&self) -> Result<SightLines<'_, T>, Failure> {
        let mut lines =
            SightLines::new(&self.observers, &self.targets)?.shortened(self.shortened)?;
        if let Some([geometry_ids, primitive_ids]) = self.observers_on {
            lines = lines.observers_on(geometry_ids, primitive_ids)?;
        }
        if let Some([geometry_ids, primitive_ids]) = self.targets_on {
            lines = lines.targets_on(geometry_ids, primitive_ids)?;
        }
        Ok(lines)
    }
}

unsafe fn sight<T: Number>(
    scene: &lanecast::Scene<T>,
    lines: *const lanecast_sight_lines,
    options: *const lanecast_options,
    (words, count): (*mut u64, usize),
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let read = unsafe { Read::<T>::from(lines) }?;
    let lines = read.lines()?;
    // The product was counted by the lines.
    let (observers, targets) = (lines.observers(), lines.targets());
    let expected = observers * targets.div_ceil(64);
    if count != expected {
        let problem = format!(
            "it is {count}; {expected} words were expected: for each observer one for 64 targets"
        );
        return Err(Failure::argument("word_count", problem));
    }
    expect_place("words", words, count)?;
    // SAFETY: by the caller.
    let given =
        unsafe { Given::<T>::read(options, takes!("sight" as any_hit), observers * targets) }?;
    let options = given.options()?;
    let matrix = scene.sight(&lines).with(&options).matrix()?;
    if count > 0 {
        // SAFETY: by the caller, and so many are there.
        unsafe { std::ptr::copy_nonoverlapping(matrix.words().as_ptr(), words, count) };
    }
    Ok(())
}

unsafe fn first_obstacle<T: Number>(
    scene: &lanecast::Scene<T>,
    lines: *const lanecast_sight_lines,
    (observer, target): (usize, usize),
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f64,
) -> Result<i32, Failure> {
    // SAFETY: by the caller.
    let read = unsafe { Read::<T>::from(lines) }?;
    let (lines, rows) = (read.lines()?, read.observers.len() * read.targets.len());
    // SAFETY: by the caller.
    let given = unsafe { Given::<T>::read(options, takes!("first_obstacle" as any_hit), rows) }?;
    expect_place("hit", hit, 1)?;
    let options = given.options()?;
    let found = scene.sight(&lines).with(&options).first_obstacle(observer, target)?;
    if let Some(found) = &found {
        // SAFETY: by the caller.
        unsafe { hit.write(lanecast_hit_f64::of(found)) };
    }
    Ok(i32::from(found.is_some()))
}

/// Which targets each observer sees: target t of observer o is bit t % 64 of word
/// o · ((targets + 63) / 64) + t / 64. What a line touches at its very ends hides nothing. Options are
/// those of rays, of which line o · targets + t is one: masks, skips and filters take its number.
///
/// # Safety
/// All pointers are null or as the types say, and so many words may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_sight(
    scene: *const lanecast_scene,
    lines: *const lanecast_sight_lines,
    options: *const lanecast_options,
    words: *mut u64,
    word_count: usize,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => sight(scene, lines, options, (words, word_count))) }
    })
}

/// What hides a target from an observer: 1 and the first hit of the line between them, whose t is the
/// part of the line's length, 0 if nothing does, or a negative result. Lines and options are as of
/// `lanecast_sight`. A hit of `float` is converted, which is exact. All points are copied: of many
/// lines cast the rays.
///
/// # Safety
/// All pointers are null or as the types say, and `hit` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_first_obstacle(
    scene: *const lanecast_scene,
    lines: *const lanecast_sight_lines,
    observer: usize,
    target: usize,
    options: *const lanecast_options,
    hit: *mut lanecast_hit_f64,
) -> i32 {
    enter_for(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        let line = (observer, target);
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => first_obstacle(scene, lines, line, options, hit)) }
    })
}
