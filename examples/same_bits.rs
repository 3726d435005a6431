//! For those who want to see it: all answers have the same bits on every CPU. Prints a hash of the
//! answers of each query in both precisions, to compare with those of another machine, and stops if
//! two backends of this one differ. `data/same_bits.txt` has the hashes of 1,000 rays and as many
//! points.
//!
//! ```sh
//! cargo run --release --example same_bits | diff - data/same_bits.txt
//! ```
//!
//! The arguments are the number of rays, and a folder to which scenes, rays and points are written,
//! so that other programs can ask the same.
#![expect(clippy::print_stdout, reason = "it is a program")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use lanecast::answers::{AllHitsBatch, HitBatch};
use lanecast::{
    Affine, Backend, CastOptions, Contact, Geometry, Precision, RayBatch, Scene, SceneBuilder,
    SightLines, Status,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rows = arguments.next().map_or(Ok(1000), |rows| rows.parse())?;
    if let Some(folder) = arguments.next() {
        Asked::<f32>::new(rows)?.write(Path::new(&folder))?;
    }
    hashes_of_all::<f32>("f32", rows)?;
    hashes_of_all::<f64>("f64", rows)
}

/// Prints the hashes, and is an error if two backends differ.
fn hashes_of_all<T: Precision>(precision: &str, rows: usize) -> Result<(), Box<dyn Error>> {
    let asked = Asked::<T>::new(rows)?;
    let mut of_first: Option<Vec<(&str, Hash)>> = None;
    for backend in Backend::available() {
        let hashes = asked.hashes(backend)?;
        for (place, (query, hash)) in hashes.iter().enumerate() {
            match &of_first {
                None => println!("{rows} {precision} {:016x} {query}", hash.0),
                Some(first) if first[place].1 == *hash => {}
                Some(_) => {
                    return Err(
                        format!("{query} of {precision} has other bits on {backend}").into()
                    );
                }
            }
        }
        of_first.get_or_insert(hashes);
    }
    Ok(())
}

/// A landscape with placed spheres, a closed solid, and what they are asked with.
struct Asked<T: Precision> {
    scene: Scene<T>,
    solid: Arc<Scene<T>>,
    /// What both are made of.
    meshes: [Mesh; 2],
    origins: Vec<[T; 3]>,
    directions: Vec<[T; 3]>,
    /// Points around the solid.
    around: Vec<[T; 3]>,
}

impl<T: Precision> Asked<T> {
    fn new(rows: usize) -> lanecast::Result<Self> {
        let random = &mut Random::new(0x5a3e);
        let wide =
            |rows: &[[f32; 3]]| -> Vec<[T; 3]> { rows.iter().map(|row| row.map(T::of)).collect() };
        let terrain = meshes::terrain(60, random);
        let sphere = meshes::icosphere(3, 4.0);
        let solid = Arc::new(Scene::from_triangles(&wide(&sphere.vertices), &sphere.triangles)?);
        let at = |offset: [f32; 3]| Affine::translation(offset.map(f64::from));
        let ground = wide(&terrain.vertices);
        let scene = SceneBuilder::default()
            .geometry(Geometry::triangle_mesh(&ground, &terrain.triangles))?
            .instance(&solid, at([20.0, 15.0, 3.0]))
            .instance(&solid, at([41.5, 38.25, 2.0]))
            .build()?;
        let mut origins = Vec::new();
        let mut directions = Vec::new();
        for row in 0..rows {
            let [x, y, z] = random.point(-0.1, 1.1).map(|part| 60.0 * part);
            // Every fourth ray comes down at a vertex.
            let at_vertex = row % 4 == 0;
            origins.push(if at_vertex { [x.floor(), y.floor(), 9.0] } else { [x, y, z / 8.0] });
            directions.push(if at_vertex { [0.0, 0.0, -1.0] } else { random.direction() });
        }
        let around: Vec<_> = (0..rows).map(|_| random.point(-5.0, 5.0)).collect();
        let [origins, directions, around] = [origins, directions, around].map(|rows| wide(&rows));
        Ok(Self { scene, solid, meshes: [terrain, sphere], origins, directions, around })
    }

