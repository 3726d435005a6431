//! Lines of sight between observers and targets.

use crate::arrays::{Vectors, index_of};
use crate::current::Now;
use crate::errors::{argument, extracted, one_of, raised, refused};
use crate::ids::Ids;
use crate::number::Number;
use crate::options::Options;
use crate::out::{answer, reshaped, shaped};
use crate::request::culling;
use crate::run::{Machine, run};
use crate::scene::{PyScene, with_scene};
use crate::views::{field, owner};
use lanecast::cast::Lines;
use lanecast::{Cast, Culling, Hit, INVALID_ID, Scene, SightLines};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::borrow::Cow;
use std::sync::Arc;

/// The primitives on which ends of lines lie: geometry ids and primitive ids.
type Grounds<'py> = Option<[Ids<'py>; 2]>;

/// Lines of sight: their arguments, read.
struct Request<'py, T: Number> {
    observers: (Vectors<'py, T>, Vec<usize>),
    targets: (Vectors<'py, T>, Vec<usize>),
    observers_on: Grounds<'py>,
    targets_on: Grounds<'py>,
    shorten: T,
    mask: u32,
    culling: Culling,
    packed: bool,
    /// Whether ends that no line may have are no error.
    misses: bool,
    machine: Machine<'py>,
}

/// The ends of lines on one side, as they are cast.
struct Ends<'a, T: Number> {
    points: Cow<'a, [[T; 3]]>,
    /// The numbers of those that are stood in for, as no line may have them.
    unusable: Vec<usize>,
}

impl<'a, T: Number> Ends<'a, T> {
    /// Whether a line may have an end there.
    fn is_usable(point: &[T; 3]) -> bool {
        point.iter().all(|x| x.to_f64().abs() <= 2_f64.powi(farthest::<T>()))
    }

    fn of(points: &'a [[T; 3]], misses: bool) -> Self {
        let is_unusable = |row: &usize| !Self::is_usable(&points[*row]);
        let unusable: Vec<_> = (0..points.len()).filter(|row| misses && is_unusable(row)).collect();
        let mut points = Cow::Borrowed(points);
        for &row in &unusable {
            points.to_mut()[row] = [T::ZERO; 3];
        }
        Self { points, unusable }
    }
}

/// The power of 2 up to which coordinates of ends may be.
const fn farthest<T>() -> i32 {
    if size_of::<T>() == size_of::<f32>() { 99 } else { 299 }
}

impl<'py, T: Number> Request<'py, T> {
    fn of(
        observers: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
        options: &Options<'py>,
    ) -> PyResult<Self> {
        let mut request = Self {
            observers: Vectors::of_any_shape("observers", observers)?,
            targets: Vectors::of_any_shape("targets", targets)?,
            observers_on: None,
            targets_on: None,
            shorten: T::ZERO,
            mask: u32::MAX,
            culling: Culling::None,
            packed: false,
            misses: false,
            machine: Machine::default(),
        };
        for (name, value) in options.iter() {
            match name {
                "observers_on" => request.observers_on = ground(name, value, &request.observers.1)?,
                "targets_on" => request.targets_on = ground(name, value, &request.targets.1)?,
                "shorten" => request.shorten = T::nearest(extracted(name, value)?),
                "mask" => request.mask = extracted(name, value)?,
                "culling" => request.culling = culling(name, value)?,
                "brute_force" => request.machine.is_slow = extracted(name, value)?,
                "packed" => request.packed = extracted(name, value)?,
                "invalid" => {
                    request.misses = one_of(name, value, &[("raise", false), ("miss", true)])?;
                }
                _ if request.machine.take(name, value)? => {}
                _ => unreachable!("{name} is in the table of options"),
            }
        }
        Ok(request)
    }

    /// What is wrong with the first end that no line may have, by its place in the array.
    fn unusable_end(&self) -> Option<PyErr> {
        for (argument, (points, shape)) in
            [("observers", &self.observers), ("targets", &self.targets)]
        {
            let points = points.rows().ok()?;
            if let Some(row) = points.iter().position(|point| !Ends::is_usable(point)) {
                let (point, power) = (points[row], farthest::<T>());
                let problem =
                    format!("it is {point:?}; points must be finite and within 2^{power}");
                return Some(refused(&format!("{argument}{}", index_of(row, shape)), problem));
            }
        }
        None
    }

    /// The observers and the targets.
    fn ends(&self) -> PyResult<[Ends<'_, T>; 2]> {
        let [observers, targets] = [&self.observers.0, &self.targets.0].map(Vectors::rows);
        Ok([Ends::of(observers?, self.misses), Ends::of(targets?, self.misses)])
    }

