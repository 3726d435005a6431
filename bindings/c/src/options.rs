//! Options of queries, and what watches and filters calls.

use std::ffi::c_void;
use std::ops::ControlFlow;

use lanecast::{Backend, CastOptions, Coherence, Contact, Culling, Hit, Progress, Side, Threads};

use crate::border::{Failure, LANECAST_INVALID_ARGUMENT};
use crate::content::Number;
use crate::memory::{sized, slice};
use crate::primitives::OfCaller;
use crate::single::lanecast_hit_f64;
use crate::threads::lanecast_threads;

/// A number that is no id: of a ray without a hit, and to skip nothing.
pub const LANECAST_INVALID_ID: u32 = u32::MAX;

/// The sides of primitives that rays do not meet.
pub type lanecast_culling = i32;
pub const LANECAST_CULL_NONE: lanecast_culling = 0;
/// Only fronts are met: where vertices run counter-clockwise as seen from the origin.
pub const LANECAST_CULL_BACK: lanecast_culling = 1;
/// Only backs are met.
pub const LANECAST_CULL_FRONT: lanecast_culling = 2;

/// Which triangles that a ray touches count, to `lanecast_count_hits`, `lanecast_all_hits` and
/// `lanecast_nearest_hits`.
pub type lanecast_contact = i32;
/// Each crossing of a surface once, also through edges and vertices that triangles share.
pub const LANECAST_CONTACT_CROSSING: lanecast_contact = 0;
/// Every triangle that is touched.
pub const LANECAST_CONTACT_TOUCH: lanecast_contact = 1;

/// What is known of the order of rays. No answer depends on it.
pub type lanecast_coherence = i32;
pub const LANECAST_COHERENCE_DETECT: lanecast_coherence = 0;
/// Neighbours start and go alike.
pub const LANECAST_COHERENT: lanecast_coherence = 1;
pub const LANECAST_INCOHERENT: lanecast_coherence = 2;

/// The instructions that are used. No answer depends on it.
pub type lanecast_backend = i32;
/// The best that the processor has.
pub const LANECAST_BACKEND_BEST: lanecast_backend = 0;
pub const LANECAST_BACKEND_PORTABLE: lanecast_backend = 1;
pub const LANECAST_BACKEND_AVX2: lanecast_backend = 2;
pub const LANECAST_BACKEND_AVX512: lanecast_backend = 3;

/// The side from which a ray meets a primitive.
pub type lanecast_side = i32;
pub const LANECAST_FRONT: lanecast_side = 0;
pub const LANECAST_BACK: lanecast_side = 1;

/// Hears of progress, and says whether to go on. It is called by all threads at once, a few times a
/// second at least, and must not unwind or throw. What is counted are rays, points or primitives; of
/// files, bytes. Of builds, changes, copies and checks `done` is the share of the work that is done,
/// of the primitives or bytes in all.
pub type lanecast_watch =
    Option<unsafe extern "C" fn(user: *mut c_void, done: usize, total: usize) -> bool>;

/// Says whether a hit of the ray in `row` counts. It is called for each hit, by all threads at once,
/// with the same answer each time, and must not unwind or throw. A hit of `float` is converted,
/// which is exact.
pub type lanecast_filter = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        row: usize,
        hit: *const lanecast_hit_f64,
        side: lanecast_side,
    ) -> bool,
>;

/// The options of a query. All zeros but the size are the defaults, and a null pointer to options
/// stands for them. A query refuses options that it does not take.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_options {
    /// `sizeof(lanecast_options)`.
    pub size: usize,
    /// Null for all cores.
    pub threads: *const lanecast_threads,
    pub watch: lanecast_watch,
    /// Passed to `watch`.
    pub watch_user: *mut c_void,
    pub backend: lanecast_backend,
    /// Every primitive is tested, without the tree. No answer depends on it.
    pub brute_force: bool,
    /// Rays only.
    pub coherence: lanecast_coherence,
    /// That of all rays where `cullings` is null.
    pub culling: lanecast_culling,
    /// One a ray, or null.
    pub cullings: *const lanecast_culling,
    /// One a ray: a ray meets geometries and instances that have a bit of it in common. Null: that of
    /// `mask`. A region has one.
    pub masks: *const u32,
    /// The mask of all rays where `masks` is null; 0 stands for all bits.
    pub mask: u32,
    /// One a ray each, or null both: the primitive that the ray does not meet.
    pub skip_geometry_ids: *const u32,
    pub skip_primitive_ids: *const u32,
    /// One a ray, or null: the instance in which it is skipped, `LANECAST_INVALID_ID` for none.
    pub skip_instance_ids: *const u32,
    pub filter: lanecast_filter,
    /// Passed to `filter`.
    pub filter_user: *mut c_void,
    /// `lanecast_count_hits`, `lanecast_all_hits` and `lanecast_nearest_hits` only.
    pub contact: lanecast_contact,
    /// Points only, where an inside is asked for: a number from 1 on, such as 2, answers it by
    /// generalised winding numbers of that accuracy also at surfaces that are not closed. 0: not.
    pub generalised_winding: f64,
}

