//! Makers of rays: cameras, scanners and light, whose rays are made while they are cast.

use std::sync::Arc;

use lanecast::support::with_default_float_mode;
use lanecast::{Maker, Ray};
use lanecast_makers::{
    Beam, Footprint, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Spread, Sun, Sunlight, Utc,
};

use crate::border::{Failure, enter, expect_place, free, give, handle, lanecast_result};
use crate::content::{Number, OfEither, lanecast_precision, of_precision};
use crate::memory::{Places, all_of, copied_rows, lanecast_answers, lanecast_rows, sized};

/// Rays that are made while they are cast, of either precision unless it was made of points, which
/// have one: a query takes it as `lanecast_rays.maker`. A footprint keeps its beams.
#[derive(Debug)]
pub struct lanecast_maker(Arc<Kind>);

#[derive(Debug)]
enum Kind {
    Whole(Whole),
    Footprint { beams: Arc<Self>, divergence: f64, rays: u32 },
    OfPoints(OfEither<OfPoints<f32>, OfPoints<f64>>),
}

/// What holds all that it needs, and makes rays of both precisions.
#[derive(Debug)]
pub(crate) enum Whole {
    Pinhole(Pinhole),
    Panorama(Panorama),
    Grid(Grid),
    Lidar(Lidar),
}

/// Rays from points.
#[derive(Debug)]
pub(crate) struct OfPoints<T> {
    points: Vec<[T; 3]>,
    directions: Directions<T>,
}

#[derive(Debug)]
enum Directions<T> {
    Hemisphere { normals: Vec<[T; 3]>, count: u32, spread: Spread, seed: u64 },
    Sunlight(Vec<[f64; 3]>),
}

/// What is done with a maker.
type Then<'a, T> = dyn FnMut(&dyn Maker<Ray<T>>) -> Result<(), Failure> + 'a;

impl lanecast_maker {
    fn of(whole: Whole) -> Self {
        Self(Arc::new(Kind::Whole(whole)))
    }

    pub(crate) fn of_points(points: OfEither<OfPoints<f32>, OfPoints<f64>>) -> Self {
        Self(Arc::new(Kind::OfPoints(points)))
    }

    /// The points from which the rays start, or the beams of a footprint.
    pub(crate) fn points(&self) -> Option<&OfEither<OfPoints<f32>, OfPoints<f64>>> {
        let mut kind = &self.0;
        while let Kind::Footprint { beams, .. } = &**kind {
            kind = beams;
        }
        if let Kind::OfPoints(points) = &**kind { Some(points) } else { None }
    }

    /// Calls a function with the maker, in a precision.
    pub(crate) fn with<T: Number>(&self, then: &mut Then<'_, T>) -> Result<(), Failure> {
        match &*self.0 {
            Kind::Whole(whole) => then(&*T::maker(whole)),
            Kind::Footprint { beams, divergence, rays } => {
                let beams = Self(Arc::clone(beams));
                beams.with::<T>(&mut |beams| then(&Footprint::new(beams, *divergence, *rays)?))
            }
            Kind::OfPoints(_) => {
                let other = || Failure::argument("maker", "its points are of the other precision");
                let OfPoints { points, directions } = T::points_of(self).ok_or_else(other)?;
                match directions {
                    Directions::Hemisphere { normals, count, spread, seed } => {
                        then(&Hemisphere::new(points, normals, *count, *spread)?.seed(*seed))
                    }
                    Directions::Sunlight(directions) => then(&Sunlight::new(points, directions)?),
                }
            }
        }
    }

    /// The shares of their energy of the rays of a pulse: each ray is one, unless they are a
    /// footprint's.
    pub(crate) fn weights<T: Number>(&self) -> Result<Vec<f64>, Failure> {
        let Kind::Footprint { beams, divergence, rays } = &*self.0 else { return Ok(vec![1.0]) };
        let (beams, mut weights) = (Self(Arc::clone(beams)), Vec::new());
        beams.with::<T>(&mut |beams| {
            weights = Footprint::new(beams, *divergence, *rays)?.weights().to_vec();
            Ok(())
        })?;
        Ok(weights)
    }

    /// The number of rays.
    fn count(&self) -> Result<usize, Failure> {
        let mut count = 0;
        if f32::points_of(self).is_some() {
            self.with::<f32>(&mut |maker| {
                count = maker.len();
                Ok(())
            })?;
        } else {
            self.with::<f64>(&mut |maker| {
                count = maker.len();
                Ok(())
            })?;
        }
        Ok(count)
    }
}

/// Three numbers of the caller.
unsafe fn vector(name: &str, numbers: *const f64) -> Result<[f64; 3], Failure> {
    // SAFETY: by the caller.
    let numbers = unsafe { all_of(name, numbers, 3) }?;
    Ok([numbers[0], numbers[1], numbers[2]])
}

