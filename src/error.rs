//! Errors: one type, whose messages name the input and the place.

use std::borrow::Cow;
use std::io;

use crate::simd::Backend;

/// The result of every fallible call of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a call of the engine was refused.
///
/// A bad ray in a batch is not an error: its row gets a [`Status`](crate::Status) with the reason.
/// A single bad ray is [`InvalidRay`](Self::InvalidRay).
///
/// Fields hold what the message shows. Geometries and instances are counted in the order of adding,
/// primitives and vertices within their geometry. An `instance_path` has the numbers of the
/// instances around the geometry, outermost first.
#[expect(missing_docs, reason = "of fields: the messages say what they hold")]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A backend was named that lanecast does not have.
    #[error(
        "unknown backend {:?}; available here: {}",
        excerpt(name),
        Backend::names_of_available()
    )]
    UnknownBackend { name: String },
    /// A backend was named that this machine cannot run.
    #[error(
        "backend {name} is not available on this machine; available here: {}",
        Backend::names_of_available()
    )]
    UnavailableBackend { name: &'static str },
    /// A column of a batch is not as long as the others, or as there are rays.
    #[error("column {column} holds {found} values, but {expected} were expected")]
    ColumnLength { column: &'static str, found: usize, expected: usize },
    /// A slice of rows does not divide into whole rows.
    #[error("{found} values do not divide into rows of {width}")]
    RowWidth { found: usize, width: usize },
    /// A geometry was named that the scene does not have; its ids are below `geometries`.
    #[error("there is no geometry {geometry_id}: {}", absent(*geometry_id, *geometries))]
    UnknownGeometry { geometry_id: u32, geometries: usize },
    /// A primitive was named that the scene does not have.
    #[error(
        "geometry {geometry_id}: there is no such geometry, or it has no primitive {primitive_id} of the kind that was asked for"
    )]
    UnknownPrimitive { geometry_id: u32, primitive_id: u32 },
    /// A query of closest points at primitives of the caller that have none, or at round cones in
    /// an instance that stretches or shears: the first such geometry, hidden or not.
    #[error(
        "geometry {geometry_id}{}: its primitives do not say where they are nearest to a point (`Primitives::nearest_points`; round cones do not in instances that stretch)",
        in_instances(instance_path)
    )]
    NotForPoints { geometry_id: u32, instance_path: Vec<u32> },
    /// An instance was named that the scene does not have; its numbers are below `instances`.
    #[error("there is no instance {instance}: {}", absent(*instance, *instances))]
    UnknownInstance { instance: u32, instances: usize },
    /// A transform has no inverse, or one that numbers do not hold.
    #[error(
        "instance {instance}: its transform {rows:?} is singular: it flattens space, stretches it more than 2^20 times as far one way as another, or is not finite"
    )]
    SingularTransform { instance: u32, rows: [[f64; 4]; 3] },
    /// A transform takes what is placed, or the rays that are to meet it, beyond what coordinates
    /// may be.
    #[error(
        "instance {instance}: its transform {rows:?} takes it or its rays out of range: coordinates are at most 2^100 in magnitude, and scales between 2^-60 and 2^60"
    )]
    InstanceOutOfRange { instance: u32, rows: [[f64; 4]; 3] },
    /// Scenes lie one in another deeper than is allowed.
    #[error("instance {instance}: scenes are placed in scenes more than {most} deep")]
    NestedTooDeep { instance: u32, most: u32 },
    /// More instances than ids, counting those of instances in instances again for each.
    #[error(
        "{instances} instances, also those in instances, are more than one scene holds: at most 2^31 - 1"
    )]
    TooManyInstances { instances: u64 },
    /// Normals for a mesh come with more or fewer triangles than it has.
    #[error("geometry {geometry_id}: {found} triangles are given, but it has {expected}")]
    TriangleCount { geometry_id: u32, found: usize, expected: usize },
    /// Vertices were given for a geometry that is no [deformable
    /// mesh](crate::Geometry::deformable_mesh).
    #[error(
        "geometry {geometry_id}: only what was added as a deformable mesh can be refitted; replace the geometry"
    )]
    NotDeformable { geometry_id: u32 },
    /// A triangle names a vertex that its mesh does not have.
    #[error(
        "geometry {geometry_id}: triangle {primitive_id} names vertex {vertex}, but the mesh has {vertices} vertices"
    )]
    VertexOutOfRange { geometry_id: u32, primitive_id: u32, vertex: u32, vertices: usize },
    /// A query of inside points at a surface that is not closed: the first triangle at an open
    /// edge, and the ends of the edge. [`generalised_winding`](crate::Cast::generalised_winding)
    /// answers it all the same. See [`Scene::closing_tolerance`](crate::Scene::closing_tolerance)
    /// where corners that should be the same differ a little.
    #[error(
        "geometry {geometry_id}: the surface is open along an edge of triangle {primitive_id}, from {:?} to {:?}: it has no inside",
        Shown(ends[0]),
        Shown(ends[1])
    )]
    OpenSurface { geometry_id: u32, primitive_id: u32, ends: [[f64; 3]; 2] },
    /// A query of inside points at primitives of the caller that enclose no solids: the first such
    /// geometry not hidden.
    #[error(
        "geometry {geometry_id}{}: its primitives do not say that they are closed (`Primitives::is_closed`): they have no inside",
        in_instances(instance_path)
    )]
    NotClosed { geometry_id: u32, instance_path: Vec<u32> },
    /// Vertices cannot be [welded](crate::SceneBuilder::weld) within this distance.
    #[error("a tolerance of {tolerance} is not a distance; it must be finite and not negative")]
    UnusableTolerance { tolerance: f64 },
    /// A vertex has a coordinate that is NaN, infinite, or beyond 2¹⁰⁰ in magnitude.
    #[error(
        "geometry {geometry_id}: vertex {vertex} is {position:?}; coordinates must be finite and at most 2^100 in magnitude"
    )]
    UnusableVertex { geometry_id: u32, vertex: usize, position: [f64; 3] },
    /// The box around a primitive cannot be used.
    #[error(
        "geometry {geometry_id}: the box around primitive {primitive_id} is from {:?} to {:?}; coordinates must be finite and at most 2^100 in magnitude",
        Shown(bounds[0]),
        Shown(bounds[1])
    )]
    UnusableBounds { geometry_id: u32, primitive_id: u32, bounds: [[f64; 3]; 2] },
    /// The axes of an oriented box are not unit vectors, or not square to each other. `row` is its
    /// place in its slice or columns, 0 for a box by itself; `off` the greatest magnitude in A·Aᵀ −
    /// I, with the axes as rows of A, or NaN.
    #[error(
        "oriented box {row}: its axes are not orthonormal: they are off by {off:e}; 2^-16 is allowed, 2^-40 in f64"
    )]
    AxesNotOrthonormal { row: usize, off: f64 },
    /// A number of an oriented box cannot be used. `row` is its place in its slice or columns, 0
    /// for a box by itself.
    #[error(
        "oriented box {row}: {component} is {value:e}; centers must be finite and at most 2^100 in magnitude, half extents so and not negative (2^300 in f64)"
    )]
    UnusableObb { row: usize, component: &'static str, value: f64 },
    /// A parameter of a ray maker, a frustum or a request cannot be used: the fault, and the valid
    /// range.
    #[error("{maker}: {field} {problem}")]
    UnusableField { maker: &'static str, field: &'static str, problem: String },
    /// An element of a list that a ray maker is given cannot be used, by its place in the list: the
    /// fault, and the valid range.
    #[error("{maker}: {field} at {row}: {problem}")]
    UnusableRow { maker: &'static str, field: &'static str, row: usize, problem: String },
    /// More primitives, triangles and others together, than one scene can hold.
    #[error(
        "{triangles} primitives are more than one scene holds: at most 2^30, in a tree of 64 GiB at most"
    )]
    TooManyTriangles { triangles: usize },
    /// More primitives than an index of 32 bits can name.
    #[error("{primitives} primitives are more than one call takes: at most 2^32 - 1")]
    TooManyPrimitives { primitives: usize },
    /// More lines than many against many takes.
    #[error("{lines} lines are more than one call takes: at most 2^32 - 1")]
    TooManyLines { lines: usize },
    /// A grid has points that cannot be used.
    #[error("grid, along {axis}: {reason}")]
    UnusableGrid { axis: &'static str, reason: &'static str },
    /// The answers of a call are more than memory holds. Rows are lines, or primitives where there
    /// is one line, or points.
    #[error("the answers of {rows} rows do not fit into memory")]
    AnswersTooLarge { rows: usize },
    /// A single line, ray, segment or point cannot be used; in a batch its row gets the same
    /// status.
    #[error("the ray or segment cannot be tested: {status}")]
    InvalidRay { status: crate::status::Status },
    /// A line of sight cannot be cast at something placed: in its frame it goes beyond 2¹⁰⁰ or is
    /// too short.
    #[error("the line from observer {observer} to target {target} cannot be cast: {status}")]
    InvalidLine { observer: usize, target: usize, status: crate::status::Status },
    /// The number of threads asked for cannot be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: String },
    /// A scene file cannot be written, read, or used.
    #[error("{}: {problem}", excerpt_of_name(path))]
    SceneFile { path: String, problem: FileProblem },
    /// A tree of a scene is not what was built: `fault` is the first difference. It is a defect of
    /// lanecast or of the file that the scene was opened from.
    #[error("the scene is damaged: {fault}")]
    DamagedScene { fault: String },
    /// The watcher asked to stop. Counted are rays, in bulk pairs, of a file bytes; which ones is
    /// unspecified.
    #[error("stopped when {done} of {total} were done")]
    Stopped { done: usize, total: usize },
}

