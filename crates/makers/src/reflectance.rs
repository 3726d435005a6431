//! How much of the light that meets them surfaces scatter back.

use crate::common::*;
use lanecast::support::excerpt;
use lanecast::{Precision, Scene};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

const ASKED: Asked = Asked("reflectance");

/// So many names are listed where one is not known.
const LISTED: usize = 5;

/// Geometries, as a table of reflectances names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Geometries<'a> {
    /// Those with this [name](Scene::name), in whatever instances; where none has it and it is a
    /// whole number, those with that id.
    Named(&'a str),
    /// Those with this id, as hits have it, in whatever instances.
    Id(u32),
}

/// How much of the light that meets a surface it scatters back, from 0, where nothing comes back,
/// to 1: that of all, by the geometry, or by the primitive that is hit. [`Receiver::reflectance`]
/// takes it.
///
/// [`Receiver::reflectance`]: crate::Receiver::reflectance
///
/// ```
/// use lanecast::Scene;
/// use lanecast_makers::{Geometries, Reflectance};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut scene = Scene::from_triangles(&corners, &[[0, 1, 2], [0, 2, 3]])?;
/// scene.set_name(0, "road")?;
/// let even = Reflectance::of_geometries(&scene, &[(Geometries::Named("road"), &[0.15])])?;
/// assert_eq!(even.at(lanecast::INVALID_ID, 0, 1), 0.15);
/// // The second triangle is marked with paint.
/// let marked = Reflectance::of_geometries(&scene, &[(Geometries::Named("road"), &[0.15, 0.6])])?;
/// assert_eq!(marked.at(lanecast::INVALID_ID, 0, 1), 0.6);
/// assert!(Reflectance::of_geometries(&scene, &[(Geometries::Named("raod"), &[0.15])]).is_err());
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Reflectance {
    /// Of what has none of its own.
    usual: f64,
    /// By scene, the outermost first, and by geometry: which of the values its primitives have.
    of: Vec<Vec<Range<usize>>>,
    values: Vec<f64>,
    /// The scene of each instance id; none where all scenes have the same.
    scene_of: Vec<usize>,
}

impl std::fmt::Debug for Reflectance {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let geometries: usize = self.of.iter().map(Vec::len).sum();
        let mut shown = f.debug_struct("Reflectance");
        shown.field("usual", &self.usual).field("geometries", &geometries).finish_non_exhaustive()
    }
}

/// The scenes in a scene, itself the first, and the place of that of each instance id.
struct Placed<'a, T: Precision> {
    scenes: Vec<&'a Scene<T>>,
    scene_of: Vec<usize>,
}

impl<'a, T: Precision> Placed<'a, T> {
    fn new(scene: &'a Scene<T>) -> Self {
        let (mut scenes, mut known) = (vec![scene], HashMap::new());
        let place = |id: u32| {
            // Of an instance that was removed there are no hits.
            let Ok(inner) = scene.scene_of(id) else { return 0 };
            *known.entry(std::ptr::from_ref(inner)).or_insert_with(|| {
                scenes.push(inner);
                scenes.len() - 1
            })
        };
        let scene_of = (0..scene.instance_id_count()).map(place).collect();
        Self { scenes, scene_of }
    }

    /// How many ids geometries have, those that were removed among them.
    fn ids(scene: &Scene<T>) -> usize {
        scene.geometry_ids().next_back().map_or(0, |last| last as usize + 1)
    }

    /// The most of any scene.
    fn most_ids(&self) -> usize {
        self.scenes.iter().map(|scene| Self::ids(scene)).max().unwrap_or_default()
    }

    /// The names of all geometries.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.scenes
            .iter()
            .flat_map(|scene| scene.geometry_ids().filter_map(|id| scene.name(id).ok()))
    }

    /// What is said of a name that no geometry has.
    fn unknown(&self, name: &str) -> String {
        let names: BTreeSet<_> = self.names().filter(|name| !name.is_empty()).collect();
        let mut listed: Vec<_> =
            names.iter().take(LISTED).map(|name| format!("\"{}\"", excerpt(name))).collect();
        if names.len() > LISTED {
            listed.push(format!("{} more", names.len() - LISTED));
        }
        let there = match &*listed {
            [] => "none has a name".to_owned(),
            _ => format!("there are {}", listed.join(", ")),
        };
        format!("no geometry is called \"{}\"; {there}", excerpt(name))
    }
}