unsafe fn put(place: *mut *mut lanecast_maker, whole: Whole) -> Result<(), Failure> {
    // SAFETY: by the caller.
    unsafe { give("maker", place, lanecast_maker::of(whole)) }
}

/// The rays of a camera through the middles of pixels, row by row from the upper left: vectors of
/// three numbers, the field of view from the lower to the upper edge in degrees, and the size in
/// pixels. Each t is the distance along the line of sight.
///
/// # Safety
/// Vectors have three numbers; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_pinhole(
    eye: *const f64,
    target: *const f64,
    up: *const f64,
    field_of_view: f64,
    width: u32,
    height: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe {
        let [eye, target, up] = [vector("eye", eye)?, vector("target", target)?, vector("up", up)?];
        put(
            maker,
            Whole::Pinhole(Pinhole::looking_at(eye, target, up, field_of_view, [width, height])?),
        )
    })
}

/// The rays of a camera of computer vision: three rows of three numbers (fx, skew, cx; 0, fy, cy; 0,
/// 0, 1) and four rows of four numbers, which carry points of the world to the camera's frame, where z
/// goes along the line of sight.
///
/// # Safety
/// `intrinsic` has nine numbers, `extrinsic` sixteen; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_pinhole_of_matrices(
    intrinsic: *const f64,
    extrinsic: *const f64,
    width: u32,
    height: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe {
        let (inner, outer) =
            (all_of("intrinsic", intrinsic, 9)?, all_of("extrinsic", extrinsic, 16)?);
        let inner =
            std::array::from_fn(|row| std::array::from_fn(|column| inner[3 * row + column]));
        let outer =
            std::array::from_fn(|row| std::array::from_fn(|column| outer[4 * row + column]));
        put(maker, Whole::Pinhole(Pinhole::from_matrices(inner, outer, [width, height])?))
    })
}

/// The rays of a picture all around: columns go around `up` from the back by the left and the front,
/// rows from straight up to straight down. Directions have length 1.
///
/// # Safety
/// Vectors have three numbers; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_panorama(
    eye: *const f64,
    forward: *const f64,
    up: *const f64,
    width: u32,
    height: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe {
        let [eye, forward, up] =
            [vector("eye", eye)?, vector("forward", forward)?, vector("up", up)?];
        put(maker, Whole::Panorama(Panorama::new(eye, forward, up, [width, height])?))
    })
}

/// The parallel rays of a camera whose picture is so high, in the scene's units.
///
/// # Safety
/// Vectors have three numbers; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_orthographic(
    eye: *const f64,
    target: *const f64,
    up: *const f64,
    picture_height: f64,
    width: u32,
    height: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe {
        let [eye, target, up] = [vector("eye", eye)?, vector("target", target)?, vector("up", up)?];
        put(
            maker,
            Whole::Grid(Grid::orthographic(eye, target, up, picture_height, [width, height])?),
        )
    })
}

/// Parallel rays from the middles of the cells of a grid: its corner, its two edges (six numbers),
/// and the direction.
///
/// # Safety
/// `edges` has six numbers, other vectors three; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_ray_grid(
    corner: *const f64,
    edges: *const f64,
    direction: *const f64,
    width: u32,
    height: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    // SAFETY: by the caller.
    enter(|| unsafe {
        let (corner, edges) = (vector("corner", corner)?, all_of("edges", edges, 6)?);
        let edges = [[edges[0], edges[1], edges[2]], [edges[3], edges[4], edges[5]]];
        let direction = vector("direction", direction)?;
        put(maker, Whole::Grid(Grid::new(corner, edges, [width, height], direction)?))
    })
}

/// A scanner that spins about its z axis and may be carried along a path.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_lidar_pattern {
    /// `sizeof(lanecast_lidar_pattern)`.
    pub size: usize,
    /// Rows of three `double`: elevation and azimuth in degrees, and how many seconds after the
    /// first beam this one fires.
    pub beams: lanecast_rows,
    /// Firings of all beams in a turn.
    pub steps: u32,
    pub turns: u32,
    /// The seconds of a turn.
    pub seconds: f64,
    /// When the first turn begins.
    pub start: f64,
    /// Degrees between which all firings lie; 0 and 0 stand for a full turn.
    pub sector: [f64; 2],
    /// Rows of eight `double`: a time in seconds, a position, and a rotation as a quaternion x, y, z,
    /// w. Between them the scanner moves evenly. One row: it stands there.
    pub poses: lanecast_rows,
}