/// Which options a call takes, of those that not all take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Takes {
    /// The call, without the prefix of all.
    pub(crate) call: &'static str,
    /// Of `lanecast_queries::arguments!`.
    pub(crate) arguments: &'static str,
}

macro_rules! takes {
    ($call:literal as $query:ident) => {
        $crate::options::Takes { call: $call, arguments: lanecast_queries::arguments!($query) }
    };
}
pub(crate) use takes;

type Watching = Box<dyn Fn(Progress) -> ControlFlow<()> + Sync>;
type Filtering<T> = Box<dyn Fn(usize, &Hit<T>, Side) -> bool + Sync>;

/// Options that were read and checked. The engine's options borrow what is here.
pub(crate) struct Given<'a, T: Number> {
    threads: Option<&'a Threads>,
    watch: Option<Watching>,
    filter: Option<Filtering<T>>,
    backend: Option<Backend>,
    options: lanecast_options,
    cullings: Option<Vec<Culling>>,
    masks: Option<&'a [u32]>,
    skips: [Option<&'a [u32]>; 3],
}

/// Watches a call by a callback.
pub(crate) fn watching(watch: lanecast_watch, user: *mut c_void) -> Option<Watching> {
    let (watch, user) = (watch?, OfCaller(user));
    Some(Box::new(move |progress: Progress| {
        // SAFETY: the caller lets the callback be called by all threads.
        if unsafe { watch(user.get(), progress.done, progress.total) } {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }))
}

/// The backend that a constant names.
pub(crate) fn backend(named: lanecast_backend) -> Result<Option<Backend>, Failure> {
    let name = match named {
        LANECAST_BACKEND_BEST => return Ok(None),
        LANECAST_BACKEND_PORTABLE => "portable",
        LANECAST_BACKEND_AVX2 => "avx2",
        LANECAST_BACKEND_AVX512 => "avx512",
        other => return Err(Failure::argument("backend", format!("{other} is no backend"))),
    };
    Ok(Some(name.parse::<Backend>()?))
}

impl<'a, T: Number> Given<'a, T> {
    /// Reads options for a query of so many rows.
    ///
    /// # Safety
    /// The pointer is null, or what it points to is as the header says, and stays for `'a`.
    pub(crate) unsafe fn read(
        options: *const lanecast_options,
        takes: Takes,
        rows: usize,
    ) -> Result<Self, Failure> {
        let options = if options.is_null() {
            // SAFETY: zeros are null pointers, numbers, and false.
            unsafe { std::mem::zeroed() }
        } else {
            // SAFETY: by the caller.
            unsafe { sized("options", options) }?
        };
        // SAFETY: by the caller.
        let ids = |name, ids| unsafe { slice::<u32>(name, ids, rows) };
        let given = Self {
            // SAFETY: by the caller.
            threads: unsafe { options.threads.as_ref() }.map(|threads| &threads.0),
            watch: watching(options.watch, options.watch_user),
            filter: filtering(options.filter, options.filter_user),
            backend: backend(options.backend)?,
            // SAFETY: by the caller.
            cullings: unsafe { cullings(options.cullings, rows) }?,
            masks: ids("options.masks", options.masks)?,
            skips: [
                ids("options.skip_geometry_ids", options.skip_geometry_ids)?,
                ids("options.skip_primitive_ids", options.skip_primitive_ids)?,
                ids("options.skip_instance_ids", options.skip_instance_ids)?,
            ],
            options,
        };
        given.check(takes)?;
        Ok(given)
    }

    /// Refuses options that the query does not take.
    fn check(&self, takes: Takes) -> Result<(), Failure> {
        let options = &self.options;
        let selects = options.culling != LANECAST_CULL_NONE
            || self.cullings.is_some()
            || self.skips.iter().any(Option::is_some)
            || self.filter.is_some();
        let masks = self.masks.is_some() || options.mask != 0;
        for (name, is_set, option) in [
            ("threads", self.threads.is_some(), "threads"),
            ("coherence", options.coherence != LANECAST_COHERENCE_DETECT, "coherence"),
            ("masks or mask", masks, "mask"),
            // They go together in all queries.
            ("culling, skips or filter", selects, "skip"),
            ("contact", options.contact != LANECAST_CONTACT_CROSSING, "contact"),
            ("generalised_winding", options.generalised_winding != 0.0, "generalised_winding"),
        ] {
            if is_set && !lanecast_queries::takes(takes.arguments, option) {
                let message = format!("options: lanecast_{} takes no {name}", takes.call);
                return Err(Failure::new(LANECAST_INVALID_ARGUMENT, message));
            }
        }
        if self.skips[0].is_some() != self.skips[1].is_some()
            || self.skips[2].is_some() && self.skips[0].is_none()
        {
            let problem = "skip_geometry_ids and skip_primitive_ids go together, and skip_instance_ids with both";
            return Err(Failure::argument("options", problem));
        }
        Ok(())
    }

    /// As the engine has them.
    pub(crate) fn options(&self) -> Result<CastOptions<'_, T>, Failure> {
        let options = &self.options;
        let mut made = CastOptions::default();
        if let Some(threads) = self.threads {
            made = made.threads(threads);
        }
        if let Some(watch) = &self.watch {
            made = made.watch(&**watch);
        }
        if let Some(filter) = &self.filter {
            made = made.filter(&**filter);
        }
        if let Some(backend) = self.backend {
            made = made.backend(backend);
        }
        if options.brute_force {
            made = made.brute_force();
        }
        if let [Some(geometry_ids), Some(primitive_ids), instance_ids] = self.skips {
            made = made.skip(geometry_ids, primitive_ids);
            made = instance_ids.map_or_else(|| made.clone(), |ids| made.clone().skip_in(ids));
        }
        made = match (self.masks, options.mask) {
            (Some(masks), _) => made.mask(masks),
            (None, 0) => made,
            (None, mask) => made.mask(mask),
        };
        made = made.coherence(match options.coherence {
            LANECAST_COHERENCE_DETECT => Coherence::Detect,
            LANECAST_COHERENT => Coherence::Coherent,
            LANECAST_INCOHERENT => Coherence::Incoherent,
            other => {
                return Err(Failure::argument("options.coherence", format!("{other} is none")));
            }
        });
        made = made.contact(match options.contact {
            LANECAST_CONTACT_CROSSING => Contact::Crossing,
            LANECAST_CONTACT_TOUCH => Contact::Touch,
            other => return Err(Failure::argument("options.contact", format!("{other} is none"))),
        });
        if options.generalised_winding != 0.0 {
            made = made.generalised_winding(options.generalised_winding);
        }
        Ok(match &self.cullings {
            Some(cullings) => made.culling(cullings),
            None => made.culling(culling("options.culling", options.culling)?),
        })
    }
}

