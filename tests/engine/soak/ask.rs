//! Asks a case in a setting. All answers come as rows of words, so that those of every query, whole
//! or in pieces, are compared in one way.

use std::collections::HashSet;

use crate::common::rays::Rounded;
use crate::soak::case::{Case, Query, Row, Uses};
use crate::soak::columns::Columns;
use crate::soak::scenes::Held;
use crate::soak::setting::{Setting, Split};
use lanecast::cast::{OnePoint, OneRay};
use lanecast::{
    Backend, Cast, Error, Hit, HitBatch, INVALID_ID, PointGrid, Precision, Ray, Result, Scalar,
    Scene, Segment, SightLines, Status,
    answers::{
        AllHitsBatch, AnyHitBatch, ClosestPoint, ClosestPointBatch, CostBatch, CountBatch,
        DistanceBatch, InsideBatch, LineHitBatch, PerRow, SightMatrix,
    },
    cast::PickLimit,
    scene::Pick,
};
use lanecast_reference::vector::{minus, times};

/// Rows of words.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn row(&self, row: usize) -> &[u64] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.words[start..self.ends[row]]
    }

    /// Those rows alone.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        let mut table = Self::default();
        rows.iter().for_each(|&row| table.end(self.row(row)));
        table
    }

    /// Adds words, and ends a row.
    fn end(&mut self, words: &[u64]) {
        self.words.extend(words);
        self.ends.push(self.words.len());
    }

    /// Adds a row of closest hits, whether it is one or not, and does not end it.
    fn add_row<T: Scalar + Into<f64>>(&mut self, hits: &HitBatch<T>, row: usize) {
        let instance_id = hits.instance_id().get(row).copied().unwrap_or(INVALID_ID);
        let [t, u, v] = [hits.t(), hits.u(), hits.v()].map(|column| column[row]);
        let [primitive_id, geometry_id] =
            [hits.primitive_id(), hits.geometry_id()].map(|ids| ids[row]);
        self.words.push(code(hits.status()[row]));
        self.words.extend(of_hit(Hit { t, primitive_id, geometry_id, instance_id, u, v }));
        self.words.extend(hits.geometric_normal().get(row).into_iter().flatten().map(|&x| word(x)));
    }

    /// A row of closest hits for each ray, on all sides.
    fn add_closest<T: Scalar + Into<f64>>(&mut self, sides: &[&HitBatch<T>]) {
        for row in 0..sides[0].len() {
            sides.iter().for_each(|hits| self.add_row(hits, row));
            self.end(&[]);
        }
    }

    /// A row of hits for each ray.
    fn add_all<T: Scalar + Into<f64>>(&mut self, all: &AllHitsBatch<T>) {
        assert_eq!((all.offsets()[0], all.offsets().len()), (0, all.len() + 1), "offsets");
        for row in 0..all.len() {
            self.words.push(code(all.status()[row]));
            self.words.extend(all.of_ray(row).iter().flat_map(|hit| of_hit(*hit)));
            self.end(&[]);
        }
    }

    /// A row for each of what became of rays or points, with the numbers of columns beside.
    fn add<T: Copy + Into<f64>>(&mut self, statuses: &[Status], columns: &[&[T]]) {
        assert!(
            columns.iter().all(|column| column.len() == statuses.len()),
            "columns of other lengths"
        );
        for (row, &status) in statuses.iter().enumerate() {
            self.words.push(code(status));
            self.words.extend(columns.iter().map(|column| word(column[row])));
            self.end(&[]);
        }
    }
}

/// A number of any kind as the bits of the `f64` that it is.
fn word(number: impl Into<f64>) -> u64 {
    number.into().to_bits()
}

fn code(status: Status) -> u64 {
    word(status.code())
}

/// The status of what there is or is not.
fn hit_if(there_is: bool) -> Status {
    if there_is { Status::Hit } else { Status::Miss }
}

