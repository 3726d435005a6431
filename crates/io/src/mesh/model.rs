//! What a mesh file holds.

use super::faces::Faces;
use super::unusable::Unusable;
use super::{Coarseness, Coordinate, Input, counted, joined_name};
use crate::error::{FileName, Result};
use lanecast::Affine;
use std::ops::Range;

/// A triangle mesh as its file has it.
#[derive(Clone, PartialEq)]
pub struct Mesh<T = f32> {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// Positions, in the file's units.
    pub vertices: Vec<[T; 3]>,
    /// Three vertex numbers each, counter-clockwise seen from outside; all below
    /// `vertices.len()`.
    pub triangles: Vec<[u32; 3]>,
    /// The face that each triangle is of, by its number in the file from 0. `None` where every
    /// triangle has the number of its face: then no polygon of more corners and no strip was cut.
    /// Strips and fans of glTF are no faces.
    pub face_ids: Option<Vec<u32>>,
    /// The normal of each vertex as the file has it, of any length; of a vertex that no triangle
    /// names it may be 0.
    pub normals: Option<Vec<[f32; 3]>>,
    /// The numbers of the vertices, in ascending order, that the file gives no position for that a
    /// scene takes: not finite or too large. No triangle names them, and they are put at 0.
    pub unusable_vertices: Vec<u32>,
    /// How many polygons cross themselves, as seen along the normal of their area. Their triangles
    /// have the polygon's edges as their border, and lie one upon the other or face the other way
    /// where the polygon winds around otherwise than once.
    pub self_crossing_faces: usize,
}

impl<T> Default for Mesh<T> {
    fn default() -> Self {
        Self {
            name: String::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            face_ids: None,
            normals: None,
            unusable_vertices: Vec::new(),
            self_crossing_faces: 0,
        }
    }
}

impl<T> Mesh<T> {
    /// What it takes in memory, with coordinates in `f64`.
    fn bytes(&self) -> usize {
        let of_faces = self.face_ids.as_ref().map_or(0, |ids| size_of_val(&ids[..]));
        let of_normals = self.normals.as_ref().map_or(0, |normals| size_of_val(&normals[..]));
        size_of::<Mesh<f64>>()
            + self.name.len()
            + self.vertices.len() * size_of::<[f64; 3]>()
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.unusable_vertices[..])
            + of_faces
            + of_normals
    }
}

impl<T: Coordinate> Mesh<T> {
    /// The mesh where a transform places it. Coordinates are computed in `f64` and rounded once,
    /// normals are carried by the inverse's transpose and made unit vectors, and a mirror reverses
    /// the triangles, so that they still face outward.
    #[must_use]
    pub fn placed(mut self, transform: &Affine) -> Self {
        T::place(&mut self, transform);
        self
    }
}

pub(super) fn place<T: Coordinate>(mesh: &mut Mesh<T>, transform: &Affine) {
    if *transform == Affine::IDENTITY {
        return;
    }
    for vertex in &mut mesh.vertices {
        *vertex = transform.point(vertex.map(T::to_f64)).map(T::nearest);
    }
    let rows = transform.rows();
    // The rows of the matrix of cofactors, which is the inverse's transpose times the determinant.
    let cofactors = [1, 2, 0].map(|next| cross(rows[next], rows[(next + 1) % 3]));
    let sign = if transform.is_mirrored() { -1.0 } else { 1.0 };
    for normal in mesh.normals.iter_mut().flatten() {
        let [x, y, z] = normal.map(f64::from);
        let carried = cofactors.map(|row| sign * (row[0] * x + row[1] * y + row[2] * z));
        let length = carried.iter().map(|x| x * x).sum::<f64>().sqrt();
        *normal = carried.map(|x| if length > 0.0 { (x / length) as f32 } else { 0.0 });
    }
    if transform.is_mirrored() {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
}

/// The cross product of the linear parts of two rows.
fn cross([a, b, c, _]: [f64; 4], [x, y, z, _]: [f64; 4]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// Meshes that stand somewhere: a node of glTF, or the whole of another file.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The name of the node; empty if it has none.
    pub name: String,
    /// Which of the [meshes](Model::meshes) stand there.
    pub meshes: Range<usize>,
    /// From the frame of the meshes to that of the scene. It may mirror, and it may be singular.
    pub transform: Affine,
}

impl Placement {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len()
    }
}

/// What a mesh file holds: meshes, and where they stand. Several placements may share meshes.
///
/// ```
/// # use lanecast::{Affine, Scene, SceneBuilder};
/// # use lanecast_io::{Mesh, Model, Placement};
/// # use std::sync::Arc;
/// # fn instances(model: &Model) -> lanecast::Result<Scene> {
/// // A scene for each mesh, and an instance for each place. `into_meshes` gives copies instead.
/// let scene = |mesh: &Mesh| Scene::from_triangles(&mesh.vertices, &mesh.triangles).map(Arc::new);
/// let scenes: Vec<Arc<Scene>> = model.meshes.iter().map(scene).collect::<Result<_, _>>()?;
/// let mut builder = SceneBuilder::new();
/// for Placement { meshes, transform, .. } in &model.placements {
///     for scene in &scenes[meshes.clone()] {
///         builder = builder.instance(scene, *transform);
///     }
/// }
/// builder.build()
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Model<T = f32> {
    /// The name of the file without its extensions.
    pub name: String,
    /// The meshes, each in its own frame, in the order in which they are first placed.
    pub meshes: Vec<Mesh<T>>,
    /// Where they stand. Of formats other than glTF all stand once where they are.
    pub placements: Vec<Placement>,
    /// What of the file is not in the meshes, or is there in another form: a line each, without the
    /// file's name. Colours, materials and texture coordinates are never there, and not told of.
    pub remarks: Vec<String>,
}

