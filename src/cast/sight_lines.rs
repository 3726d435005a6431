//! Lines from each observer to each target.

use super::{Error, Hit, Ray, Result, Scalar};
use crate::columns::{Maker, expect_length};
use crate::math::sub;
use crate::simd::with_default_float_mode;

/// The primitive on which each of some points lies: geometry ids and primitive ids.
type Grounds<'a> = Option<(&'a [u32], &'a [u32])>;

/// Segments from each observer to each target, `t` from 0 to 1: line `i` · targets + `j` from observer `i` to target `j`.
///
/// Every primitive that a line touches between its ends blocks it. A touch at `t` = 0 or `t` = 1 itself does not, but `t` is
/// off by a few parts in 10⁷ (10¹⁶ in `f64`). For ends on a surface name the [primitive](Self::observers_on) on which they lie, raise them, or
/// [shorten](Self::shortened) all lines a little, as for ends at vertices and edges. Ends at one place see each other.
///
/// ```
/// use lanecast::{Scene, SightLines};
/// // A wall at x = 0, as high as 1.
/// let wall = [[0.0, -9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 9.0, 1.0], [0.0, -9.0, 1.0]];
/// let scene = Scene::from_triangles(&wall, &[[0, 1, 2], [0, 2, 3]])?;
/// let (observers, targets) = ([[-1.0, 0.0, 0.5], [-1.0, 0.0, 2.0]], [[3.0, 0.0, 0.5], [-5.0, 0.0, 0.0]]);
/// let lines = SightLines::new(&observers, &targets)?;
/// let matrix = scene.sight(&lines).matrix()?;
/// assert_eq!((matrix.of_observer(0), matrix.of_observer(1)), (&[0b10][..], &[0b11][..]));
/// // The wall blocks the first line after a quarter of its length.
/// let wall = scene.sight(&lines).first_obstacle(0, 0)?.expect("it is blocked");
/// assert_eq!(wall.t, 0.25);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SightLines<'a, T = f32> {
    observers: &'a [[T; 3]],
    targets: &'a [[T; 3]],
    interval: [T; 2],
    observers_on: Grounds<'a>,
    targets_on: Grounds<'a>,
}

impl<'a, T: Scalar> SightLines<'a, T> {
    /// Lines from these observers to these targets.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: one of the `observers` or `targets` not finite or beyond 2⁹⁹ (2²⁹⁹ in `f64`), or too many lines to count.
    pub fn new(observers: &'a [[T; 3]], targets: &'a [[T; 3]]) -> Result<Self> {
        // No two points are then farther apart than a direction may be long.
        let bound = T::LARGEST_COORDINATE * T::of(0.5);
        let power = if size_of::<T>() == size_of::<f32>() { 99 } else { 299 };
        for (field, points) in [("observers", observers), ("targets", targets)] {
            for (number, point) in points.iter().enumerate() {
                let is_usable = point.iter().all(|x| x.abs() <= bound);
                expect(is_usable, field, || {
                    format!("have {point:?} at {number}; points must be finite and within 2^{power}")
                })?;
            }
        }
        let is_counted = observers.len().checked_mul(targets.len()).is_some();
        expect(is_counted, "targets", || "and points are more than can be counted together".to_owned())?;
        // What is next to 0 and to 1, within.
        let interval = [T::MIN_POSITIVE, T::ONE - T::UNIT_ROUNDOFF];
        Ok(Self { observers, targets, interval, observers_on: None, targets_on: None })
    }

    /// The same lines without this part of their length at each end; 10⁻⁵ is a hundred times the error of `t`.
    /// [`Error::UnusableField`] if it is not from 0 to below 0.5.
    pub fn shortened(self, part: T) -> Result<Self> {
        let is_usable = (T::ZERO..T::of(0.5)).contains(&part);
        expect(is_usable, "part", || format!("is {part}; it must be from 0 to 0.5, 0.5 excluded"))?;
        let [start, end] = self.interval;
        Ok(Self { interval: [part.max(start), (T::ONE - part).min(end)], ..self })
    }

    /// The same lines, not blocked by the primitive under their observer; [`INVALID_ID`](crate::INVALID_ID) is none.
    /// [`Error::ColumnLength`] if there are not as many ids as observers.
    pub fn observers_on(self, geometry_ids: &'a [u32], primitive_ids: &'a [u32]) -> Result<Self> {
        expect_length("geometry ids of observers", geometry_ids.len(), self.observers.len())?;
        expect_length("primitive ids of observers", primitive_ids.len(), self.observers.len())?;
        Ok(Self { observers_on: Some((geometry_ids, primitive_ids)), ..self })
    }

    /// The same for the primitives on which their targets lie.
    pub fn targets_on(self, geometry_ids: &'a [u32], primitive_ids: &'a [u32]) -> Result<Self> {
        expect_length("geometry ids of targets", geometry_ids.len(), self.targets.len())?;
        expect_length("primitive ids of targets", primitive_ids.len(), self.targets.len())?;
        Ok(Self { targets_on: Some((geometry_ids, primitive_ids)), ..self })
    }

    /// The number of observers.
    pub const fn observers(&self) -> usize {
        self.observers.len()
    }

    /// The number of targets.
    pub const fn targets(&self) -> usize {
        self.targets.len()
    }

    /// The number of the line from an observer to a target; [`Error::UnusableField`] if there is no such `observer` or `target`.
    pub fn number(&self, observer: usize, target: usize) -> Result<usize> {
        let (observers, targets) = (self.observers(), self.targets());
        for (field, number, count) in [("observer", observer, observers), ("target", target, targets)] {
            expect(number < count, field, || format!("is {number}, but there are {count}, numbered from 0"))?;
        }
        Ok(observer * targets + target)
    }

    /// The line with this number, which must exist.
    pub(crate) fn line(&self, number: usize) -> Ray<T> {
        let mut line = Ray::new([T::ZERO; 3], [T::ZERO; 3]);
        with_default_float_mode(|| self.make(number, std::slice::from_mut(&mut line)));
        line
    }

    /// Whether any end names the primitive on which it lies.
    pub(crate) const fn stand_on_something(&self) -> bool {
        self.observers_on.is_some() || self.targets_on.is_some()
    }

    /// Whether a hit of this line, on a primitive in no instance, blocks it: the ends do not name that primitive.
    pub(crate) fn counts(&self, number: usize, hit: &Hit<T>) -> bool {
        let (observer, target) = (number / self.targets.len(), number % self.targets.len());
        ![(self.observers_on, observer), (self.targets_on, target)].into_iter().any(|(on, end)| {
            on.is_some_and(|(geometries, primitives)| {
                (geometries[end], primitives[end]) == (hit.geometry_id, hit.primitive_id)
            })
        })
    }
}

impl<T: Scalar> Maker<Ray<T>> for SightLines<'_, T> {
    fn len(&self) -> usize {
        self.observers.len() * self.targets.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        let [t_min, t_max] = self.interval;
        // Without rays there may be no targets.
        let targets = self.targets.len().max(1);
        let (mut observer, mut target) = (first / targets, first % targets);
        for ray in rays {
            let origin = self.observers[observer];
            *ray = Ray { origin, direction: sub(self.targets[target], origin), t_min, t_max };
            target += 1;
            if target == targets {
                (observer, target) = (observer + 1, 0);
            }
        }
    }
}

fn expect(is_usable: bool, field: &'static str, problem: impl Fn() -> String) -> Result<()> {
    let refused = || Error::UnusableField { maker: "sight lines", field, problem: problem() };
    is_usable.then_some(()).ok_or_else(refused)
}