fn of_hit<T: Into<f64>>(
    Hit { t, primitive_id, geometry_id, instance_id, u, v }: Hit<T>,
) -> [u64; 6] {
    [word(t), word(primitive_id), word(geometry_id), word(instance_id), word(u), word(v)]
}

/// What a row of closest hits says of a single ray.
fn of_option<T: Scalar + Into<f64>>(hit: Option<Hit<T>>) -> Vec<u64> {
    [&[code(hit_if(hit.is_some()))][..], &of_hit(hit.unwrap_or(Hit::NONE))].concat()
}

fn of_point<T: Into<f64>>(found: ClosestPoint<T>) -> [u64; 9] {
    let ClosestPoint { distance, point: [x, y, z], primitive_id, geometry_id, instance_id, u, v } =
        found;
    let ids = [primitive_id, geometry_id, instance_id].map(word);
    [word(distance), word(x), word(y), word(z), ids[0], ids[1], ids[2], word(u), word(v)]
}

/// Batches of answers that are written over again and again.
#[derive(Default)]
pub(crate) struct Used {
    counts: UsedCounts,
    single: UsedNumbers<f32>,
    double: UsedNumbers<f64>,
}

#[derive(Default)]
struct UsedCounts {
    any: AnyHitBatch,
    counts: CountBatch,
    costs: CostBatch,
    inside: InsideBatch,
    matrix: SightMatrix,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct UsedNumbers<T> {
    points: ClosestPointBatch<T>,
    distances: DistanceBatch<T>,
    closest: HitBatch<T>,
    all: AllHitsBatch<T>,
    line: LineHitBatch<T>,
}

/// The answers in the order of rays, points, or lines; or what error there was.
pub(crate) fn ask(case: &Case<'_>, setting: &Setting) -> std::result::Result<Table, String> {
    let (mut table, used) = (Table::default(), &mut *case.subject.used.borrow_mut());
    let done = match &case.subject.held {
        Held::Double(scene) => {
            ask_scene(scene, case, setting, &mut used.counts, &mut used.double, &mut table)
        }
        Held::Single(scene) => {
            ask_scene(scene, case, setting, &mut used.counts, &mut used.single, &mut table)
        }
    };
    done.map(|()| table).map_err(|error| error.to_string())
}

fn ask_scene<T: Rounded + Into<f64>>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    counts: &mut UsedCounts,
    numbers: &mut UsedNumbers<T>,
    table: &mut Table,
) -> Result<()> {
    match case.query {
        Query::Sight => ask_sight(scene, case, setting, counts, table),
        Query::Occupancy => ask_grid(scene, case, setting, counts, table),
        Query::Pick => ask_picks(scene, case, setting, table),
        query if query.is_of_rays() => ask_rays(scene, case, setting, counts, numbers, table),
        _ => ask_points(scene, case, setting, counts, numbers, table),
    }
}

