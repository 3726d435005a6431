//! Observers and targets: from files, raised, and the lines between them.

use crate::failure::{Failure, Result};
use crate::inputs::{OF_POINTS, PointFormat};
use crate::mesh::{self, MeshArguments, Meshes, Read};
use crate::output;
use crate::precision::{Number, Precision};
use crate::vector::{Vector, add, nearest, wide};
use lanecast::{Maker, Ray, Scene, SightLines};
use lanecast_io::{Column, PointChunk, RayIds, excerpt, moved_by_rounding};
use std::path::Path;

/// The points at one end of all lines.
#[derive(Debug, Default)]
pub(super) struct Ends<T> {
    /// What is no point from which lines can go stands at another place, and is not sound.
    points: Vec<[T; 3]>,
    is_sound: Vec<bool>,
    /// What they are called; empty where they have numbers, and none where that is not text.
    ids: Vec<i64>,
    texts: Option<Column>,
    /// By how much rounding moved a coordinate at most.
    pub(super) moved: f64,
    /// The columns of the file that are not read.
    pub(super) ignored: Vec<String>,
}

/// No line between two points within this is longer than a direction may be.
const FARTHEST: f32 = (1_u128 << 99) as f32;

impl<T: Number> Ends<T> {
    /// The points of a file, each moved by this much.
    pub(super) fn read(path: &Path, format: &PointFormat, by: Vector) -> Result<Self> {
        let is_of_points = is_of_points(path, format);
        let Self { mut points, ids, texts, ignored, moved: read, .. } =
            if is_of_points { read_points(path, format)? } else { read_vertices(path)? };
        let raised = |point: &[T; 3]| add(wide(*point), by);
        let moved = moved_by_rounding::<T>(points.iter().flat_map(raised)).max(read);
        points.iter_mut().for_each(|point| *point = nearest(raised(point)));
        let is_sound: Vec<bool> =
            points.iter().map(|point| point.iter().all(|x| x.abs() <= T::of(FARTHEST))).collect();
        // The lines of the substitute are cast, and their answers thrown away.
        let sound = points.iter().zip(&is_sound).find(|(_, is_sound)| **is_sound);
        let substitute = sound.map_or([T::ZERO; 3], |(point, _)| *point);
        for (point, _) in points.iter_mut().zip(&is_sound).filter(|(_, is_sound)| !**is_sound) {
            *point = substitute;
        }
        Ok(Self { points, is_sound, ids, texts, moved, ignored })
    }

    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    fn id(&self, number: usize) -> i64 {
        self.ids.get(number).copied().unwrap_or(number as i64)
    }

    /// How many are no points from which lines can go.
    pub(super) fn unsound(&self) -> usize {
        self.is_sound.iter().filter(|is_sound| !**is_sound).count()
    }
}

/// The lines from each observer to each target; one at an end that is not sound has a defect that
/// says so.
#[derive(Debug)]
pub(super) struct Lines<'a, T: Number> {
    /// Those of substitutes too.
    pub(super) substituted: SightLines<'a, T>,
    observers: &'a Ends<T>,
    targets: &'a Ends<T>,
    /// The part of each line, at each end, in which nothing breaks it.
    part: T,
}

impl<'a, T: Number> Lines<'a, T> {
    pub(super) fn between(
        observers: &'a Ends<T>,
        targets: &'a Ends<T>,
        part: T,
    ) -> lanecast::Result<Self> {
        let substituted = SightLines::new(&observers.points, &targets.points)?.shortened(part)?;
        Ok(Self { substituted, observers, targets, part })
    }

    pub(super) fn targets(&self) -> usize {
        self.targets.count()
    }

    pub(super) fn observers(&self) -> usize {
        self.observers.count()
    }

    /// What the ends of a line are called.
    pub(super) fn ids(&self, observer: usize, target: usize) -> [i64; 2] {
        [self.observers.id(observer), self.targets.id(target)]
    }

    /// What observers and targets of these numbers are called, at the ends where that is text.
    pub(super) fn texts(&self, ends: [&[i64]; 2]) -> [Option<Column>; 2] {
        let of = |(texts, numbers): (&Option<Column>, &[i64])| {
            let texts = texts.as_ref()?;
            Some(texts.of_rows(numbers.iter().map(|&number| number as usize)))
        };
        let [observers, targets] = ends;
        [(&self.observers.texts, observers), (&self.targets.texts, targets)].map(of)
    }

