//! Errors: one type, whose messages name the input and the place.

mod excerpt;
mod file_problem;

pub use excerpt::{excerpt, excerpt_of_name};
pub use file_problem::FileProblem;

use crate::simd::Backend;

/// The result of every fallible call of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a call of the engine was refused.
///
/// A bad ray in a batch is not an error: its row gets a [`Status`](crate::Status) with the reason, and the rest of
/// the batch goes on. A single bad ray is [`InvalidRay`](Self::InvalidRay).
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
        /// The number of geometries.
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
    /// A query of closest points at a scene with primitives of the caller that have none.
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
        /// The number of instances.
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
        /// The greatest depth.
        most: u32,
    },
    /// More instances than ids, counting those of instances in instances again for each.
    #[error(
        "{instances} instances, also those in instances, are more than one scene holds: at most 2^31 - 1"
    )]
    TooManyInstances {
        /// The number that there would be.
        instances: u64,
    },
    /// A mesh that moves has not as many triangles as before.
    #[error(
        "geometry {geometry_id}: {found} triangles cannot take the place of {expected}; replace the geometry"
    )]
    TriangleCount {
        /// The geometry.
        geometry_id: u32,
        /// The number of triangles as given.
        found: usize,
        /// The number of triangles that it has.
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
        /// The number of vertices.
        vertices: usize,
    },
    /// A query of inside points at a surface that is not closed. Where corners that should be the same differ a
    /// little, [`Scene::closing_tolerance`](crate::Scene::closing_tolerance) gives the tolerance that closes it.
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
    /// A query of inside points at a scene with primitives of the caller that enclose no solids.
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
    /// A parameter of a ray maker cannot be used.
    #[error("{maker}: {field} {problem}")]
    UnusableField {
        /// Which maker.
        maker: &'static str,
        /// The parameter.
        field: &'static str,
        /// The fault, and the valid range.
        problem: String,
    },
    /// More primitives, triangles and others together, than one scene can hold.
    #[error(
        "{triangles} primitives are more than one scene holds: at most 2^30, in a tree of 64 GiB at most"
    )]
    TooManyTriangles {
        /// The number that there would be.
        triangles: usize,
    },
    /// More primitives than an index of 32 bits can name.
    #[error("{primitives} primitives are more than one call takes: at most 2^32 - 1")]
    TooManyPrimitives {
        /// The number of primitives.
        primitives: usize,
    },
    /// More lines than many against many takes.
    #[error("{lines} lines are more than one call takes: at most 2^32 - 1")]
    TooManyLines {
        /// The number of lines.
        lines: usize,
    },
    /// A grid has points that cannot be used.
    #[error("grid, along {axis}: {reason}")]
    UnusableGrid {
        /// The axis.
        axis: &'static str,
        /// The fault.
        reason: &'static str,
    },
    /// The answers of a call are more than memory holds.
    #[error("the answers of {rows} rows do not fit into memory")]
    AnswersTooLarge {
        /// The rows of the answer: lines, or primitives where there is one line, or points.
        rows: usize,
    },
    /// A single line, ray, segment or point cannot be used; in a batch its row gets the same status, and in bulk it
    /// counts among the [`Defects`](crate::primitive::Defects).
    #[error("the ray or segment cannot be tested: {status}")]
    InvalidRay {
        /// The defect.
        status: crate::status::Status,
    },
    /// A line of sight cannot be cast at something placed: in its frame, coordinates are beyond 2¹⁰⁰ or the line is too
    /// short.
    #[error("the line from observer {observer} to target {target} cannot be cast: {status}")]
    InvalidLine {
        /// The observer's number.
        observer: usize,
        /// The target's number.
        target: usize,
        /// The defect of the line.
        status: crate::status::Status,
    },
    /// The number of threads asked for cannot be had.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number requested.
        threads: usize,
        /// The error of the system.
        reason: String,
    },
    /// A scene file cannot be written, read, or used.
    #[error("{}: {problem}", excerpt_of_name(path))]
    SceneFile {
        /// The path.
        path: String,
        /// The fault.
        problem: FileProblem,
    },
    /// The caller's watcher asked to stop.
    #[error("stopped when {done} of {total} were done")]
    Stopped {
        /// Rays answered, in bulk pairs tested, of a file bytes written; which ones is unspecified.
        done: usize,
        /// The total.
        total: usize,
    },
}

/// The instance path of a geometry, for messages.
fn in_instances(path: &[u32]) -> String {
    match path {
        [] => String::new(),
        path => format!(" in instance {}", path.iter().map(u32::to_string).collect::<Vec<_>>().join("/")),
    }
}
