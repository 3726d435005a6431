//! Geometries and instances as Python describes them, by the classes of `_geometry.py`.

use crate::arrays::{PerRow, Table, Vectors, floats, shown};
use crate::errors::{extracted, raised, refused};
use crate::ids::Ids;
use crate::number::Number;
use crate::scene::PyScene;
use lanecast::primitive::{Cylinder, HeightField, Obb, RoundCone, Sphere};
use lanecast::{Aabb, Affine, Error, Geometry, Scene, SceneBuilder};
use numpy::prelude::*;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// One geometry or instance, read.
enum Item<'py, T: Number> {
    Mesh {
        vertices: Vectors<'py, T>,
        triangles: Ids<'py>,
        is_deformable: bool,
    },
    Quads {
        vertices: Vectors<'py, T>,
        quads: Ids<'py>,
    },
    Shapes(Geometry<'static, T>),
    /// A field of heights, and the number of its columns.
    Heights(Geometry<'static, T>, usize),
    Placed {
        scene: Arc<Scene<T>>,
        transform: Affine,
    },
}

/// What goes with a geometry or an instance, once the scene is built.
pub(crate) struct Label {
    mask: u32,
    name: String,
    user_data: u64,
}

/// A scene that is placed, where, and what goes with it.
type Placed<'a, T> = (&'a Arc<Scene<T>>, Affine, &'a Label);

/// All that a scene is to hold.
pub(crate) struct Items<'py, T: Number>(Vec<(Item<'py, T>, Label, String)>);

impl<'py, T: Number> Items<'py, T> {
    /// Reads the descriptions; `name_of` makes the name of an argument of an item.
    pub(crate) fn read(items: &[(String, Bound<'py, PyAny>)]) -> PyResult<Self> {
        items
            .iter()
            .map(|(name, item)| Ok((read(name, item)?, label(name, item)?, name.clone())))
            .collect::<PyResult<_>>()
            .map(Self)
    }

    /// Adds everything to a builder.
    pub(crate) fn add<'a>(
        &'a self,
        mut builder: SceneBuilder<'a, T>,
    ) -> PyResult<SceneBuilder<'a, T>> {
        for (item, _, name) in &self.0 {
            builder = match item {
                Item::Placed { scene, transform } => builder.instance(scene, *transform),
                item => builder
                    .geometry(item.geometry(name)?)
                    .map_err(|error| item.fault(name, error))?,
            };
        }
        Ok(builder)
    }

    /// Gives masks, names and user data to what was built.
    pub(crate) fn label(&self, scene: &mut Scene<T>) -> lanecast::Result<()> {
        let (mut geometry_id, mut instance) = (0, 0);
        for (item, label, _) in &self.0 {
            if matches!(item, Item::Placed { .. }) {
                label.of_instance(scene, instance)?;
                instance += 1;
            } else {
                label.of_geometry(scene, geometry_id)?;
                geometry_id += 1;
            }
        }
        Ok(())
    }

    /// The geometries with what goes with them; there must be no instance.
    pub(crate) fn geometries(&self) -> PyResult<Vec<(Geometry<'_, T>, &Label)>> {
        let mut checked = Vec::new();
        for (item, label, name) in &self.0 {
            let geometry = item.geometry(name)?;
            // Of a scene of its own an error is of this item.
            let alone = SceneBuilder::default().geometry(geometry.clone());
            alone.map(drop).map_err(|error| item.fault(name, error))?;
            checked.push((geometry, label));
        }
        Ok(checked)
    }

    /// The placed scenes with what goes with them; there must be no geometry.
    pub(crate) fn placed(&self) -> PyResult<Vec<Placed<'_, T>>> {
        let mut placed = Vec::new();
        for (item, label, name) in &self.0 {
            let Item::Placed { scene, transform } = item else {
                let problem = "an Instance was expected; `add` adds geometries";
                return Err(refused(name.trim_end_matches('.'), problem));
            };
            placed.push((scene, *transform, label));
        }
        Ok(placed)
    }
}