/// Why a scene file was refused.
#[expect(missing_docs, reason = "of fields: the messages say what they hold")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system refused to open, read, map or write it, with this number of an error if it has
    /// one.
    #[error("{reason}")]
    System { kind: io::ErrorKind, errno: Option<i32>, reason: String },
    /// The scene holds primitives of the caller, which cannot be stored: the first such geometry,
    /// and the instances around it.
    #[error(
        "geometry {geometry_id}{} is of primitives of the caller's own, which cannot be saved",
        if instance_path.is_empty() { String::new() } else { format!(" in the instance {instance_path:?}") }
    )]
    NotSaved { instance_path: Vec<u32>, geometry_id: u32 },
    /// More different scenes are placed one in another than a file holds, counting the outermost
    /// and each of others once.
    #[error("{scenes} different scenes are more than one file holds: at most {most}")]
    TooManyScenes { scenes: usize, most: usize },
    /// It is something else, namely `found`: another kind of file, or nothing that can be mapped.
    #[error("not a scene file: {found}")]
    Foreign { found: &'static str },
    /// It was written on a machine that puts the bytes of a number the other way round:
    /// `big-endian` or `little-endian`.
    #[error("its numbers are {found}, and this machine's are not: build the scene anew here")]
    ByteOrder { found: &'static str },
    /// It holds a scene of another precision.
    #[error("it holds a scene of {found}, and one of {asked} was asked for")]
    Precision { found: &'static str, asked: &'static str },
    /// It was written by an older or a newer lanecast.
    #[error(
        "format version {found}, but this lanecast reads version {known}: build the scene anew"
    )]
    Version { found: u32, known: u32 },
    /// It is not as long as it says.
    #[error("{}: {found} bytes instead of {expected}", if .found < .expected { "truncated" } else { "too long" })]
    Length { found: u64, expected: u64 },
    /// It holds something that this lanecast does not know, and that the scene cannot do without.
    #[error("it needs the section {section:?}, which this lanecast does not know")]
    UnknownSection { section: String },
    /// Something that every scene has is not there.
    #[error("damaged: there is no section {section:?}")]
    MissingSection { section: String },
    /// The content is damaged, or contradicts itself; the place is the name of a section, or
    /// `header`.
    #[error("damaged: {place}: {what}")]
    Damaged { place: String, what: String },
}

