//! Names of what is hit, and the faces of files: further columns of answers, taken from the scene.

use crate::failure::{Failure, Result};
use clap::Args;
use lanecast::{INVALID_ID, Precision, Scene};
use lanecast_io::Values;
use std::collections::HashMap;
use std::sync::Arc;

/// Which further columns answers have: the options of every subcommand that names primitives.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct LabelArguments {
    /// Also write face_id
    ///
    /// The number of the polygon in the file of which the triangle was cut, in the column face_id;
    /// primitive_id where no polygon of the mesh was cut, -1 where nothing is hit. Scene files keep
    /// it.
    #[arg(long, hide_short_help = true)]
    faces: bool,
    /// Also write geometry_name and instance_name
    ///
    /// Of objects, groups and materials of obj, nodes and meshes of glTF, solids of stl, or else
    /// the file; instances in instances as a/b. Empty where nothing is hit. Scene files keep them.
    /// Not in npz or ply, which hold no text.
    #[arg(long, hide_short_help = true)]
    names: bool,
}

impl LabelArguments {
    /// Refuses them where the answers name no primitive.
    pub(crate) fn expect_ids(self, has_ids: bool, who_has: &str) -> Result<()> {
        match self {
            _ if has_ids => Ok(()),
            Self { faces: true, .. } => {
                Err(Failure::about("--faces", format!("only {who_has} can have faces")))
            }
            Self { names: true, .. } => {
                Err(Failure::about("--names", format!("only {who_has} can have names")))
            }
            Self { .. } => Ok(()),
        }
    }
}

/// The further columns of some rows.
#[derive(Debug)]
pub(crate) struct Labels<'a, T: Precision> {
    arguments: LabelArguments,
    scene: &'a Scene<T>,
    faces: Vec<i64>,
    geometries: Vec<Arc<str>>,
    instances: Vec<Arc<str>>,
    /// The names of geometry and instance, and the faces, by instance and geometry.
    known: HashMap<[u32; 2], Known<'a>>,
}

#[derive(Debug, Clone, Default)]
struct Known<'a> {
    faces: &'a [u32],
    names: [Arc<str>; 2],
}

impl<'a, T: Precision> Labels<'a, T> {
    pub(crate) fn new(arguments: LabelArguments, scene: &'a Scene<T>) -> Self {
        let (faces, geometries, instances) = (Vec::new(), Vec::new(), Vec::new());
        let known = HashMap::from([([INVALID_ID; 2], Known::default())]);
        Self { arguments, scene, faces, geometries, instances, known }
    }

    /// The columns, of the rows that they were made for.
    pub(crate) fn columns(&self) -> Vec<(&'static str, Values<'_>)> {
        let faces = self.arguments.faces.then_some(("face_id", Values::I64(&self.faces)));
        let names = [
            ("geometry_name", Values::Text(&self.geometries)),
            ("instance_name", Values::Text(&self.instances)),
        ];
        faces.into_iter().chain(names.into_iter().filter(|_| self.arguments.names)).collect()
    }

    /// Makes them for rows that name instance, geometry and primitive, [`INVALID_ID`] for none.
    pub(crate) fn fill(&mut self, rows: impl IntoIterator<Item = [u32; 3]>) -> Result<()> {
        self.faces.clear();
        self.geometries.clear();
        self.instances.clear();
        if !(self.arguments.faces || self.arguments.names) {
            return Ok(());
        }
        for [instance_id, geometry_id, primitive_id] in rows {
            let instance_id = if geometry_id == INVALID_ID { INVALID_ID } else { instance_id };
            let place = [instance_id, geometry_id];
            if !self.known.contains_key(&place) {
                self.known.insert(place, self.look_up(place)?);
            }
            let Known { faces, names: [geometry, instance] } = &self.known[&place];
            let face = faces.get(primitive_id as usize).copied().unwrap_or(primitive_id);
            self.faces.push(if geometry_id == INVALID_ID { -1 } else { face.into() });
            self.geometries.push(Arc::clone(geometry));
            self.instances.push(Arc::clone(instance));
        }
        Ok(())
    }

    fn look_up(&self, [instance_id, geometry_id]: [u32; 2]) -> Result<Known<'a>> {
        let (mut scene, mut names) = (self.scene, Vec::new());
        for number in self.scene.instance_path(instance_id)? {
            names.push(scene.instance_name(number)?);
            scene = scene.instance_scene(number)?;
        }
        names.retain(|name| !name.is_empty());
        let names = [scene.name(geometry_id)?.into(), names.join("/").into()];
        Ok(Known { faces: scene.face_ids(geometry_id)?, names })
    }
}
