//! `lanecast info`: what a mesh and its tree are, and what is wrong with the mesh.

mod findings;
mod measures;
mod placed;
mod topology;

use crate::failure::{EXIT_CODES, Result};
use crate::help;
use crate::machine::Machine;
use crate::mesh::{self, Meshes, Read, Subject};
use crate::number::{bytes, counted, grouped, seconds, short};
use crate::precision::Number;
use crate::report;
use crate::scenes::{self, Kinds};
use crate::vector::Vector;
use clap::Args;
use lanecast::{
    Scene,
    scene::{BvhStatistics, Welded},
};
use lanecast_io::excerpt;
use measures::{Measures, decimal};
use placed::Placed;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Args)]
#[command(after_help = help::short("info", &after_help()), after_long_help = help::long(&after_help()))]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
A boundary edge has a triangle on one side only; a non-manifold edge has more than two.
A mesh is closed if its triangles run along every edge as often one way as the other, as a query of
what is inside needs it: it has neither boundary edges nor misoriented ones. Vertices at the same position count as one,
because rays see positions; they are told of as duplicates where geometry and normal are the
same too. The volume is given for closed meshes. The SAH cost
of the tree is the expected number of nodes and leaves that a random line visits.

What of a file is not in its meshes, such as lines, curves or skins, is said in a line on standard
error, and in the JSON report under remarks. A mesh that a glTF file places more than once is an instance
of a scene in each place.

Of a scene file all checksums are looked at first. It knows no names and no vertices without a
triangle, and vertices at the same position are one; the tree is the one in the file, whose bytes are
those of all trees in it. Boxes, oriented boxes and spheres are counted each by themselves, and so are
instances; of the scenes that these place, at whatever depth, it says how many different ones
there are and how deep they lie one in another, and of their triangles where they stand, with those
outside of other scenes, the number, the area and the bounds. The bounds are around everything, with
room around what is placed; all else is said of the triangles outside of other scenes, if there are any.

Of an open surface it says, if there is one, the least tolerance for --weld that closes it, and what
that joins. With --weld the report is of the mesh after its vertices were joined: how many went to the place of
another, how far the farthest of them moved, and how many triangles lost their area by that.

Faults are part of the report, not errors; a file that cannot be read, a vertex that is not
finite, and a triangle that names a vertex which does not exist are errors.

Examples:
  lanecast info mesh.ply
  lanecast info mesh.obj --json

{EXIT_CODES}"
    )
}

/// The fields of the JSON report.
#[derive(Debug, Serialize)]
struct Report {
    mesh: String,
    /// `mesh` or `scene`.
    kind: &'static str,
    /// In which it is measured, and its tree built.
    precision: &'static str,
    geometries: Vec<Geometry>,
    /// What --weld did, if it was given.
    welded: Option<Joined>,
    /// What --weld would close the surface, if it is open and there is one.
    closing: Option<Closing>,
    /// Outside of the scenes placed in it.
    boxes: usize,
    oriented_boxes: usize,
    spheres: usize,
    round_cones: usize,
    cylinders: usize,
    height_field_triangles: usize,
    /// How many scenes are placed in it, not counting those placed in these.
    instances: usize,
    /// The names of those that have one, by their numbers.
    instance_names: BTreeMap<u32, String>,
    /// How many different scenes are placed at any depth.
    placed_scenes: usize,
    /// How deep scenes lie one in another: 0 without instances.
    depth: usize,
    /// All triangles where they stand, also those in instances; null without instances.
    placed: Option<Placed>,
    #[serde(flatten)]
    whole: Measures,
    findings: Vec<String>,
    /// What of the file is not in the meshes, or is there in another form.
    remarks: Vec<String>,
    /// Of the triangles outside of other scenes.
    tree: Tree,
    /// Of a scene file, with all trees that are in it.
    file_bytes: Option<u64>,
}

/// One of several meshes in a file.
#[derive(Debug, Serialize)]
struct Geometry {
    name: String,
    vertices: usize,
    triangles: usize,
}

/// What welding did.
#[derive(Debug, Serialize)]
struct Joined {
    joined_vertices: usize,
    farthest_moved: f64,
    collapsed_triangles: usize,
}

impl From<Welded> for Joined {
    fn from(Welded { joined, farthest, collapsed }: Welded) -> Self {
        Self { joined_vertices: joined, farthest_moved: farthest, collapsed_triangles: collapsed }
    }
}

impl Joined {
    fn words(&self) -> String {
        let vertices = counted(self.joined_vertices, "vertex");
        let triangles = counted(self.collapsed_triangles, "triangle");
        format!("{vertices} moved by at most {}, {triangles} collapsed", short(self.farthest_moved))
    }
}

/// The least tolerance that closes the surface, and what it joins.
#[derive(Debug, Serialize)]
struct Closing {
    tolerance: f64,
    #[serde(flatten)]
    joined: Joined,
}

