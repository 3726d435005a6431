//! What a scanner measures: the returns of its pulses.

use lanecast::{CastOptions, Status};
use lanecast_makers::{Keep, Measured, Receiver};

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Number, OfEither, with_either};
use crate::lists::field;
use crate::memory::{lanecast_column, sized, slice};
use crate::options::{Given, lanecast_options, takes};
use crate::rays::{lanecast_rays, with_rays};
use crate::scene::lanecast_scene;

/// Which returns of a pulse are kept.
pub type lanecast_keep = i32;
/// The one of most power; of equals the first.
pub const LANECAST_KEEP_STRONGEST: lanecast_keep = 0;
pub const LANECAST_KEEP_FIRST: lanecast_keep = 1;
pub const LANECAST_KEEP_LAST: lanecast_keep = 2;
pub const LANECAST_KEEP_ALL: lanecast_keep = 3;

/// The receiver of a scanner: it gathers the hits of the rays of a pulse to returns, loses weak ones,
/// and measures their distances with noise, by the models of `lanecast_makers::Receiver`. All zeros
/// but the size are one without errors that keeps the strongest return.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_receiver {
    /// `sizeof(lanecast_receiver)`.
    pub size: usize,
    /// Of the random numbers, which depend on it, on the number of the pulse and on nothing else.
    pub seed: u64,
    /// The standard deviation of distances: constant, and for each unit of distance.
    pub range_noise: [f64; 2],
    /// What meets a surface head-on up to this range is surely received, and beyond that, or aslant,
    /// less and less. 0 stands for infinity, where nothing is lost.
    pub reference_range: f64,
    /// Returns of a pulse are at least so far apart.
    pub resolution: f64,
    pub keep: lanecast_keep,
    /// The number of the first pulse, where a scan is cast in parts.
    pub first_pulse: usize,
    /// The shares of its energy of the rays of a pulse, and how many it has: those of
    /// `lanecast_footprint_weights`. Null and 0: what made the rays knows, or each is a pulse.
    pub weights: *const f64,
    pub weight_count: usize,
}

/// Returns of pulses.
#[derive(Debug)]
pub struct lanecast_return_lists(pub(crate) OfEither<ReturnLists<f32>, ReturnLists<f64>>);

/// Returns as they lie in memory, all valid until the lists are freed. Those of pulse p are numbers
/// `offsets[p]` to `offsets[p + 1]`, the latter excluded, in the columns, nearest first before noise.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_return_lists_view {
    /// The number of rays, and their statuses.
    pub rays: usize,
    pub status: *const u8,
    /// The number of pulses: one less than that of offsets.
    pub rows: usize,
    pub offsets: *const usize,
    /// The number of returns of all pulses.
    pub returns: usize,
    /// What is measured along the axis of the pulse, in the scene's precision, and the point there, as
    /// three such numbers.
    pub distance: lanecast_column,
    pub point: lanecast_column,
    /// `uint32_t`: which of the returns of the pulse that are received it is, from 1, and how many
    /// these are: more than are kept, perhaps.
    pub number: lanecast_column,
    pub count: lanecast_column,
    /// `uint32_t`: what the hit with the greatest part in it met.
    pub primitive_id: lanecast_column,
    pub geometry_id: lanecast_column,
    pub instance_id: lanecast_column,
}

#[derive(Debug)]
pub(crate) struct ReturnLists<T> {
    status: Vec<Status>,
    offsets: Vec<usize>,
    returns: Vec<Measured<T>>,
}

impl<T> ReturnLists<T> {
    fn view(&self) -> lanecast_return_lists_view {
        let returns = &*self.returns;
        lanecast_return_lists_view {
            rays: self.status.len(),
            status: self.status.as_ptr().cast(),
            rows: self.offsets.len() - 1,
            offsets: self.offsets.as_ptr(),
            returns: returns.len(),
            distance: field(returns, |found| &found.distance),
            point: field(returns, |found| &found.point),
            number: field(returns, |found| &found.number),
            count: field(returns, |found| &found.count),
            primitive_id: field(returns, |found| &found.primitive_id),
            geometry_id: field(returns, |found| &found.geometry_id),
            instance_id: field(returns, |found| &found.instance_id),
        }
    }
}

/// A receiver, the number of the first pulse, and the weights of the rays of each.
struct Receiving<'a> {
    receiver: Receiver<'static>,
    first: usize,
    weights: Option<&'a [f64]>,
}