impl<T: Number> Item<'_, T> {
    /// The geometry; `name` begins the names of its arguments.
    fn geometry(&self, name: &str) -> PyResult<Geometry<'_, T>> {
        Ok(match self {
            Self::Mesh { vertices, triangles, is_deformable } => {
                let (vertices, triangles) =
                    (vertices.rows()?, triangles.rows(&format!("{name}triangles"))?);
                match is_deformable {
                    true => Geometry::deformable_mesh(vertices, triangles),
                    false => Geometry::triangle_mesh(vertices, triangles),
                }
            }
            Self::Quads { vertices, quads } => {
                Geometry::quads(vertices.rows()?, quads.rows(&format!("{name}quads"))?)
            }
            Self::Shapes(geometry) | Self::Heights(geometry, _) => geometry.clone(),
            Self::Placed { .. } => {
                let problem = "an Instance is no geometry; `add_instances` adds it";
                return Err(refused(name.trim_end_matches('.'), problem));
            }
        })
    }
}

impl<T: Number> Item<'_, T> {
    /// What the engine refuses of the geometry, by the name and the row of the argument.
    fn fault(&self, name: &str, error: Error) -> PyErr {
        const RANGE: &str = "coordinates must be finite and at most 2^100 in magnitude";
        match (self, error) {
            (Self::Heights(_, columns), Error::UnusableVertex { vertex, position, .. }) => {
                let place = format!("{name}heights[{}, {}]", vertex / columns, vertex % columns);
                refused(&place, format!("its vertex is {position:?}; {RANGE}"))
            }
            (_, Error::UnusableVertex { vertex, position, .. }) => refused(
                &format!("{name}vertices[{vertex}]"),
                format!("it is {position:?}; {RANGE}"),
            ),
            (_, Error::VertexOutOfRange { primitive_id, vertex, vertices, .. }) => {
                let (argument, row) = match self {
                    Self::Quads { .. } => ("quads", primitive_id / 2),
                    _ => ("triangles", primitive_id),
                };
                let problem =
                    format!("it names vertex {vertex}, but there are {vertices} vertices");
                refused(&format!("{name}{argument}[{row}]"), problem)
            }
            (_, Error::UnusableBounds { primitive_id, bounds: [min, max], .. }) => {
                let problem = format!(
                    "the box around primitive {primitive_id} is from {min:?} to {max:?}; {RANGE}"
                );
                refused(name.trim_end_matches('.'), problem)
            }
            (_, error) => raised(error),
        }
    }
}

impl Label {
    pub(crate) fn of_geometry<T: Number>(
        &self,
        scene: &mut Scene<T>,
        id: u32,
    ) -> lanecast::Result<()> {
        scene.set_mask(id, self.mask)?;
        scene.set_name(id, &*self.name)?;
        scene.set_user_data(id, self.user_data)
    }

    pub(crate) fn of_instance<T: Number>(
        &self,
        scene: &mut Scene<T>,
        instance: u32,
    ) -> lanecast::Result<()> {
        scene.set_instance_mask(instance, self.mask)?;
        scene.set_instance_name(instance, &*self.name)?;
        scene.set_instance_user_data(instance, self.user_data)
    }
}

/// Which kind of geometry or instance an item is, by its class.
pub(crate) fn kind(name: &str, item: &Bound<'_, PyAny>) -> PyResult<String> {
    let of_none = || {
        let found = item.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        let name = name.trim_end_matches('.');
        PyTypeError::new_err(format!(
            "{name}: a scene holds Mesh, Quads, Boxes, OrientedBoxes, Spheres, RoundCones, Cylinders, HeightField and Instance, and no {found}; \
             Mesh(vertices, triangles) is made of arrays"
        ))
    };
    item.getattr_opt("_kind")?.ok_or_else(of_none)?.extract()
}

fn label(name: &str, item: &Bound<'_, PyAny>) -> PyResult<Label> {
    let argument =
        |field: &str| -> PyResult<_> { Ok((format!("{name}{field}"), item.getattr(field)?)) };
    let (mask, text, user_data) = (argument("mask")?, argument("name")?, argument("user_data")?);
    Ok(Label {
        mask: extracted(&mask.0, &mask.1)?,
        name: extracted(&text.0, &text.1)?,
        user_data: extracted(&user_data.0, &user_data.1)?,
    })
}