    /// Asks for the lines, with the options, on the threads, without the interpreter's lock.
    fn cast<R: Send>(
        &self,
        py: Python<'py>,
        scene: &Scene<T>,
        [observers, targets]: &[Ends<'_, T>; 2],
        query: impl FnOnce(Cast<'_, T, Lines<'_, T>>) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let lines = SightLines::new(&observers.points, &targets.points);
        let lines = lines.map_err(|error| self.unusable_end().unwrap_or_else(|| raised(error)))?;
        let mut lines = lines
            .shortened(self.shorten)
            .map_err(|_| refused("shorten", "it must be from 0 to below 0.5"))?;
        if let Some([geometry_ids, primitive_ids]) = &self.observers_on {
            lines = lines
                .observers_on(geometry_ids.values()?, primitive_ids.values()?)
                .map_err(raised)?;
        }
        if let Some([geometry_ids, primitive_ids]) = &self.targets_on {
            lines = lines
                .targets_on(geometry_ids.values()?, primitive_ids.values()?)
                .map_err(raised)?;
        }
        // It is slow because it is by brute force.
        let options =
            self.machine.options(self.machine.is_slow).mask(self.mask).culling(self.culling);
        run(py, &self.machine, lines.observers() * lines.targets(), |threads, watch| {
            query(scene.sight(&lines).with(&options).threads(threads).watch(watch))
        })
    }
}

/// A primitive for each of these points: a tuple of geometry ids and primitive ids, or answers of
/// an earlier call.
fn ground<'py>(
    argument: &str,
    value: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Grounds<'py>> {
    if value.is_none() {
        return Ok(None);
    }
    let column = |place: usize, name: &str| -> PyResult<_> {
        let column = match value.cast::<PyTuple>() {
            Ok(tuple) => tuple.get_item(place).ok(),
            Err(_) => value.getattr_opt(name)?,
        };
        let expected = || {
            refused(
                argument,
                "answers, or a tuple of geometry ids and primitive ids, were expected",
            )
        };
        Ids::of_shape(&format!("{argument}: {name}"), &column.ok_or_else(expected)?, shape, true)
    };
    Ok(Some([column(0, "geometry_id")?, column(1, "primitive_id")?]))
}

fn sight<'py, T: Number>(
    scene: &Now<'_, T>,
    observers: &Bound<'py, PyAny>,
    targets: &Bound<'py, PyAny>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = observers.py();
    let request = Request::<T>::of(observers, targets, options)?;
    scene.look(&[("observers", observers), ("targets", targets)])?;
    let (rows, columns) = (&*request.observers.1, &*request.targets.1);
    let (targets, ends): (usize, _) = (columns.iter().product(), request.ends()?);
    // Lines that have an end that they may not have.
    let [no_observers, no_targets] = [0, 1].map(|side: usize| &*ends[side].unusable);
    if request.packed {
        let shape = [rows, &[targets.div_ceil(64)]].concat();
        let matrix = request.cast(py, scene, &ends, |cast| cast.matrix())?;
        if no_observers.is_empty() && no_targets.is_empty() {
            let matrix = Arc::new(matrix);
            let words = field(&owner(py, Arc::clone(&matrix))?, matrix.words(), |word: &u64| word);
            return reshaped(&words, &shape);
        }
        let (mut words, width) = (matrix.words().to_vec(), targets.div_ceil(64));
        for of_observer in words.chunks_mut(width.max(1)) {
            no_targets.iter().for_each(|&target| of_observer[target / 64] &= !(1 << (target % 64)));
        }
        for &observer in no_observers {
            words[observer * width..][..width].fill(0);
        }
        return shaped(py, words, &shape);
    }
    let seen: Vec<u8> = request.cast(py, scene, &ends, |cast| {
        let matrix = cast.matrix()?;
        let (mut seen, pairs) = (Vec::new(), matrix.observers() * targets);
        seen.try_reserve_exact(pairs)
            .map_err(|_| lanecast::Error::AnswersTooLarge { rows: pairs })?;
        seen.resize(pairs, 0);
        for (observer, seen) in seen.chunks_mut(targets.max(1)).enumerate() {
            for (bytes, word) in seen.chunks_mut(64).zip(matrix.of_observer(observer)) {
                bytes
                    .iter_mut()
                    .enumerate()
                    .for_each(|(bit, byte)| *byte = (word >> bit & 1) as u8);
            }
            no_targets.iter().for_each(|&target| seen[target] = 0);
        }
        for &observer in no_observers {
            seen[observer * targets..][..targets].fill(0);
        }
        Ok(seen)
    })?;
    shaped(py, seen, &[rows, columns].concat())?.call_method1("view", ("bool",))
}