impl From<io::Error> for FileProblem {
    fn from(error: io::Error) -> Self {
        Self::System { kind: error.kind(), errno: error.raw_os_error(), reason: error.to_string() }
    }
}

/// A point in messages: with the digits of `f32` where all of its numbers are such.
struct Shown([f64; 3]);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let narrow = self.0.map(|x| x as f32);
        let is_narrow = narrow.map(|x| f64::from(x).to_bits()) == self.0.map(f64::to_bits);
        if is_narrow { narrow.fmt(f) } else { self.0.fmt(f) }
    }
}

/// Why there is nothing with this id.
fn absent(id: u32, bound: usize) -> String {
    if (id as usize) < bound {
        return "it was removed, or is of another kind".to_owned();
    }
    format!("the scene has {bound}, numbered from 0")
}

/// The instance path of a geometry, for messages.
fn in_instances(path: &[u32]) -> String {
    match path {
        [] => String::new(),
        path => format!(
            " in instance {}",
            path.iter().map(u32::to_string).collect::<Vec<_>>().join("/")
        ),
    }
}

/// The most characters that a message repeats, the mark of what is left out among them.
const MOST: usize = 200;

/// Text of a file or a command line for a message: at most 200 characters, the last of them `…` if
/// more are left out.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    if text.chars().nth(MOST).is_none() {
        return text.into();
    }
    let kept: String = text.chars().take(MOST - 1).collect();
    (kept + "…").into()
}

/// The name of a file or an option as a message may begin with it: at most 200 characters, of which
/// the first is `…` if more are left out, as the end of a path tells more than its beginning.
pub fn excerpt_of_name(name: &str) -> Cow<'_, str> {
    let length = name.chars().count();
    if length <= MOST {
        return name.into();
    }
    let kept: String = name.chars().skip(length + 1 - MOST).collect();
    format!("…{kept}").into()
}

#[cfg(test)]
#[path = "../tests/unit/error.rs"]
mod tests;