fn read<'py, T: Number>(name: &str, item: &Bound<'py, PyAny>) -> PyResult<Item<'py, T>> {
    let argument =
        |field: &str| -> PyResult<_> { Ok((format!("{name}{field}"), item.getattr(field)?)) };
    let vectors =
        |field: &str| argument(field).and_then(|(name, value)| Vectors::<T>::of(&name, &value));
    let radii = |field: &str, rows: usize| -> PyResult<Vec<T>> {
        let (name, value) = argument(field)?;
        let column = PerRow::<T>::of(&name, &value, &[rows])?;
        let radii = column.numbers(rows);
        // The engine takes what is negative for nothing, which no ray meets.
        let is_usable = |radius: &T| *radius >= T::ZERO;
        if let Some(row) = radii.iter().position(|radius| !is_usable(radius)) {
            let place =
                if matches!(column, PerRow::Same(_)) { name } else { format!("{name}[{row}]") };
            return Err(refused(
                &place,
                format!("it is {}; a number from 0 on was expected", radii[row]),
            ));
        }
        Ok(radii)
    };
    Ok(match &*kind(name, item)? {
        "mesh" => {
            let (triangles, value) = argument("triangles")?;
            let (deformable, is_deformable) = argument("deformable")?;
            let is_deformable = extracted(&deformable, &is_deformable)?;
            Item::Mesh {
                vertices: vectors("vertices")?,
                triangles: Ids::of(&triangles, &value, false)?,
                is_deformable,
            }
        }
        "quads" => {
            let (quads, value) = argument("quads")?;
            Item::Quads { vertices: vectors("vertices")?, quads: Ids::of(&quads, &value, false)? }
        }
        "boxes" => {
            let (min, max) = (vectors("min")?, vectors("max")?);
            let rows = same_length(&format!("{name}max"), max.rows()?.len(), min.rows()?.len())?;
            let boxed = |row: usize| -> PyResult<_> {
                let (min, max) = (min.rows()?[row], max.rows()?[row]);
                if let Some(axis) = (0..3).find(|&axis| min[axis] > max[axis]) {
                    let along = ["x", "y", "z"][axis];
                    let problem = format!(
                        "{} is less than the {} of min along {along}",
                        max[axis], min[axis]
                    );
                    return Err(refused(&format!("{name}max[{row}]"), problem));
                }
                Ok(Aabb { min, max })
            };
            Item::Shapes(Geometry::boxes(&(0..rows).map(boxed).collect::<PyResult<Vec<_>>>()?))
        }
        "oriented_boxes" => {
            let (centers, half) = (vectors("center")?, vectors("half_extents")?);
            let (axes_name, axes) = argument("axes")?;
            let axes = floats::<T>(&axes_name, &axes)?;
            let rows = same_length(
                &format!("{name}half_extents"),
                half.rows()?.len(),
                centers.rows()?.len(),
            )?;
            if axes.shape() != [rows, 3, 3] {
                return Err(refused(
                    &axes_name,
                    format!("its shape is {}; ({rows}, 3, 3) was expected", shown(axes.shape())),
                ));
            }
            let axis = axes.as_array();
            let boxes = (0..rows).map(|row| {
                let axes = std::array::from_fn(|i| std::array::from_fn(|j| axis[[row, i, j]]));
                Obb::new(centers.rows()?[row], axes, half.rows()?[row])
                    .map_err(|error| refused(&format!("{axes_name}[{row}]"), error))
            });
            Item::Shapes(Geometry::oriented_boxes(&boxes.collect::<PyResult<Vec<_>>>()?))
        }
        "spheres" => {
            let centers = vectors("center")?;
            let radii = radii("radius", centers.rows()?.len())?;
            let spheres = centers
                .rows()?
                .iter()
                .zip(radii)
                .map(|(&center, radius)| Sphere::new(center, radius));
            Item::Shapes(Geometry::spheres(&spheres.collect::<Vec<_>>()))
        }
        "round_cones" => {
            let (starts, ends) = (vectors("start")?, vectors("end")?);
            let rows =
                same_length(&format!("{name}end"), ends.rows()?.len(), starts.rows()?.len())?;
            let radii = [radii("start_radius", rows)?, radii("end_radius", rows)?];
            let cone = |row: usize| -> PyResult<_> {
                Ok(RoundCone {
                    ends: [starts.rows()?[row], ends.rows()?[row]],
                    radii: [radii[0][row], radii[1][row]],
                })
            };
            Item::Shapes(Geometry::round_cones(&(0..rows).map(cone).collect::<PyResult<Vec<_>>>()?))
        }
        "cylinders" => {
            let (starts, ends) = (vectors("start")?, vectors("end")?);
            let rows =
                same_length(&format!("{name}end"), ends.rows()?.len(), starts.rows()?.len())?;
            let radii = radii("radius", rows)?;
            let cylinder = |row: usize| -> PyResult<_> {
                let ends = [starts.rows()?[row], ends.rows()?[row]];
                if ends[0] == ends[1] {
                    let problem = "it is that of start; a cylinder has a length";
                    return Err(refused(&format!("{name}end[{row}]"), problem));
                }
                Ok(Cylinder { ends, radius: radii[row] })
            };
            let cylinders = (0..rows).map(cylinder).collect::<PyResult<Vec<_>>>()?;
            Item::Shapes(Geometry::cylinders(&cylinders))
        }
        "height_field" => {
            let item_name = name;
            let (name, heights) = argument("heights")?;
            let heights = floats::<T>(&name, &heights)?;
            let &[rows, columns] = heights.shape() else {
                return Err(refused(
                    &name,
                    format!(
                        "its shape is {}; (rows, columns) was expected",
                        shown(heights.shape())
                    ),
                ));
            };
            let values: Vec<T> = heights.as_array().iter().copied().collect();
            let [origin, spacing] =
                places_of_heights(item_name, item)?.map(|pair| pair.map(T::nearest));
            let field = HeightField::new(&values, [rows, columns], origin, spacing);
            let field = field.map_err(|error| match &error {
                Error::UnusableField { field: "rows" | "columns", .. } => {
                    let problem = "two rows and columns at least were expected";
                    refused(&name, format!("its shape is ({rows}, {columns}); {problem}"))
                }
                Error::UnusableField { field, problem, .. } => {
                    let (argument, axis) = field.split_once(' ').unwrap_or((field, "x"));
                    let (turned, step) = if axis == "x" {
                        ("[:, ::-1]", spacing[0])
                    } else {
                        ("[::-1]", spacing[1])
                    };
                    let hint = match argument == "spacing" && step < T::ZERO {
                        true => format!(
                            ": give heights{turned}, and as origin where its first vertex is"
                        ),
                        false => String::new(),
                    };
                    refused(
                        &format!("{item_name}{argument}"),
                        format!("along {axis} it {problem}{hint}"),
                    )
                }
                _ => refused(&name, error),
            });
            Item::Heights(Geometry::height_field(field?), columns)
        }
        "instance" => {
            let (scene_name, scene) = argument("scene")?;
            let scene = scene
                .cast::<PyScene>()
                .map_err(|_| refused(&scene_name, "a Scene was expected"))?;
            let (name, transform) = argument("transform")?;
            let other =
                || refused(&scene_name, "scenes of f32 and of f64 cannot be placed in one another");
            let scene = T::scene_of(&scene.get().content.now()).cloned().ok_or_else(other)?;
            Item::Placed { scene, transform: affine(&name, &transform)? }
        }
        kind => return Err(refused(name, format!("there is no geometry of kind {kind}"))),
    })
}