/// Adds what a single ray or point is answered; if it is refused, what stands in a batch for that.
fn add_single(table: &mut Table, answer: Result<Vec<u64>>, refused: &[u64]) -> Result<()> {
    match answer {
        Ok(words) => table.end(&words),
        Err(Error::InvalidRay { status }) => table.end(&[&[code(status)], refused].concat()),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The queries of rays for one precision.
fn ask_rays<T: Rounded + Into<f64>>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut UsedCounts,
    hits: &mut UsedNumbers<T>,
    table: &mut Table,
) -> Result<()> {
    for piece in setting.pieces(case.rows.len()) {
        let (rows, uses) = (&case.rows[piece], &case.uses);
        let columns = Columns::new(rows, setting.layout);
        let mut options = columns.leave_out(uses, setting.options(uses, case.subject));
        let accepts = |row: usize, hit: &Hit<T>, side| uses.accepts(rows[row].id, hit, side);
        if uses.filter.is_some() {
            options = options.filter(&accepts);
        }
        // No hits at all say nothing of whether there are any.
        if setting.split == Split::OneByOne && case.suits_single_rays() && rows[0].limit > 0 {
            let cast = scene.cast(&columns.rays.0[0]).with(&options);
            ask_ray(&cast, case.query, rows[0].limit, table)?;
            continue;
        }
        let cast = scene.cast(columns.batch(setting.layout)).with(&options);
        let UsedCounts { any, counts, costs, .. } = used;
        let UsedNumbers { closest, all, line, .. } = hits;
        match case.query {
            Query::Closest => {
                cast.closest_into(&mut *closest)?;
                table.add_closest(&[closest]);
            }
            Query::Farthest => {
                cast.farthest_into(&mut *closest)?;
                table.add_closest(&[closest]);
            }
            Query::Any => {
                cast.any_into(&mut *any)?;
                table.add::<u32>(any.status(), &[]);
            }
            Query::Count => {
                cast.count_into(&mut *counts)?;
                table.add(counts.status(), &[counts.count()]);
            }
            Query::Nearest => {
                let same = PerRow::Same(rows[0].limit);
                cast.nearest_into(
                    if uses.limits { PerRow::Each(&columns.limits) } else { same },
                    all,
                )?;
                table.add_all(all);
            }
            Query::Line => {
                cast.line_hits_into(&mut *line)?;
                table.add_closest(&[line.ahead(), line.behind()]);
            }
            Query::Cost => {
                cast.cost_into(&mut *costs)?;
                let columns = [costs.nodes(), costs.boxes(), costs.leaves(), costs.primitives()];
                table.add(costs.status(), &columns);
            }
            _ => {
                cast.all_into(all)?;
                table.add_all(all);
            }
        }
    }
    Ok(())
}

/// A single ray, told as a batch of it is told.
fn ask_ray<T: Precision + Into<f64>>(
    cast: &Cast<'_, T, OneRay<'_, T>>,
    query: Query,
    limit: u32,
    table: &mut Table,
) -> Result<()> {
    let none = of_hit(Hit::<T>::NONE);
    let listed = |hits: Vec<Hit<T>>| {
        [code(hit_if(!hits.is_empty()))]
            .into_iter()
            .chain(hits.into_iter().flat_map(of_hit))
            .collect()
    };
    match query {
        Query::Closest => add_single(table, cast.closest().map(of_option), &none),
        Query::Farthest => add_single(table, cast.farthest().map(of_option), &none),
        Query::Any => add_single(table, cast.any().map(|hit| vec![code(hit_if(hit))]), &[]),
        Query::Count => {
            let words = |count| vec![code(hit_if(count > 0)), word(count)];
            add_single(table, cast.count().map(words), &[word(0)])
        }
        Query::All => add_single(table, cast.all().map(listed), &[]),
        Query::Nearest => add_single(table, cast.nearest(limit).map(listed), &[]),
        _ => {
            // Either side says why a line is refused.
            let answer =
                cast.line_hits().map(|hits| [of_option(hits.ahead), of_option(hits.behind)]);
            let refused = match &answer {
                Err(Error::InvalidRay { status }) => [&none[..], &[code(*status)], &none].concat(),
                _ => Vec::new(),
            };
            add_single(table, answer.map(|sides| sides.concat()), &refused)
        }
    }
}

fn rounded<T: Rounded>(point: [f64; 3]) -> [T; 3] {
    point.map(T::rounded)
}

/// What is asked about the origins of the rays.
fn ask_points<T: Rounded + Into<f64>>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut UsedCounts,
    numbers: &mut UsedNumbers<T>,
    table: &mut Table,
) -> Result<()> {
    let uses = Uses { normals: case.uses.normals, ..Uses::NOTHING };
    for piece in setting.pieces(case.rows.len()) {
        let rows = &case.rows[piece];
        let points: Vec<[T; 3]> = rows.iter().map(|row| rounded(row.ray.origin)).collect();
        let radii: Vec<T> = rows.iter().map(|row| T::of(row.radius)).collect();
        let radius = if case.uses.limits { PerRow::Each(&radii) } else { PerRow::Same(radii[0]) };
        let options = setting.options(&uses, case.subject);
        if setting.split == Split::OneByOne && !uses.normals {
            ask_point(&scene.point(points[0]).with(&options), case.query, radii[0], table)?;
            continue;
        }
        let asked = scene.points(&points).with(&options);
        let UsedNumbers { points: closest, distances, .. } = numbers;
        let inside = &mut used.inside;
        match case.query {
            Query::Contains => {
                asked.contains_into(&mut *inside)?;
                table.add::<u32>(inside.status(), &[]);
            }
            Query::ClosestPoint => {
                asked.closest_into(radius, &mut *closest)?;
                for row in 0..closest.len() {
                    table.words.push(code(closest.status()[row]));
                    let normal =
                        closest.geometric_normal().get(row).into_iter().flatten().map(|&x| word(x));
                    table.words.extend(of_point(closest.get(row).unwrap_or(ClosestPoint::NONE)));
                    table.words.extend(normal);
                    table.end(&[word(closest.distance()[row])]);
                }
            }
            query => {
                match query {
                    Query::Distance => asked.distances_into(&mut *distances)?,
                    _ => asked.signed_distances_into(&mut *distances)?,
                }
                table.add(distances.status(), &[distances.distance()]);
            }
        }
    }
    Ok(())
}