/// Refuses what is no part of the light that meets a surface.
fn check(row: usize, values: &[f64]) -> Result<()> {
    let Some(first) = values.iter().position(|value| !(0.0..=1.0).contains(value)) else {
        return Ok(());
    };
    let place = if values.len() > 1 { format!(" at primitive {first}") } else { String::new() };
    Err(unusable(row, format!("is {}{place}; it must be from 0 to 1", values[first])))
}

fn unusable(row: usize, problem: String) -> Error {
    let Asked(maker) = ASKED;
    Error::UnusableRow { maker, field: "reflectance", row, problem }
}

impl Reflectance {
    /// The same of everything. [`Error::UnusableField`] if it is not from 0 to 1.
    pub fn even(reflectance: f64) -> Result<Self> {
        ASKED.within("reflectance", reflectance, 0.0..=1.0)?;
        Ok(Self { usual: reflectance, of: Vec::new(), values: Vec::new(), scene_of: Vec::new() })
    }

    /// That of some geometries of a scene, and of all that are placed in it: one value for all of
    /// their primitives, or one for each. Of two that name the same geometry the latter counts. That
    /// of others is 1.
    ///
    /// # Errors
    /// [`Error::UnusableRow`], which names the row: no geometry has that name, the id is above
    /// those of all, a geometry has another number of primitives, or a reflectance is not from 0 to
    /// 1.
    pub fn of_geometries<T: Precision>(
        scene: &Scene<T>,
        rows: &[(Geometries<'_>, &[f64])],
    ) -> Result<Self> {
        let placed = Placed::new(scene);
        let mut values = vec![1.0];
        let mut of: Vec<_> =
            placed.scenes.iter().map(|scene| vec![0..1; Placed::ids(scene)]).collect();
        for (row, &(geometries, given)) in rows.iter().enumerate() {
            check(row, given)?;
            let places = values.len()..values.len() + given.len();
            values.extend_from_slice(given);
            let geometries = match geometries {
                Geometries::Named(name) if !placed.names().any(|found| found == name) => {
                    name.parse().map_or(geometries, Geometries::Id)
                }
                other => other,
            };
            let mut is_there = false;
            for (scene, of) in placed.scenes.iter().zip(&mut of) {
                let is_meant = |&id: &u32| match geometries {
                    Geometries::Named(name) => scene.name(id).is_ok_and(|found| found == name),
                    Geometries::Id(meant) => meant == id,
                };
                for id in scene.geometry_ids().filter(is_meant) {
                    let (found, expected) = (given.len(), scene.geometry(id)?.primitive_count());
                    if found != 1 && found != expected {
                        let problem = format!(
                            "has {found} values, and geometry {id} has {expected} primitives"
                        );
                        return Err(unusable(row, problem));
                    }
                    (of[id as usize], is_there) = (places.clone(), true);
                }
            }
            if !is_there {
                return Err(unusable(
                    row,
                    match geometries {
                        Geometries::Named(name) => placed.unknown(name),
                        Geometries::Id(id) => format!("no geometry has the id {id}"),
                    },
                ));
            }
        }
        Ok(Self { usual: 1.0, of, values, scene_of: placed.scene_of })
    }

    /// That of each geometry by its id, in whatever instance it is.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if there is not one for each id that a geometry of the scene, or of
    /// one that is placed in it, has; [`Error::UnusableRow`] if one is not from 0 to 1.
    pub fn by_id<T: Precision>(scene: &Scene<T>, reflectances: &[f64]) -> Result<Self> {
        let (found, expected) = (reflectances.len(), Placed::new(scene).most_ids());
        ensure!(
            found == expected,
            ASKED,
            "reflectance",
            "has {found} values, and geometries have {expected} ids"
        );
        for (row, value) in reflectances.iter().enumerate() {
            check(row, std::slice::from_ref(value))?;
        }
        let of = (0..found).map(|id| id..id + 1).collect();
        let (values, scene_of) = (reflectances.to_vec(), Vec::new());
        Ok(Self { usual: 1.0, of: vec![of], values, scene_of })
    }

    /// That of a hit with these ids.
    pub fn at(&self, instance_id: u32, geometry_id: u32, primitive_id: u32) -> f64 {
        let scene = self.scene_of.get(instance_id as usize).copied().unwrap_or_default();
        let of = self.of.get(scene).and_then(|of| of.get(geometry_id as usize));
        let value = of.and_then(|of| match &self.values[of.clone()] {
            [all] => Some(all),
            each => each.get(primitive_id as usize),
        });
        value.copied().unwrap_or(self.usual)
    }
}