/// The sides that a constant names.
fn culling(name: &str, named: lanecast_culling) -> Result<Culling, Failure> {
    match named {
        LANECAST_CULL_NONE => Ok(Culling::None),
        LANECAST_CULL_BACK => Ok(Culling::Back),
        LANECAST_CULL_FRONT => Ok(Culling::Front),
        other => Err(Failure::argument(name, format!("{other} is none"))),
    }
}

/// One for each ray, if there are any.
///
/// # Safety
/// As for [`slice`].
unsafe fn cullings(
    given: *const lanecast_culling,
    rows: usize,
) -> Result<Option<Vec<Culling>>, Failure> {
    // SAFETY: by the caller.
    let Some(given) = unsafe { slice("options.cullings", given, rows) }? else {
        return Ok(None);
    };
    let of_row = |(row, &named)| culling(&format!("options.cullings[{row}]"), named);
    given.iter().enumerate().map(of_row).collect::<Result<_, _>>().map(Some)
}

fn filtering<T: Number>(filter: lanecast_filter, user: *mut c_void) -> Option<Filtering<T>> {
    let (filter, user) = (filter?, OfCaller(user));
    Some(Box::new(move |row, hit: &Hit<T>, side: Side| {
        let hit = lanecast_hit_f64::of(hit);
        let side = if side == Side::Front { LANECAST_FRONT } else { LANECAST_BACK };
        // SAFETY: the caller lets the callback be called by all threads.
        unsafe { filter(user.get(), row, &raw const hit, side) }
    }))
}