    /// Writes the columns as they lie in memory.
    fn write(&self, folder: &Path) -> std::io::Result<()> {
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes);
        for (name, mesh) in ["ground", "solid"].iter().zip(&self.meshes) {
            write(&format!("{name}.vertices"), bytemuck::cast_slice(&mesh.vertices))?;
            write(&format!("{name}.triangles"), bytemuck::cast_slice(&mesh.triangles))?;
        }
        write("origins", bytemuck::cast_slice(&self.origins))?;
        write("directions", bytemuck::cast_slice(&self.directions))?;
        write("around", bytemuck::cast_slice(&self.around))
    }

    /// The hash of the answers of each query.
    fn hashes(&self, backend: Backend) -> lanecast::Result<Vec<(&'static str, Hash)>> {
        let rays = RayBatch::from_pairs(&self.origins, &self.directions)?;
        let options = CastOptions::default().backend(backend);
        let cast = self.scene.cast(&rays).with(&options);
        let hits = cast.clone().geometric_normals(true).closest()?;
        let lines = SightLines::new(&self.origins[..8], &self.origins)?;
        let points = self.solid.points(&self.around).with(&options);
        let radius = T::of(0.5);
        let mut hashes = vec![
            ("closest", Hash::NEW.hits(&hits)),
            ("farthest", Hash::NEW.hits(&cast.farthest()?)),
            ("any", Hash::NEW.statuses(cast.any()?.status())),
            ("count", Hash::NEW.column(cast.count()?.count())),
            (
                "count of touches",
                Hash::NEW.column(cast.clone().contact(Contact::Touch).count()?.count()),
            ),
            ("signed count", Hash::NEW.column(cast.signed_count()?.count())),
            ("all", Hash::NEW.lists(&cast.all()?)),
            ("nearest", Hash::NEW.lists(&cast.nearest(2)?)),
            ("sight", Hash::NEW.column(self.scene.sight(&lines).with(&options).matrix()?.words())),
            ("distance", Hash::NEW.column(points.distances()?.distance())),
            ("signed distance", Hash::NEW.column(points.signed_distances()?.distance())),
            ("inside", Hash::NEW.column(points.contains()?.winding())),
            ("winding number", Hash::NEW.column(points.winding_numbers()?.winding_number())),
        ];
        let lines = cast.line_hits()?;
        hashes.push(("line hits", Hash::NEW.hits(lines.ahead()).hits(lines.behind())));
        let surface = self.scene.surface(rays, &hits).with(&options).unit_normals(true).locate()?;
        hashes.push((
            "surface",
            Hash::NEW.column(surface.point()).column(surface.geometric_normal()),
        ));
        let closest = points.closest(radius)?;
        let ids = Hash::NEW.statuses(closest.status()).column(closest.primitive_id());
        let at = ids.column(closest.point()).column(closest.u()).column(closest.v());
        hashes.push(("closest point", at.column(closest.distance())));
        let near = points.nearest(3, radius)?;
        let points = near.points().iter();
        hashes.push((
            "near points",
            points.fold(Hash::NEW, |hash, near| {
                hash.column(&near.point).column(&[near.distance]).column(&[near.primitive_id])
            }),
        ));
        Ok(hashes)
    }
}

/// FNV-1a, of 64 bits.
#[derive(PartialEq)]
struct Hash(u64);

impl Hash {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn column<V: Pod>(mut self, values: &[V]) -> Self {
        for &byte in bytemuck::cast_slice::<V, u8>(values) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        self
    }

    fn statuses(self, statuses: &[Status]) -> Self {
        self.column(&statuses.iter().map(|status| status.code()).collect::<Vec<_>>())
    }

    fn hits<T: Precision>(self, hits: &HitBatch<T>) -> Self {
        let hash = self.statuses(hits.status()).column(hits.t()).column(hits.u()).column(hits.v());
        let hash = hash.column(hits.primitive_id()).column(hits.geometry_id());
        hash.column(hits.instance_id()).column(hits.geometric_normal())
    }

    fn lists<T: Precision>(self, lists: &AllHitsBatch<T>) -> Self {
        let hits = lists.hits().iter();
        hits.fold(self, |hash, hit| {
            let ids = [hit.primitive_id, hit.geometry_id, hit.instance_id];
            hash.column(&[hit.t, hit.u, hit.v]).column(&ids)
        })
    }
}