impl Receiving<'_> {
    /// # Safety
    /// The pointer is null, or what it points to is as the header says.
    unsafe fn read(receiver: *const lanecast_receiver) -> Result<Self, Failure> {
        if receiver.is_null() {
            return Ok(Self { receiver: Receiver::new(), first: 0, weights: None });
        }
        // SAFETY: by the caller.
        let given: lanecast_receiver = unsafe { sized("receiver", receiver) }?;
        let keep = match given.keep {
            LANECAST_KEEP_STRONGEST => Keep::Strongest,
            LANECAST_KEEP_FIRST => Keep::First,
            LANECAST_KEEP_LAST => Keep::Last,
            LANECAST_KEEP_ALL => Keep::All,
            other => return Err(Failure::argument("receiver.keep", format!("{other} is none"))),
        };
        let [constant, proportional] = given.range_noise;
        let mut receiver = Receiver::new()
            .seed(given.seed)
            .keep(keep)
            .range_noise(constant, proportional)?
            .resolution(given.resolution)?;
        if given.reference_range != 0.0 {
            receiver = receiver.reference_range(given.reference_range)?;
        }
        // SAFETY: by the caller.
        let weights = unsafe { slice("receiver.weights", given.weights, given.weight_count) }?;
        match weights {
            None if given.weight_count > 0 => {
                Err(Failure::argument("receiver.weights", "they are null, and there are some"))
            }
            Some([]) => Err(Failure::argument("receiver.weight_count", "it is 0")),
            Some(weights) if !weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite()) => {
                let problem = "one is negative or not finite";
                Err(Failure::argument("receiver.weights", problem))
            }
            weights => Ok(Self { receiver, first: given.first_pulse, weights }),
        }
    }
}

unsafe fn returns<T: Number>(
    scene: &lanecast::Scene<T>,
    rays: *const lanecast_rays,
    receiver: *const lanecast_receiver,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_return_lists,
) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let Receiving { receiver, first, weights } = unsafe { Receiving::read(receiver) }?;
    // SAFETY: by the caller.
    let maker = unsafe { sized::<lanecast_rays>("rays", rays)?.maker.as_ref() };
    // SAFETY: by the caller.
    unsafe {
        with_rays::<T>(rays, false, &mut |rays| {
            let made = match maker {
                Some(maker) if weights.is_none() => maker.weights::<T>()?,
                _ => vec![1.0],
            };
            let weights = weights.unwrap_or(&made);
            if first.checked_add(rays.len()).is_none() {
                let problem = format!("from {first} on there are no numbers for all pulses");
                return Err(Failure::argument("receiver.first_pulse", problem));
            }
            if !rays.len().is_multiple_of(weights.len()) {
                let problem =
                    format!("it is {}; pulses have {} rays each", rays.len(), weights.len());
                return Err(Failure::argument("rays.count", problem));
            }
            let given = Given::read(options, takes!("lidar_returns" as closest_hit), rays.len())?;
            let options: CastOptions<'_, T> = given.options()?;
            let normals = receiver.needs_normals(weights.len());
            let hits = scene.cast(rays).with(&options).geometric_normals(normals).closest()?;
            let found = receiver.returns(first, weights, rays, &hits)?;
            let returns = found.measured(rays, &hits).map_err(|problem| {
                Failure::argument(&format!("rays: row {}", problem.row), problem)
            })?;
            let ends = (0..found.len()).scan(0, |end, pulse| {
                *end += found.of_pulse(pulse).len();
                Some(*end)
            });
            let offsets = std::iter::once(0).chain(ends).collect();
            let found = ReturnLists { status: hits.status().to_vec(), offsets, returns };
            give("lists", lists, T::return_lists(found))
        })
    }
}

/// What a scanner measures of a scene: the returns of the pulses of rays, of which directions have
/// length 1, so that t is the distance; `t_min` and `t_max` are the nearest and the farthest that is
/// measured. Rays of a footprint are pulses of so many as each of its beams has. A null receiver is
/// one without errors, which keeps the strongest return. The hits of all rays are held meanwhile, and
/// returns are gathered of them on one thread, unwatched: cast long scans in parts, each with its
/// `first_pulse`, which measure the same. Free the lists by
/// `lanecast_return_lists_free`.
///
/// # Safety
/// All pointers are null or as the types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_lidar_returns(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    receiver: *const lanecast_receiver,
    options: *const lanecast_options,
    lists: *mut *mut lanecast_return_lists,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        expect_place("lists", lists, 1)?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => returns(scene, rays, receiver, options, lists)) }
    })
}

/// Shows returns.
///
/// # Safety
/// `lists` are lists, and `view` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_return_lists_get(
    lists: *const lanecast_return_lists,
    view: *mut lanecast_return_lists_view,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_return_lists(lists) = unsafe { handle("lists", lists) }?;
        let shown = with_either!(lists, lists => lists.view());
        expect_place("view", view, 1)?;
        // SAFETY: by the caller.
        unsafe { view.write(shown) };
        Ok(())
    })
}

/// Frees returns; nothing if null.
///
/// # Safety
/// As for `lanecast_hit_lists_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_return_lists_free(lists: *mut lanecast_return_lists) {
    // SAFETY: by the caller.
    unsafe { free(lists) }
}