fn same_length(argument: &str, found: usize, expected: usize) -> PyResult<usize> {
    if found == expected {
        return Ok(found);
    }
    Err(refused(argument, format!("it has {found} rows; {expected} were expected")))
}

/// An affine map of points as columns, from a (3, 4) or (4, 4) matrix.
pub(crate) fn affine(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Affine> {
    let table = Table::<f64>::of(argument, value, &[4])?;
    let rows: usize = table.shape().iter().product();
    if table.shape().len() != 1 || !matches!(rows, 3 | 4) {
        return Err(refused(argument, "a matrix of shape (3, 4) or (4, 4) was expected"));
    }
    let matrix = floats::<f64>(argument, value)?;
    let matrix = matrix.as_array();
    if rows == 4 && (0..4).any(|column| matrix[[3, column]] != if column == 3 { 1.0 } else { 0.0 })
    {
        return Err(refused(
            &format!("{argument}[3]"),
            "the last row of an affine map is 0, 0, 0, 1",
        ));
    }
    Ok(Affine::from_rows(std::array::from_fn(|row| {
        std::array::from_fn(|column| matrix[[row, column]])
    })))
}

/// Where the first vertex of a field of heights is, and the steps to others.
pub(crate) fn places_of_heights(name: &str, item: &Bound<'_, PyAny>) -> PyResult<[[f64; 2]; 2]> {
    let pair = |field: &str| {
        let expected =
            |_| refused(&format!("{name}{field}"), "two numbers, along x and y, were expected");
        item.getattr(field)?.extract().map_err(expected)
    };
    Ok([pair("origin")?, pair("spacing")?])
}