impl<T: Coordinate> Model<T> {
    /// Meshes that stand once, where they are.
    pub(crate) fn standing(source: &Input, meshes: Vec<Mesh<T>>, remarks: Vec<String>) -> Self {
        let everything =
            Placement { name: String::new(), meshes: 0..meshes.len(), transform: Affine::IDENTITY };
        Self { name: source.name.clone(), meshes, placements: vec![everything], remarks }
    }

    /// One mesh without a name.
    pub(super) fn of_one(
        source: &Input,
        mut vertices: Vec<[T; 3]>,
        normals: Option<Vec<[f32; 3]>>,
        faces: Faces,
        unusable: Unusable,
    ) -> Result<Self> {
        let mut remarks = Vec::new();
        if faces.too_small > 0 {
            let count = counted(faces.too_small, "face", "faces");
            remarks.push(format!("{count} of fewer than three vertices left out"));
        }
        let settled = unusable.settle(&mut vertices, faces.triangles.iter(), 0, &mut remarks);
        let unusable_vertices = settled.map_err(|fault| source.at(fault))?;
        let self_crossing_faces = faces.crossing;
        let (triangles, face_ids) = faces.into_parts();
        let name = String::new();
        let mesh = Mesh {
            name,
            vertices,
            triangles,
            face_ids,
            normals,
            unusable_vertices,
            self_crossing_faces,
        };
        Ok(Self::standing(source, vec![mesh], remarks))
    }

    /// Every mesh in every place where it stands, in the frame of the scene: a copy for each
    /// placement but the last. Their names are those of placement and mesh, `node/mesh/0`, or of
    /// the file where both have none.
    ///
    /// # Errors
    /// Those of [`Self::check_copies`], before anything is copied.
    pub fn into_meshes(self) -> Result<Vec<Mesh<T>>> {
        self.check_copies()?;
        let Self { name: of_file, mut meshes, placements, .. } = self;
        let mut uses = vec![0_usize; meshes.len()];
        for number in placements.iter().flat_map(|placement| placement.meshes.clone()) {
            uses[number] += 1;
        }
        let mut all = Vec::new();
        for Placement { name, meshes: numbers, transform } in placements {
            for number in numbers {
                uses[number] -= 1;
                let mesh = match uses[number] {
                    0 => std::mem::take(&mut meshes[number]),
                    _ => meshes[number].clone(),
                };
                let name = joined_name([&name[..], &mesh.name]);
                let name = if name.is_empty() { of_file.clone() } else { name };
                all.push(Mesh { name, ..mesh.placed(&transform) });
            }
        }
        Ok(all)
    }

    /// Whether [`Self::into_meshes`] makes as many copies as there are placements: a small file may
    /// place a mesh so often that they would fill the memory.
    ///
    /// # Errors
    /// They would take more than a gibibyte, and more than 64 times what the model takes.
    pub fn check_copies(&self) -> Result<()> {
        const OF_ANY_MODEL: u64 = 1 << 30;
        const OF_EACH_BYTE: u64 = 64;
        // Those before each mesh, in either precision as in `f64`.
        let mut sums = vec![0_u64];
        for mesh in &self.meshes {
            sums.push(sums[sums.len() - 1] + mesh.bytes() as u64);
        }
        let of_placements: usize = self.placements.iter().map(Placement::bytes).sum();
        let of_model = sums[self.meshes.len()] + of_placements as u64;
        let copies = self.placements.iter().fold(0, |copies: u64, placement| {
            let Range { start, end } = placement.meshes;
            let names = end.saturating_sub(start).saturating_mul(placement.name.len());
            copies.saturating_add(sums[end].saturating_sub(sums[start]) + names as u64)
        });
        let most = OF_ANY_MODEL.max(OF_EACH_BYTE.saturating_mul(of_model));
        if copies <= most {
            return Ok(());
        }
        let count = counted(self.placements.len(), "placement makes", "placements make");
        Err(FileName::named(&self.name).content(format_args!(
            "{count} {copies} bytes of copies; {most} at most are made: take the meshes as instances"
        )))
    }

    /// How coarse `f32` is for the model, where it is too coarse, by the rule of
    /// [`Coarseness::of_f32`] over the corners of its triangles where they stand. Models read in
    /// either precision give the same answer, but for sizes within a rounding of the rule's bound.
    pub fn coarseness(&self) -> Option<Coarseness> {
        Coarseness::of_f32(self.bounds())
    }

    /// The least corner of the box around all triangles where they stand, and the greatest; ∞ and
    /// −∞ without triangles.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        T::bounds(self)
    }

    /// Whether `f32` is too [coarse](Self::coarseness) for the model.
    pub fn needs_f64(&self) -> bool {
        self.coarseness().is_some()
    }
}

pub(super) fn bounds<T: Coordinate>(model: &Model<T>) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for Placement { meshes, transform, .. } in &model.placements {
        for mesh in &model.meshes[meshes.clone()] {
            for vertex in mesh.triangles.as_flattened() {
                let corner = transform.point(mesh.vertices[*vertex as usize].map(T::to_f64));
                for axis in 0..3 {
                    bounds[0][axis] = bounds[0][axis].min(corner[axis]);
                    bounds[1][axis] = bounds[1][axis].max(corner[axis]);
                }
            }
        }
    }
    bounds
}
