//! What can go wrong, as one type whose messages name the input and the place.

mod excerpt;
mod file_problem;

pub use excerpt::{excerpt, excerpt_of_name};
pub use file_problem::FileProblem;

use crate::simd::Backend;

/// The result of every fallible call of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call of the engine was refused.
///
/// A bad ray in a batch is not an error: it is answered in its own row with a
/// [`Status`](crate::Status) that says what is wrong, and the rest of its batch goes on. Asked for by
/// itself it is [`InvalidRay`](Self::InvalidRay).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A backend was named that lanecast does not have.
    #[error("unknown backend {:?}; available here: {}", excerpt(name), Backend::names_of_available())]
    UnknownBackend {
        /// The name as it was given.
        name: String,
    },
    /// A backend was named that this machine cannot run.
    #[error(
        "backend {name} is not available on this machine; available here: {}",
        Backend::names_of_available()
    )]
    UnavailableBackend {
        /// The backend's name.
        name: &'static str,
    },
    /// A column of a batch is not as long as the others, or as there are rays.
    #[error("column {column} holds {found} values, but {expected} were expected")]
    ColumnLength {
        /// Which column.
        column: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// A slice of rows does not divide into whole rows.
    #[error("{found} values do not divide into rows of {width}")]
    RowWidth {
        /// Values in the slice.
        found: usize,
        /// Values a row should have.
        width: usize,
    },
    /// A geometry was named that the scene does not have.
    #[error("there is no geometry {geometry_id}: the scene has {geometries}, numbered from 0")]
    UnknownGeometry {
        /// The number as it was given.
        geometry_id: u32,
        /// The count.
        geometries: usize,
    },
    /// A primitive was named that the scene does not have.
    #[error(
        "geometry {geometry_id}: there is no such geometry, or it has no primitive {primitive_id} of the kind that was asked for"
    )]
    UnknownPrimitive {
        /// The geometry as it was given.
        geometry_id: u32,
        /// The primitive as it was given.
        primitive_id: u32,
    },
    /// What is nearest to points was asked of a scene with primitives of the caller's own that do not say it.
    #[error(
        "geometry {geometry_id}{}: its primitives do not say where they are nearest to a point (`Primitives::nearest_points`)",
        in_instances(instance_path)
    )]
    NotForPoints {
        /// The first such geometry within its scene, hidden or not.
        geometry_id: u32,
        /// The instances that scene lies in, outermost first, each by its number; none for the scene itself.
        instance_path: Vec<u32>,
    },
    /// An instance was named that the scene does not have.
    #[error("there is no instance {instance}: the scene has {instances}, numbered from 0")]
    UnknownInstance {
        /// The number as it was given.
        instance: usize,
        /// The count.
        instances: usize,
    },
    /// A transform has no inverse, or one that numbers do not hold.
    #[error(
        "instance {instance}: its transform {rows:?} is singular: it flattens space, stretches it more than 2^20 times as far one way as another, or is not finite"
    )]
    SingularTransform {
        /// The instance, counted in the order of adding.
        instance: usize,
        /// The rows of the transform.
        rows: [[f64; 4]; 3],
    },
    /// A transform takes what is placed, or the rays that are to meet it, beyond what coordinates may be.
    #[error(
        "instance {instance}: its transform {rows:?} takes it or its rays out of range: coordinates are at most 2^100 in magnitude, and scales between 2^-60 and 2^60"
    )]
    InstanceOutOfRange {
        /// The instance, counted in the order of adding.
        instance: usize,
        /// The rows of the transform.
        rows: [[f64; 4]; 3],
    },
    /// Scenes lie one in another deeper than is allowed.
    #[error("instance {instance}: scenes are placed in scenes more than {most} deep")]
    NestedTooDeep {
        /// The instance, counted in the order of adding.
        instance: usize,
        /// How deep they may lie.
        most: u32,
    },
    /// More instances than ids, counting those of instances in instances again for each.
    #[error(
        "{instances} instances, counting those in each instance again, are more than one scene holds: at most 2^31 - 1"
    )]
    TooManyInstances {
        /// How many there would be.
        instances: u64,
    },
    /// A mesh that moves has not as many triangles as before.
    #[error(
        "geometry {geometry_id}: {found} triangles cannot take the place of {expected}; replace the geometry instead"
    )]
    TriangleCount {
        /// The geometry.
        geometry_id: u32,
        /// Its triangles as they were given.
        found: usize,
        /// How many it has.
        expected: usize,
    },
    /// A triangle names a vertex that its mesh does not have.
    #[error(
        "geometry {geometry_id}: triangle {primitive_id} names vertex {vertex}, but the mesh has {vertices} vertices"
    )]
    VertexOutOfRange {
        /// The geometry, counted in the order of adding.
        geometry_id: u32,
        /// The triangle within its geometry.
        primitive_id: u32,
        /// The index that is out of range.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// What is inside was asked of a surface that does not close. Where corners that should be the same differ by a
    /// little, [`Scene::closing_tolerance`](crate::Scene::closing_tolerance) says by how much.
    #[error(
        "geometry {geometry_id}: the surface is open along an edge of triangle {primitive_id}, from {:?} to {:?}: it has no inside",
        ends[0],
        ends[1]
    )]
    OpenSurface {
        /// The geometry of the first triangle at an open edge.
        geometry_id: u32,
        /// That triangle.
        primitive_id: u32,
        /// The ends of the edge.
        ends: [[f32; 3]; 2],
    },
    /// What is inside was asked of a scene with primitives of the caller's own that do not enclose solids.
    #[error(
        "geometry {geometry_id}{}: its primitives do not say that they are closed (`Primitives::is_closed`): they have no inside",
        in_instances(instance_path)
    )]
    NotClosed {
        /// The first such geometry within its scene that is not hidden.
        geometry_id: u32,
        /// The instances that scene lies in, outermost first, each by its number; none for the scene itself.
        instance_path: Vec<u32>,
    },
    /// Vertices cannot be [welded](crate::SceneBuilder::weld) within this distance.
    #[error("a tolerance of {tolerance} is not a distance; it must be finite and not negative")]
    UnusableTolerance {
        /// The tolerance as it was given.
        tolerance: f64,
    },
    /// A vertex has a coordinate that is NaN, infinite, or beyond 2¹⁰⁰ in magnitude.
    #[error(
        "geometry {geometry_id}: vertex {vertex} is {position:?}; coordinates must be finite and at most 2^100 in magnitude"
    )]
    UnusableVertex {
        /// The geometry, counted in the order of adding.
        geometry_id: u32,
        /// The vertex within its geometry.
        vertex: usize,
        /// The vertex as it was given.
        position: [f64; 3],
    },
    /// The box around a primitive cannot be used.
    #[error(
        "geometry {geometry_id}: the box around primitive {primitive_id} is from {:?} to {:?}; coordinates must be finite and at most 2^100 in magnitude",
        bounds[0],
        bounds[1]
    )]
    UnusableBounds {
        /// The geometry, counted in the order of adding.
        geometry_id: u32,
        /// The primitive within its geometry.
        primitive_id: u32,
        /// The box's corners as they were given.
        bounds: [[f32; 3]; 2],
    },
    /// The axes of an oriented box are not unit vectors, or not square to each other.
    #[error(
        "oriented box {row}: its axes are not orthonormal: they are off by {off:e}; 2^-16 is allowed, 2^-40 in f64"
    )]
    AxesNotOrthonormal {
        /// The box's place in its slice or columns; 0 for a box by itself.
        row: usize,
        /// The greatest magnitude among the entries of A·Aᵀ − I, with the axes as rows of A; NaN if one is.
        off: f64,
    },
    /// A number of an oriented box cannot be used.
    #[error(
        "oriented box {row}: {component} is {value:e}; centers must be finite and at most 2^100 in magnitude, half extents so and not negative (2^300 in f64)"
    )]
    UnusableObb {
        /// The box's place in its slice or columns; 0 for a box by itself.
        row: usize,
        /// Which number.
        component: &'static str,
        /// The number.
        value: f64,
    },
    /// What a ray maker was given cannot be used.
    #[error("{maker}: {field} {problem}")]
    UnusableField {
        /// Which maker.
        maker: &'static str,
        /// Which of the things that it is made from.
        field: &'static str,
        /// What is wrong with it, and what would do.
        problem: String,
    },
    /// More primitives, triangles and others together, than one scene can hold.
    #[error(
        "{triangles} primitives are more than one scene holds: at most 2^30, in a tree of at most 64 GiB"
    )]
    TooManyTriangles {
        /// How many there would be.
        triangles: usize,
    },
    /// More primitives than an index of 32 bits can name.
    #[error("{primitives} primitives are more than one call takes: at most 2^32 - 1")]
    TooManyPrimitives {
        /// The count.
        primitives: usize,
    },
    /// More lines than many against many takes.
    #[error("{lines} lines are more than one call takes: at most 2^32 - 1")]
    TooManyLines {
        /// The count.
        lines: usize,
    },
    /// A grid has points that cannot be used.
    #[error("grid, along {axis}: {reason}")]
    UnusableGrid {
        /// The axis.
        axis: &'static str,
        /// What is wrong.
        reason: &'static str,
    },
    /// The answers of a call are more than memory holds.
    #[error("the answers of {rows} rows do not fit into memory")]
    AnswersTooLarge {
        /// The rows of the answer: lines, or primitives where there is one line, or points.
        rows: usize,
    },
    /// A single line, ray or segment cannot be tested, or nothing be asked about a point; in a batch the same finding
    /// stands in the ray's row, and in bulk it counts among the [`Defects`](crate::Defects).
    #[error("the ray or segment cannot be tested: {status}")]
    InvalidRay {
        /// What is wrong with it.
        status: crate::status::Status,
    },
    /// A line of sight cannot be cast at something that is placed: in its frame, coordinates are beyond 2¹⁰⁰ or the line
    /// is too short.
    #[error("the line from observer {observer} to target {target} cannot be cast: {status}")]
    InvalidLine {
        /// The observer's number.
        observer: usize,
        /// The target's number.
        target: usize,
        /// What is wrong with the line.
        status: crate::status::Status,
    },
    /// The number of threads asked for cannot be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A scene file cannot be written, read, or used.
    #[error("{}: {problem}", excerpt_of_name(path))]
    SceneFile {
        /// Where it is, or should have been.
        path: String,
        /// What is wrong.
        problem: FileProblem,
    },
    /// The caller's watcher asked to stop.
    #[error("stopped when {done} of {total} were done")]
    Stopped {
        /// Rays that had been answered, in bulk pairs that had been tested; which ones is unspecified. Of a file
        /// bytes that had been written.
        done: usize,
        /// The count.
        total: usize,
    },
}

/// Where a geometry is, after its number.
fn in_instances(path: &[u32]) -> String {
    match path {
        [] => String::new(),
        path => format!(" in instance {}", path.iter().map(u32::to_string).collect::<Vec<_>>().join("/")),
    }
}
