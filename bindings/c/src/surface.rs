//! Points and normals of hits.

use lanecast::scene::VertexNormals;
use lanecast::{CastOptions, Hit, HitBatch, INVALID_ID, RayBatch};

use crate::answers::{Destination, expect_rows, lanecast_hits, table};
use crate::border::{Failure, enter, handle, lanecast_result};
use crate::content::{Number, expect_precision, with_either};
use crate::memory::{all_of, copied_rows, lanecast_answers, lanecast_rows, sized, written};
use crate::options::{Given, lanecast_options, takes};
use crate::rays::{LANECAST_HIT, lanecast_rays, with_rays};
use crate::scene::lanecast_scene;

/// Where points and normals are written, a row a ray: `status` as `uint8_t`, others as three numbers
/// of the scene's precision.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_surface {
    /// `sizeof(lanecast_surface)`.
    pub size: usize,
    /// The number of rows, which is that of rays.
    pub count: usize,
    pub status: lanecast_answers,
    pub point: lanecast_answers,
    pub geometric_normal: lanecast_answers,
    /// Interpolated between the normals of vertices; geometric where there are none.
    pub shading_normal: lanecast_answers,
}

table!(lanecast_surface is "surface" of Surfaces: point, geometric_normal, shading_normal);

/// The normals at the vertices of a mesh.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct lanecast_vertex_normals {
    /// The scene that has the mesh: that of the call if null, or one that is placed in it.
    pub scene: *const lanecast_scene,
    pub geometry_id: u32,
    /// The triangles with which the mesh was given.
    pub triangles: lanecast_rows,
    /// A normal for each vertex, of any length, of the scene's precision.
    pub normals: lanecast_rows,
}

/// What a call asks for.
struct Asked {
    rays: *const lanecast_rays,
    hits: *const lanecast_hits,
    unit_normals: bool,
    normals: *const lanecast_vertex_normals,
    normal_count: usize,
    options: *const lanecast_options,
    surface: *const lanecast_surface,
}

/// The points and normals of the hits of rays: of `lanecast_closest_hit`, whose columns are read,
/// all but `normal`; `instance_id` may be null if the scene has no instances. With `unit_normals`
/// normals have length 1. `normals` lists meshes with normals at vertices, or is null.
///
/// # Safety
/// All pointers are null or as the types say, and the columns of `hits` were written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_locate(
    scene: *const lanecast_scene,
    rays: *const lanecast_rays,
    hits: *const lanecast_hits,
    unit_normals: bool,
    normals: *const lanecast_vertex_normals,
    normal_count: usize,
    options: *const lanecast_options,
    surface: *const lanecast_surface,
) -> lanecast_result {
    let asked = Asked { rays, hits, unit_normals, normals, normal_count, options, surface };
    enter(|| {
        // SAFETY: by the caller.
        let lanecast_scene(content) = unsafe { handle("scene", scene) }?;
        // SAFETY: by the caller.
        unsafe { with_either!(content, scene => locate(scene, &asked)) }
    })
}

/// The hits of an earlier call.
unsafe fn hits_of<T: Number>(
    hits: *const lanecast_hits,
    count: usize,
) -> Result<HitBatch<T>, Failure> {
    // SAFETY: by the caller.
    unsafe {
        let hits: lanecast_hits = sized("hits", hits)?;
        expect_rows("hits.count", hits.count, count)?;
        let status = written::<u8>("hits.status", hits.status, count)?;
        let [t, u, v] = [
            written::<T>("hits.t", hits.t, count)?,
            written::<T>("hits.u", hits.u, count)?,
            written::<T>("hits.v", hits.v, count)?,
        ];
        let [primitive_id, geometry_id] = [
            written::<u32>("hits.primitive_id", hits.primitive_id, count)?,
            written::<u32>("hits.geometry_id", hits.geometry_id, count)?,
        ];
        let instance_id = match hits.instance_id.data.is_null() {
            true => None,
            false => Some(written::<u32>("hits.instance_id", hits.instance_id, count)?),
        };
        let hit = |row: usize| {
            (status(row) == LANECAST_HIT).then(|| Hit {
                t: t(row),
                primitive_id: primitive_id(row),
                geometry_id: geometry_id(row),
                instance_id: instance_id.as_ref().map_or(INVALID_ID, |ids| ids(row)),
                u: u(row),
                v: v(row),
            })
        };
        Ok((0..count).map(hit).collect())
    }
}

unsafe fn locate<T: Number>(scene: &lanecast::Scene<T>, asked: &Asked) -> Result<(), Failure> {
    // SAFETY: by the caller.
    let rays: lanecast_rays = unsafe { sized("rays", asked.rays) }?;
    expect_precision::<T>("rays.precision", rays.precision)?;
    // SAFETY: by the caller.
    let given = unsafe { all_of("normals", asked.normals, asked.normal_count) }?;
    let mut read = Vec::with_capacity(given.len());
    for (place, given) in given.iter().enumerate() {
        let name = |field: &str| format!("normals[{place}].{field}");
        // SAFETY: by the caller.
        let (placed, triangles, normals) = unsafe {
            (
                given.scene.as_ref(),
                copied_rows::<u32, 3>(&name("triangles"), given.triangles)?,
                copied_rows::<T, 3>(&name("normals"), given.normals)?,
            )
        };
        let other = || Failure::argument(&name("scene"), "it is of the other precision");
        let of = match placed {
            None => scene,
            Some(lanecast_scene(content)) => &**T::scene_of(content).ok_or_else(other)?,
        };
        read.push((of, given.geometry_id, triangles, normals));
    }
    let vertex_normals: Vec<_> = read
        .iter()
        .map(|(of, geometry_id, triangles, normals)| {
            VertexNormals::new(*of, *geometry_id, triangles, normals)
        })
        .collect::<Result<_, _>>()?;
    let mut answer = |rays: &RayBatch<'_, T>| {
        let rows = rays.len();
        // SAFETY: by the caller.
        let (columns, hits, given) = unsafe {
            (
                asked.surface.columns(rows)?,
                hits_of::<T>(asked.hits, rows)?,
                Given::<T>::read(asked.options, takes!("locate" as distance), rows)?,
            )
        };
        let options: CastOptions<'_, T> = given.options()?;
        let located = scene.surface(rays, &hits).with(&options).unit_normals(asked.unit_normals);
        Ok(located.vertex_normals(&vertex_normals).locate_into(columns)?)
    };
    // SAFETY: by the caller.
    unsafe { with_rays::<T>(asked.rays, false, &mut answer) }
}