/// A hit as Python's `Hit`.
pub(crate) fn hit<'py, T: Number>(py: Python<'py>, hit: &Hit<T>) -> PyResult<Bound<'py, PyAny>> {
    let &Hit { t, primitive_id, geometry_id, instance_id, u, v } = hit;
    let instance_id = (instance_id != INVALID_ID).then_some(instance_id);
    let [t, u, v] = [t, u, v].map(T::to_f64);
    answer(py, "Hit", (t, primitive_id, geometry_id, instance_id, u, v))
}

fn first_obstacle<'py, T: Number>(
    scene: &Now<'_, T>,
    [observers, targets]: [&Bound<'py, PyAny>; 2],
    [observer, target]: [usize; 2],
    options: &Options<'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = observers.py();
    let request = Request::<T>::of(observers, targets, options)?;
    scene.look(&[("observers", observers), ("targets", targets)])?;
    let numbered =
        [("observer", observer, &request.observers.1), ("target", target, &request.targets.1)];
    for (argument, number, shape) in numbered {
        let count: usize = shape.iter().product();
        if number >= count {
            let problem =
                format!("{argument}: it is {number}, but there are {count}, numbered from 0");
            return Err(pyo3::exceptions::PyIndexError::new_err(problem));
        }
    }
    let ends = request.ends()?;
    let [no_observers, no_targets] = [0, 1].map(|side: usize| &*ends[side].unusable);
    if no_observers.contains(&observer) || no_targets.contains(&target) {
        return Ok(None);
    }
    let found = request.cast(py, scene, &ends, |cast| cast.first_obstacle(observer, target))?;
    found.map(|found| hit(py, &found)).transpose()
}

#[pymethods]
impl PyScene {
    #[doc = signature!(sight)]
    /// Whether each target is in sight of each observer: whether nothing touches the line between
    /// them.
    ///
    /// - `observers`, `targets`: points of shape (..., 3), float32, float64 or whole numbers.
    /// - `shorten`: the part of each line, from 0 to below 0.5, that is left out at both ends; 1e-5
    ///   is plenty for ends that lie on a surface.
    /// - `observers_on`, `targets_on`: the primitive on which each lies and which does not block
    ///   its lines: a tuple of geometry ids and primitive ids of the shape of the points, or
    ///   answers such as those of `closest_point`. INVALID_ID or -1 is none; primitives in
    ///   instances always count.
    /// - `mask`: lines are blocked by what has a bit in common with it.
    /// - `culling`: "none", or the side that blocks nothing, "front" or "back".
    /// - `invalid`: "raise", or "miss" for points that are not finite, or too far away, to be out of
    ///   sight.
    /// - `packed`: whether the answer is bits.
    /// - `brute_force`, `threads`, `backend`, `progress`: as of `closest_hit`.
    ///
    /// Returns bool of the shape of the observers followed by that of the targets, as (observers,
    /// targets). If packed, uint64 of the shape of the observers followed by one dimension,
    /// ceil(targets / 64): target j is bit j % 64 of word j // 64. Lines are made while they are
    /// cast, and not stored. Ends at one place see each other.
    ///
    /// Raises ValueError for another shape and for points that are not finite, by their place;
    /// TypeError for another dtype.
    ///
    /// >>> import lanecast
    /// >>> wall = lanecast.Scene([[-9, -9, 0], [9, -9, 0], [0, 0, 0]], [[0, 1, 2]])
    /// >>> wall.sight([[0.0, -1, 5]], [[0.0, -1, -5], [0, 9, -5]]).tolist()
    /// [[False, True]]
    #[pyo3(signature = (observers, targets, **options), text_signature = None)]
    fn sight<'py>(
        &self,
        observers: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(sight, options)?;
        with_scene!(&self.content, scene => sight(scene, observers, targets, &options))
    }

    #[doc = signature!(first_obstacle)]
    /// The first hit that blocks the line from one observer to one target.
    ///
    /// - `observers`, `targets` and further arguments: as of `sight`.
    /// - `observer`, `target`: their numbers, counted over all leading dimensions.
    ///
    /// Returns a `Hit`, whose t is the part of the line's length, or None if nothing blocks the
    /// line, or if an end is `invalid`. Raises IndexError for an observer or a target that does not
    /// exist, and the errors of `sight`.
    ///
    /// >>> import lanecast
    /// >>> wall = lanecast.Scene([[-9, -9, 0], [9, -9, 0], [0, 0, 0]], [[0, 1, 2]])
    /// >>> wall.first_obstacle([[0.0, -1, 5]], [[0.0, -1, -15]], 0, 0).t
    /// 0.25
    #[pyo3(signature = (observers, targets, observer, target, **options), text_signature = None)]
    fn first_obstacle<'py>(
        &self,
        observers: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = argument::observer)] observer: usize,
        #[pyo3(from_py_with = argument::target)] target: usize,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let ends = [observers, targets];
        let options = options!(first_obstacle, options)?;
        with_scene!(&self.content, scene => first_obstacle(scene, ends, [observer, target], &options))
    }
}