    /// The lines of some of the observers, those of substitutes too.
    pub(super) fn of_observers(
        &self,
        some: std::ops::Range<usize>,
    ) -> lanecast::Result<SightLines<'a, T>> {
        SightLines::new(&self.observers.points[some], &self.targets.points)?.shortened(self.part)
    }

    /// Whether both ends of a line are sound.
    pub(super) fn is_sound(&self, observer: usize, target: usize) -> bool {
        self.observers.is_sound[observer] && self.targets.is_sound[target]
    }
}

impl<T: Number> Maker<Ray<T>> for Lines<'_, T> {
    fn len(&self) -> usize {
        self.substituted.len()
    }

    fn make(&self, first: usize, into: &mut [Ray<T>]) {
        let none = [T::nearest(f64::NAN); 3];
        self.substituted.make(first, into);
        for (number, line) in (first..).zip(into) {
            let (observer, target) = (number / self.targets(), number % self.targets());
            if !self.observers.is_sound[observer] {
                line.origin = none;
            } else if !self.targets.is_sound[target] {
                line.direction = none;
            }
        }
    }
}

/// The extensions of files whose vertices are taken.
const OF_MESHES: [&str; 8] = ["obj", "stl", "off", "gltf", "glb", "tif", "tiff", "scene"];

/// Whether points are to be read and not a mesh: also from what is no file, as pipes have no
/// extension, and from what no extension says to be a mesh if a format of points is given.
fn is_of_points(path: &Path, format: &PointFormat) -> bool {
    let is = |extensions: &[&str]| extensions.contains(&output::extension(path).as_str());
    let is_of_mesh = || is(&OF_MESHES) || Scene::is_scene_file(path);
    output::is_standard(path)
        || output::is_device(path)
        || is(&OF_POINTS)
        || format.is_given() && !is_of_mesh()
}

/// Whether the points of a file, if it is one of points, need f64 at a mesh of this size.
pub(super) fn need_f64(path: &Path, format: &PointFormat, size: f64) -> Result<bool> {
    if is_of_points(path, format) { format.need_f64(path, size) } else { Ok(false) }
}

fn read_points<T: Number>(path: &Path, format: &PointFormat) -> Result<Ends<T>> {
    const ROWS: usize = 1 << 16;
    let (mut reader, mut chunk, mut ends) =
        (format.open::<T>(path)?, PointChunk::default(), Ends::default());
    while reader.next_chunk(ROWS, &mut chunk)? {
        ends.points.extend_from_slice(&chunk.points);
        ends.moved = ends.moved.max(chunk.moved);
        if let RayIds::Given(some) = chunk.ids() {
            ends.ids.extend_from_slice(some);
        }
        if let Some(more) = chunk.kept.first_mut() {
            match &mut ends.texts {
                Some(texts) => texts.append(more),
                None => ends.texts = Some(std::mem::replace(more, more.of_rows([]))),
            }
        }
    }
    Ok(Ends { ignored: reader.ignored_columns().to_vec(), ..ends })
}

fn read_vertices<T: Number>(path: &Path) -> Result<Ends<T>> {
    // A scene file is of the precision that it is of; what of others is rounded is seen here.
    let precision = if Scene::is_scene_file(path) { Precision::Auto } else { Precision::F64 };
    let read = mesh::read_in(path, MeshArguments::default(), precision, |_| Ok(false)).map_err(
        |failure| {
            let extension = output::extension(path);
            if OF_MESHES.contains(&extension.as_str()) || Scene::is_scene_file(path) {
                return failure;
            }
            let (points, meshes) = (OF_POINTS.join(", "), OF_MESHES.join(", "));
            let problem = match extension.as_str() {
                "" => "no extension to tell the format by".to_owned(),
                _ => format!("unknown format \".{}\"", excerpt(&extension)),
            };
            Failure::about(
                path.display(),
                format!("{problem}; known: {points}, and for vertices {meshes}"),
            )
        },
    )?;
    match read {
        Read::F32(meshes) => vertices_of(path, &meshes),
        Read::F64(meshes) => vertices_of(path, &meshes),
    }
}

fn vertices_of<T: Number>(path: &Path, meshes: &Meshes<impl Number>) -> Result<Ends<T>> {
    if let Some(scene) = meshes.scene() {
        scene.check()?;
    }
    let vertices: Vec<_> = meshes.vertices().into_iter().map(wide).collect();
    if vertices.is_empty() {
        let problem = match meshes.scene_with_more() {
            Some(_) => "no vertices to take as points: the scene has no triangles of its own",
            None => "no vertices to take as points",
        };
        return Err(Failure::about(path.display(), problem));
    }
    let moved = moved_by_rounding::<T>(vertices.iter().copied().flatten());
    Ok(Ends { points: vertices.into_iter().map(nearest).collect(), moved, ..Ends::default() })
}
