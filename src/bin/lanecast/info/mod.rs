//! `lanecast info`: what a mesh and its tree are, and what is wrong with the mesh.

mod findings;
mod measures;
mod topology;

use crate::failure::{EXIT_CODES, Result};
use crate::machine::MachineArguments;
use crate::mesh;
use crate::number::{bytes, grouped, seconds, short};
use crate::report;
use clap::Args;
use lanecast::{BvhStatistics, Scene};
use measures::Measures;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// The mesh: obj, ply, stl, off, gltf, glb, or a scene file
    mesh: PathBuf,
    #[command(flatten)]
    machine: MachineArguments,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!(
        "\
A boundary edge has a triangle on one side only; a non-manifold edge has more than two.
A mesh is closed if it has no boundary edge. Vertices at the same position count as one,
because rays see positions. The volume is given for closed meshes whose triangles all face
the same way. The SAH cost of the tree is the expected number of nodes and leaves that a
random line visits.

Of a scene file all checksums are looked at first. It knows no names and no vertices without a
triangle, and vertices at the same position are one; the tree is the one in the file. If there are
scenes placed in it, or boxes and spheres, they are counted, and the bounds are around them too; all
else is said of its own triangles.

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
    geometries: Vec<Geometry>,
    /// Of a scene file: boxes, oriented boxes and spheres.
    other_primitives: usize,
    /// The scenes placed in it.
    instances: usize,
    #[serde(flatten)]
    whole: Measures,
    findings: Vec<String>,
    tree: Tree,
}

/// One of several meshes in a file.
#[derive(Debug, Serialize)]
struct Geometry {
    name: String,
    vertices: usize,
    triangles: usize,
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
        let machine = self.machine.meaning()?;
        let meshes = mesh::read(&self.mesh)?;
        if let Some(scene) = meshes.scene() {
            scene.check()?;
        }
        let built = mesh::build(&self.mesh, &meshes, &machine)?;
        let mut whole = Measures::new(&self.mesh, &meshes)?;
        let more = meshes.scene_with_more();
        let findings = findings::findings(&whole, more.is_none());
        if let Some(bounds) = more.map(Scene::bounds).filter(|bounds| !bounds.is_empty()) {
            whole.bounds = Some([bounds.min, bounds.max]);
        }
        let statistics = built.scene.statistics();
        let per_triangle = |bytes: usize| bytes as f64 / statistics.primitives.max(1) as f64;
        let BvhStatistics { inner_nodes, leaves, depth, sah_cost, bytes, .. } = statistics;
        let report = Report {
            mesh: self.mesh.display().to_string(),
            kind: if meshes.scene().is_some() { "scene" } else { "mesh" },
            geometries: meshes
                .iter()
                .map(|mesh| Geometry {
                    name: mesh.name.clone(),
                    vertices: mesh.vertices.len(),
                    triangles: mesh.triangles.len(),
                })
                .collect(),
            other_primitives: more.map_or(0, |scene| scene.primitive_count() - scene.triangle_count()),
            instances: more.map_or(0, Scene::instance_count),
            findings,
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
        };
        if self.json { report::say_json(&report) } else { report::say(&report.words()) }
    }
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
        }
        row("vertices", grouped(whole.vertices));
        row("triangles", grouped(whole.triangles));
        if self.other_primitives > 0 {
            row("boxes, spheres", grouped(self.other_primitives));
        }
        if self.instances > 0 {
            row("instances", grouped(self.instances));
        }
        if let Some([min, max]) = whole.bounds {
            let corner = |corner: [f32; 3]| corner.map(|x| short(f64::from(x))).join(", ");
            row("bounds", format!("{}  to  {}", corner(min), corner(max)));
            let size: [f64; 3] = std::array::from_fn(|axis| f64::from(max[axis]) - f64::from(min[axis]));
            row("size", size.map(short).join(" x "));
        }
        row("surface area", short(whole.surface_area));
        row(
            "volume",
            whole.volume.map_or_else(|| "none: not closed or not facing one way".to_owned(), short),
        );
        row("closed", if whole.closed { "yes" } else { "no" }.to_owned());
        row("components", grouped(whole.components));
        row(
            "tree",
            format!("{} nodes, {} leaves, depth {}", grouped(tree.nodes), grouped(tree.leaves), tree.depth),
        );
        row(
            "fill",
            format!(
                "{:.2} children per node, {:.2} triangles per leaf",
                tree.children_per_node, tree.triangles_per_leaf
            ),
        );
        row("SAH cost", short(tree.sah_cost));
        row("memory", format!("{}, {:.1} bytes per triangle", bytes(tree.bytes), tree.bytes_per_triangle));
        let threads = crate::number::counted(tree.threads, "thread", "threads");
        let took = seconds(tree.build_seconds);
        if is_scene {
            row("opened in", took);
        } else {
            row("built in", format!("{took} on {threads}"));
        }
        let mut text = report::table(2, &rows);
        if self.findings.is_empty() {
            text += "\nNothing is wrong with this mesh.\n";
        } else {
            text += "\nWhat is wrong with this mesh:\n";
            for finding in &self.findings {
                text += &format!("- {finding}\n");
            }
        }
        text
    }
}