impl Closing {
    fn words(&self, is_scene_file: bool) -> String {
        let Self { tolerance, joined } = self;
        let how = if is_scene_file { "if built with" } else { "by" };
        format!("closed {how} --weld {tolerance:e}: {}", joined.words())
    }
}

#[derive(Debug, Serialize)]
struct Tree {
    nodes: usize,
    leaves: usize,
    depth: usize,
    children_per_node: f64,
    triangles_per_leaf: f64,
    sah_cost: f64,
    bytes: usize,
    bytes_per_triangle: f64,
    build_seconds: f64,
    backend: &'static str,
    threads: usize,
}

impl Arguments {
    pub(crate) fn run(&self) -> Result<()> {
        let machine = self.subject.machine.meaning()?;
        match self.subject.read_for_findings()? {
            Read::F32(meshes) => self.tell(&machine, meshes),
            Read::F64(meshes) => self.tell(&machine, meshes),
        }
    }

    fn tell<T: Number>(&self, machine: &Machine, mut meshes: Meshes<T>) -> Result<()> {
        if let Some(scene) = meshes.scene() {
            scene.check()?;
        }
        let built = mesh::build(&self.subject.mesh, &mut meshes, machine)?;
        let mut whole = Measures::new(&self.subject.mesh, &meshes)?;
        let more = meshes.scene_with_more();
        let all = more
            .map(Scene::bounds)
            .filter(|bounds| !bounds.is_empty())
            .map(|all| [decimal(all.min), decimal(all.max)]);
        // Of its own triangles, if it has any.
        whole.bounds = whole.bounds.or(all);
        let is_scene_file = meshes.are_of_scene_file();
        let closing = match whole.triangles > 0 && !whole.closed {
            true => mesh::closing(&self.subject.mesh, &meshes, &built.scene, machine),
            false => None,
        };
        let closing = closing.map(|(tolerance, welded)| Closing {
            tolerance: decimal([tolerance; 3])[0],
            joined: Joined::from(welded),
        });
        let mut findings = findings::findings::<T>(&whole);
        findings.extend(closing.as_ref().map(|closing| closing.words(is_scene_file)));
        whole.bounds = all.or(whole.bounds);
        let (kinds, depths) = (
            more.map_or_else(Kinds::default, Kinds::of),
            more.map_or_else(Vec::new, scenes::depths),
        );
        let statistics = built.scene.statistics();
        let per_triangle = |bytes: usize| bytes as f64 / statistics.primitives.max(1) as f64;
        let BvhStatistics { inner_nodes, leaves, depth, sah_cost, bytes, .. } = statistics;
        let report = Report {
            mesh: self.subject.mesh.display().to_string(),
            kind: if is_scene_file { "scene" } else { "mesh" },
            precision: T::NAME,
            geometries: meshes
                .iter()
                .map(|mesh| Geometry {
                    name: mesh.name.clone(),
                    vertices: mesh.vertices.len(),
                    triangles: mesh.triangles.len(),
                })
                .collect(),
            welded: built.scene.welded().map(Joined::from),
            closing,
            boxes: kinds.boxes,
            oriented_boxes: kinds.oriented_boxes,
            spheres: kinds.spheres,
            round_cones: kinds.round_cones,
            cylinders: kinds.cylinders,
            height_field_triangles: kinds.height_field_triangles,
            instances: more.map_or(0, Scene::instance_count),
            instance_names: instance_names(&built.scene),
            placed_scenes: depths.len().saturating_sub(1),
            depth: depths.last().copied().unwrap_or(0),
            placed: more.and_then(Placed::of),
            findings,
            remarks: meshes.remarks().to_vec(),
            whole,
            tree: Tree {
                nodes: inner_nodes,
                leaves,
                depth,
                children_per_node: statistics.children_per_node,
                triangles_per_leaf: statistics.primitives_per_leaf,
                sah_cost,
                bytes,
                bytes_per_triangle: per_triangle(bytes),
                build_seconds: built.seconds,
                backend: machine.backend.name(),
                threads: machine.threads.count(),
            },
            file_bytes: match is_scene_file {
                true => self.subject.mesh.metadata().ok().map(|file| file.len()),
                false => None,
            },
        };
        if self.json { report::say_json(&report) } else { report::say(&report.words()) }
    }
}

fn instance_names<T: Number>(scene: &Scene<T>) -> BTreeMap<u32, String> {
    let named =
        |number| Some((number, scene.instance_name(number).ok().filter(|name| !name.is_empty())?));
    scene
        .instance_numbers()
        .filter_map(named)
        .map(|(number, name)| (number, name.to_owned()))
        .collect()
}