/// A single point, told as a batch of it is told.
fn ask_point<T: Rounded + Into<f64>>(
    asked: &Cast<'_, T, OnePoint<'_, T>>,
    query: Query,
    radius: T,
    table: &mut Table,
) -> Result<()> {
    let radius = if query == Query::ClosestPoint { radius } else { T::INFINITY };
    let nothing = ClosestPoint::<T>::NONE;
    let closest = || asked.closest(radius);
    let status = || Ok(code(hit_if(closest()?.is_some())));
    match query {
        Query::Contains => {
            add_single(table, asked.contains().map(|inside| vec![code(hit_if(inside))]), &[])
        }
        Query::ClosestPoint => {
            let words = |found: ClosestPoint<T>, there_is| {
                [&[code(hit_if(there_is))][..], &of_point(found), &[word(found.distance)]].concat()
            };
            let answer = closest().map(|found| words(found.unwrap_or(nothing), found.is_some()));
            add_single(table, answer, &words(nothing, false)[1..])
        }
        Query::Distance => {
            let answer = asked.distance().and_then(|distance| Ok(vec![status()?, word(distance)]));
            add_single(table, answer, &[word(nothing.distance)])
        }
        _ => {
            let answer =
                asked.signed_distance().and_then(|distance| Ok(vec![status()?, word(distance)]));
            add_single(table, answer, &[word(nothing.distance)])
        }
    }
}

/// How many of all make the first side.
fn first_side(all: usize, shape: f32) -> usize {
    ((all as f32).powf(shape) as usize).clamp(1, all.max(1))
}

/// From the origins of the first rays to where as many as are left over go.
fn ask_sight<T: Rounded>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut UsedCounts,
    table: &mut Table,
) -> Result<()> {
    let observers = first_side(case.rows.len(), case.shape);
    let points = |rows: &[Row], end: f64| -> Vec<[T; 3]> {
        rows.iter().map(|Row { ray, .. }| rounded(ray.at(end))).collect()
    };
    let targets = points(&case.rows[..case.rows.len() / observers], 1.0);
    let observers = points(&case.rows[..observers], 0.0);
    let lines = SightLines::new(&observers, &targets)?;
    let matrix = &mut used.matrix;
    let one_by_one = setting.by_scan || setting.split == Split::OneByOne;
    let asked = scene.sight(&lines).with(&setting.options(&Uses::NOTHING, case.subject));
    if !one_by_one {
        asked.matrix_into(matrix)?;
    }
    for line in 0..observers.len() * targets.len() {
        let (observer, target) = (line / targets.len(), line % targets.len());
        let sees = if one_by_one {
            asked.first_obstacle(observer, target)?.is_none()
        } else {
            matrix.sees(observer, target)
        };
        table.end(&[sees.into()]);
    }
    Ok(())
}