/// The rays of a scanner: turn by turn, firing by firing, beam by beam, each t in the scene's units.
///
/// # Safety
/// `pattern` is as its type says; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_lidar(
    pattern: *const lanecast_lidar_pattern,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let (pattern, beams, poses) = unsafe {
            let pattern: lanecast_lidar_pattern = sized("pattern", pattern)?;
            let beams = copied_rows::<f64, 3>("pattern.beams", pattern.beams)?;
            (pattern, beams, copied_rows::<f64, 8>("pattern.poses", pattern.poses)?)
        };
        let beam = |[elevation, azimuth, delay]: [f64; 3]| Beam { elevation, azimuth, delay };
        let pose =
            |[time, x, y, z, rotation @ ..]: [f64; 8]| Pose { time, position: [x, y, z], rotation };
        let beams: Vec<_> = beams.into_iter().map(beam).collect();
        let poses: Vec<_> = poses.into_iter().map(pose).collect();
        let mut lidar = Lidar::new(&beams, pattern.steps)?;
        if pattern.sector != [0.0; 2] {
            lidar = lidar.sector(pattern.sector)?;
        }
        let lidar = lidar.carried(&poses, pattern.start, pattern.seconds, pattern.turns)?;
        // SAFETY: by the caller.
        unsafe { put(maker, Whole::Lidar(lidar)) }
    })
}

/// When each ray of a scanner is fired (`double`, seconds), by which beam (`uint32_t`) and at which
/// azimuth (`double`, degrees), for `count` rays, which is the maker's number. Columns that are null
/// are not written.
///
/// # Safety
/// `maker` is a maker; columns are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_lidar_pulses(
    maker: *const lanecast_maker,
    count: usize,
    time: lanecast_answers,
    beam: lanecast_answers,
    azimuth: lanecast_answers,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let maker = unsafe { handle("maker", maker) }?;
        let Kind::Whole(Whole::Lidar(lidar)) = &*maker.0 else {
            return Err(Failure::argument("maker", "only a lidar has pulses"));
        };
        crate::answers::expect_rows("count", count, maker.count()?)?;
        let mut places = Places::default();
        // SAFETY: by the caller.
        let (time, beam, azimuth) = unsafe {
            (
                places.column::<f64>("time", time, count)?,
                places.column::<u32>("beam", beam, count)?,
                places.column::<f64>("azimuth", azimuth, count)?,
            )
        };
        let pulses = || (0..count).map(|ray| lidar.pulse(ray));
        if let Some(mut time) = time {
            time.fill_with(pulses().map(|pulse| pulse.time));
        }
        if let Some(mut beam) = beam {
            beam.fill_with(pulses().map(|pulse| pulse.beam as u32));
        }
        if let Some(mut azimuth) = azimuth {
            azimuth.fill_with(pulses().map(|pulse| pulse.azimuth));
        }
        Ok(())
    })
}

/// So many rays in the cone of each ray of another maker, whose divergence is in milliradians: the
/// first along it, others around it. It keeps its beams, whose handle may be freed.
///
/// # Safety
/// `beams` is a maker; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_footprint(
    beams: *const lanecast_maker,
    divergence: f64,
    rays: u32,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let beams = Arc::clone(&unsafe { handle("beams", beams) }?.0);
        let made = lanecast_maker(Arc::new(Kind::Footprint { beams, divergence, rays }));
        made.count()?;
        // SAFETY: by the caller.
        unsafe { give("maker", maker, made) }
    })
}

/// Writes the shares of a beam's energy of the rays of its cone, whose sum is 1: `count` numbers, which
/// is that of rays of a beam.
///
/// # Safety
/// `maker` is a maker, and so many numbers may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_footprint_weights(
    maker: *const lanecast_maker,
    count: usize,
    weights: *mut f64,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let maker = unsafe { handle("maker", maker) }?;
        if !matches!(&*maker.0, Kind::Footprint { .. }) {
            return Err(Failure::argument("maker", "only a footprint has weights"));
        }
        // They are the same, but beams from points have one precision.
        let found = match f32::points_of(maker) {
            Some(_) => maker.weights::<f32>()?,
            None => maker.weights::<f64>()?,
        };
        crate::answers::expect_rows("count", count, found.len())?;
        expect_place("weights", weights, count)?;
        // SAFETY: by the caller, and so many are there.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), weights, count) };
        Ok(())
    })
}

/// How rays spread over a hemisphere.
pub type lanecast_spread = i32;
/// As many per solid angle as the cosine of the angle to the normal, as light of a matt surface.
pub const LANECAST_SPREAD_COSINE: lanecast_spread = 0;
/// As many per solid angle everywhere.
pub const LANECAST_SPREAD_UNIFORM: lanecast_spread = 1;