/// The first names with their numbers; --json has all.
fn some_names<'a>(names: impl Iterator<Item = (u32, &'a String)> + Clone) -> String {
    const MOST: usize = 8;
    let more = names.clone().count().saturating_sub(MOST);
    let shown =
        names.take(MOST).map(|(number, name)| format!("{number} {}", excerpt(name).escape_debug()));
    let more = (more > 0).then(|| format!("{more} more"));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

impl Report {
    fn words(&self) -> String {
        let Self { whole, tree, .. } = self;
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut row = |what: &str, value: String| rows.push(vec![what.to_owned(), value]);
        let is_scene = self.kind == "scene";
        row(if is_scene { "scene file" } else { "mesh" }, self.mesh.clone());
        if self.geometries.len() > 1 {
            row("geometries", grouped(self.geometries.len()));
            let names = (0..).zip(&self.geometries).map(|(id, geometry)| (id, &geometry.name));
            row("", some_names(names));
        }
        let shapes = [
            ("boxes", self.boxes),
            ("oriented boxes", self.oriented_boxes),
            ("spheres", self.spheres),
            ("round cones", self.round_cones),
            ("cylinders", self.cylinders),
            ("triangles of height fields", self.height_field_triangles),
        ];
        let has_more = self.instances > 0 || shapes.iter().any(|&(_, count)| count > 0);
        let says_of_triangles = whole.triangles > 0 || !has_more;
        if says_of_triangles {
            row("vertices", grouped(whole.vertices));
        }
        row("triangles", grouped(whole.triangles));
        if let Some(welded) = &self.welded {
            row("welded", welded.words());
        }
        for (kind, count) in shapes.into_iter().filter(|&(_, count)| count > 0) {
            row(kind, grouped(count));
        }
        if self.instances > 0 {
            row("instances", grouped(self.instances));
            row(
                "placed scenes",
                format!("{}, up to {} deep", grouped(self.placed_scenes), self.depth),
            );
            if !self.instance_names.is_empty() {
                row(
                    "named",
                    some_names(self.instance_names.iter().map(|(&number, name)| (number, name))),
                );
            }
        }
        if let Some(Placed { triangles: triangles @ 1.., surface_area, bounds }) = self.placed {
            let area = surface_area.map_or("too many to be measured".to_owned(), |area| {
                format!("area {}", short(area))
            });
            row("placed", format!("{}, {area}", counted(triangles, "triangle")));
            if let Some([min, max]) = bounds {
                let [min, max] = [min, max].map(|corner| corner.map(short).join(", "));
                row("placed bounds", format!("{min}  to  {max}"));
            }
        }
        if let Some([min, max]) = whole.bounds {
            let corner = |corner: Vector| corner.map(short).join(", ");
            row("bounds", format!("{}  to  {}", corner(min), corner(max)));
            let size: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
            row("size", size.map(short).join(" x "));
        }
        if says_of_triangles {
            rows.extend(self.rows_of_triangles());
        }
        let mut row = |what: &str, value: String| rows.push(vec![what.to_owned(), value]);
        if let Some(file_bytes) = self.file_bytes {
            row("file", format!("{}, all trees in it", bytes(file_bytes as usize)));
        }
        let took = seconds(tree.build_seconds);
        if is_scene {
            row("opened in", took);
        } else {
            row("built in", format!("{took} on {}", counted(tree.threads, "thread")));
        }
        let mut text = report::table(2, &rows);
        let what = if has_more { "this scene" } else { "this mesh" };
        let its_own = if has_more { "its own triangles" } else { "this mesh" };
        text += &match (self.findings.is_empty(), says_of_triangles) {
            (false, _) => {
                format!("\nWhat is wrong with {what}:\n- {}\n", self.findings.join("\n- "))
            }
            (true, true) => format!("\nNothing is wrong with {its_own}.\n"),
            (true, false) => {
                "\nIt has no triangles of its own, of which more could be said.\n".to_owned()
            }
        };
        text
    }

    /// What is said of triangles outside of other scenes, and of the tree over them.
    fn rows_of_triangles(&self) -> Vec<Vec<String>> {
        let Self { whole, tree, .. } = self;
        let volume = whole.volume.map_or_else(|| "none: not closed".to_owned(), short);
        let (nodes, leaves) = (counted(tree.nodes, "node"), counted(tree.leaves, "leaf"));
        let fill = format!(
            "{:.2} children per node, {:.2} triangles per leaf",
            tree.children_per_node, tree.triangles_per_leaf
        );
        let rows = [
            ("surface area", short(whole.surface_area)),
            ("volume", volume),
            ("closed", if whole.closed { "yes" } else { "no" }.to_owned()),
            ("components", grouped(whole.components)),
            ("tree", format!("{nodes}, {leaves}, depth {}", tree.depth)),
            ("fill", fill),
            ("SAH cost", short(tree.sah_cost)),
            (
                "memory",
                format!("{}, {:.1} bytes per triangle", bytes(tree.bytes), tree.bytes_per_triangle),
            ),
        ];
        rows.map(|(what, value)| vec![what.to_owned(), value]).into()
    }
}