/// A grid over the whole scene, of at most as many points as there are rays; one by one as points.
fn ask_grid<T: Rounded>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut UsedCounts,
    table: &mut Table,
) -> Result<()> {
    let (all, shape) = (case.rows.len(), case.shape);
    let wide = first_side(all, shape);
    let high = first_side(all / wide, shape);
    let counts = [wide, high, all / wide / high];
    let size = 1.1 * case.subject.aims.size;
    let origin = rounded(minus(case.subject.aims.middle, times(size, [1.0; 3])));
    let grid =
        PointGrid::new(origin, counts.map(|count| T::rounded(2.0 * size / count as f64)), counts)?;
    let options = setting.options(&Uses::NOTHING, case.subject);
    if setting.by_scan || setting.split == Split::OneByOne {
        let points: Vec<[T; 3]> = (0..grid.len()).map(|number| grid.point(number)).collect();
        scene.points(&points).with(&options).contains_into(&mut used.inside)?;
        used.inside.status().iter().for_each(|status| table.end(&[status.is_hit().into()]));
        return Ok(());
    }
    let asked = scene.grid(&grid).with(&options);
    let per_byte = if shape < 0.5 { 8 } else { 1 };
    if per_byte == 8 {
        asked.occupancy_bits_into(&mut used.bytes)?;
    } else {
        asked.occupancy_bytes_into(&mut used.bytes)?;
    }
    assert_eq!(used.bytes.len(), grid.len().div_ceil(per_byte), "bytes");
    let bit = |number: usize| used.bytes[number / per_byte] >> (number % per_byte) & 1;
    (0..grid.len()).for_each(|number| table.end(&[bit(number).into()]));
    Ok(())
}

/// Picks on any backend: a scene picks on its own, and picks are its hits told in full.
fn pick<T: Precision>(
    scene: &Scene<T>,
    backend: Backend,
    segment: &Segment<T>,
    limit: PickLimit,
) -> Result<Vec<Pick<T>>> {
    if backend == scene.backend() {
        return scene.cast(&Ray::from(*segment)).pick(limit);
    }
    let ray = Ray::segment(segment.start, segment.end);
    let cast = scene.cast(&ray).backend(backend);
    let mut hits = if matches!(limit, PickLimit::Nearest | PickLimit::Any) {
        cast.nearest(1)?
    } else {
        cast.all()?
    };
    if limit == PickLimit::OnePerGeometry {
        let mut met = HashSet::new();
        hits.retain(|hit| met.insert((hit.instance_id, hit.geometry_id)));
    }
    hits.iter().map(|hit| scene.locate(&ray, hit)).collect()
}

/// Segments as far as rays go in a unit of `t`.
fn ask_picks<T: Rounded + Into<f64>>(
    scene: &Scene<T>,
    case: &Case<'_>,
    setting: &Setting,
    table: &mut Table,
) -> Result<()> {
    let backend = case.subject.backends[setting.backend];
    for Row { id, ray, .. } in &case.rows {
        let limits =
            [PickLimit::All, PickLimit::OnePerGeometry, PickLimit::Nearest, PickLimit::Any];
        let segment = Segment::new(rounded(ray.origin), rounded(ray.at(1.0)));
        let picks = pick(scene, backend, &segment, limits[*id as usize % 4]).map(|picks| {
            let words = picks.into_iter().flat_map(|pick| {
                let places =
                    [pick.local_point, pick.world_point, pick.local_normal, pick.world_normal];
                let path = pick.instance_path.into_iter().map(word);
                of_hit(pick.hit)
                    .into_iter()
                    .chain(path)
                    .chain(places.into_iter().flatten().map(word))
            });
            words.collect()
        });
        add_single(table, picks, &[])?;
    }
    Ok(())
}