/// So many rays from each point into the hemisphere about its normal, point by point within each
/// direction. Points and normals, rows of three numbers of the precision, are copied.
///
/// # Safety
/// As many rows as are counted lie there; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_hemisphere(
    precision: lanecast_precision,
    points: lanecast_rows,
    normals: lanecast_rows,
    directions: u32,
    spread: lanecast_spread,
    seed: u64,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    enter(|| {
        let spread = match spread {
            LANECAST_SPREAD_COSINE => Spread::Cosine,
            LANECAST_SPREAD_UNIFORM => Spread::Uniform,
            other => return Err(Failure::argument("spread", format!("{other} is none"))),
        };
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let (points, normals) = unsafe {
                (copied_rows::<T, 3>("points", points)?, copied_rows::<T, 3>("normals", normals)?)
            };
            let directions = Directions::Hemisphere { normals, count: directions, spread, seed };
            let made = T::maker_of_points(OfPoints { points, directions });
            made.count()?;
            // SAFETY: by the caller.
            unsafe { give("maker", maker, made) }
        })
    })
}

/// Rays from points towards distant lights, such as the sun hour by hour: light by light, each with
/// all points. Points are rows of three numbers of the precision, directions rows of three `double`;
/// both are copied.
///
/// # Safety
/// As many rows as are counted lie there; `maker` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_sunlight(
    precision: lanecast_precision,
    points: lanecast_rows,
    directions: lanecast_rows,
    maker: *mut *mut lanecast_maker,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let directions = unsafe { copied_rows::<f64, 3>("directions", directions) }?;
        of_precision!("precision", precision, T => {
            // SAFETY: by the caller.
            let points = unsafe { copied_rows::<T, 3>("points", points) }?;
            let made = T::maker_of_points(OfPoints { points, directions: Directions::Sunlight(directions) });
            made.count()?;
            // SAFETY: by the caller.
            unsafe { give("maker", maker, made) }
        })
    })
}

/// A time of the civil calendar, in UTC.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_utc {
    /// From 1583 to 9999.
    pub year: u16,
    /// From 1.
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: f64,
}

/// Where the sun is: latitude in degrees to the north, longitude in degrees to the east. Writes
/// three numbers: a vector of length 1 to it, x to the east, y to the north, z up.
///
/// # Safety
/// `time` is a time, and three numbers may be written to `direction`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_sun_direction(
    time: *const lanecast_utc,
    latitude: f64,
    longitude: f64,
    direction: *mut f64,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let &lanecast_utc { year, month, day, hour, minute, second } =
            unsafe { handle("time", time) }?;
        let sun = Sun::at(Utc { year, month, day, hour, minute, second }, latitude, longitude)?;
        expect_place("direction", direction, 3)?;
        // SAFETY: by the caller.
        unsafe { direction.cast::<[f64; 3]>().write(sun.direction()) };
        Ok(())
    })
}

/// Tells the number of rays of a maker.
///
/// # Safety
/// `maker` is a maker; `count` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_maker_count(
    maker: *const lanecast_maker,
    count: *mut usize,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let found = unsafe { handle("maker", maker) }?.count()?;
        expect_place("count", count, 1)?;
        // SAFETY: by the caller.
        unsafe { count.write(found) };
        Ok(())
    })
}

/// Writes rays of a maker: `count` from number `first` on, origins and directions as three numbers
/// of the precision each.
///
/// # Safety
/// `maker` is a maker; columns are null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_make_rays(
    maker: *const lanecast_maker,
    precision: lanecast_precision,
    first: usize,
    count: usize,
    origin: lanecast_answers,
    direction: lanecast_answers,
) -> lanecast_result {
    enter(|| {
        // SAFETY: by the caller.
        let maker = unsafe { handle("maker", maker) }?;
        of_precision!("precision", precision, T => {
            let mut places = Places::default();
            // SAFETY: by the caller.
            let (mut origin, mut direction) = unsafe {
                (
                    places.column::<[T; 3]>("origin", origin, count)?,
                    places.column::<[T; 3]>("direction", direction, count)?,
                )
            };
            maker.with::<T>(&mut |maker| {
                if first.checked_add(count).is_none_or(|end| end > maker.len()) {
                    let problem = format!("{count} from {first} on are more than the {} rays", maker.len());
                    return Err(Failure::argument("count", problem));
                }
                let mut rays = vec![Ray::new([0.0; 3], [0.0; 3]); count];
                with_default_float_mode(|| maker.make(first, &mut rays));
                if let Some(origin) = &mut origin {
                    origin.fill_with(rays.iter().map(|ray| ray.origin));
                }
                if let Some(direction) = &mut direction {
                    direction.fill_with(rays.iter().map(|ray| ray.direction));
                }
                Ok(())
            })
        })
    })
}

/// Frees a maker; nothing if null.
///
/// # Safety
/// It is null, or was made by this library, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_maker_free(maker: *mut lanecast_maker) {
    // SAFETY: by the caller.
    unsafe { free(maker) }
}
