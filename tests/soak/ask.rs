//! Asks a case in a setting. All answers come as rows of words, so that those of every query, whole or in pieces, are
//! compared in one way.

use crate::case::{Case, Query, Row, Uses};
use crate::columns::Columns;
use crate::reference::{minus, times};
use crate::scenes::Held;
use crate::setting::{Setting, Split};
use lanecast::makers::SightLines;
use lanecast::{
    AllHitsBatch, AnyHitBatch, ClosestPoint, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch, Error,
    Hit, HitBatch, INVALID_ID, InsideBatch, Limit, LineHitBatch, PickLimit, PointGrid, Radius, Result, Scene,
    SceneF64, Segment, SightMatrix, Status,
};

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
    fn add_row<T: Copy + Into<f64>>(&mut self, hits: &HitBatch<T>, row: usize) {
        let HitBatch { status, t, primitive_id, geometry_id, instance_id, u, v, geometric_normal } = hits;
        let instance_id = instance_id.get(row).copied().unwrap_or(INVALID_ID);
        let [primitive_id, geometry_id] = [primitive_id[row], geometry_id[row]];
        let hit = Hit { t: t[row], primitive_id, geometry_id, instance_id, u: u[row], v: v[row] };
        self.words.push(code(status[row]));
        self.words.extend(of_hit(hit));
        self.words.extend(geometric_normal.get(row).into_iter().flatten().map(|&x| word(x)));
    }

    /// A row of closest hits for each ray, on all sides.
    fn add_closest<T: Copy + Into<f64>>(&mut self, sides: &[&HitBatch<T>]) {
        for row in 0..sides[0].status.len() {
            sides.iter().for_each(|hits| self.add_row(hits, row));
            self.end(&[]);
        }
    }

    /// A row of hits for each ray.
    fn add_all<T: lanecast::Scalar + Into<f64>>(&mut self, all: &AllHitsBatch<T>) {
        assert_eq!((all.offsets[0], all.offsets.len()), (0, all.len() + 1), "offsets");
        for row in 0..all.len() {
            self.words.push(code(all.status[row]));
            self.words.extend(all.of_ray(row).iter().flat_map(|hit| of_hit(*hit)));
            self.end(&[]);
        }
    }

    /// A row for each of what became of rays or points, with the numbers of columns beside.
    fn add<T: Copy + Into<f64>>(&mut self, statuses: &[Status], columns: &[&[T]]) {
        assert!(columns.iter().all(|column| column.len() == statuses.len()), "columns of other lengths");
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

fn of_hit<T: Into<f64>>(Hit { t, primitive_id, geometry_id, instance_id, u, v }: Hit<T>) -> [u64; 6] {
    [word(t), word(primitive_id), word(geometry_id), word(instance_id), word(u), word(v)]
}

/// What a row of closest hits says of a single ray.
fn of_option<T: lanecast::Scalar + Into<f64>>(hit: Option<Hit<T>>) -> Vec<u64> {
    [&[code(hit_if(hit.is_some()))][..], &of_hit(hit.unwrap_or(Hit::NONE))].concat()
}

fn of_point(found: ClosestPoint) -> [u64; 9] {
    let ClosestPoint { distance, point: [x, y, z], primitive_id, geometry_id, instance_id, u, v } = found;
    let ids = [primitive_id, geometry_id, instance_id].map(word);
    [word(distance), word(x), word(y), word(z), ids[0], ids[1], ids[2], word(u), word(v)]
}

/// Batches of answers that are written over again and again.
#[derive(Default)]
pub(crate) struct Used {
    any: AnyHitBatch,
    counts: CountBatch,
    costs: CostBatch,
    single: UsedHits<f32>,
    double: UsedHits<f64>,
    inside: InsideBatch,
    closest: ClosestPointBatch,
    distances: DistanceBatch,
    matrix: SightMatrix,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct UsedHits<T> {
    closest: HitBatch<T>,
    all: AllHitsBatch<T>,
    line: LineHitBatch<T>,
}

/// The answers in the order of rays, points, or lines; or what error there was.
pub(crate) fn ask(case: &Case<'_>, setting: &Setting) -> std::result::Result<Table, String> {
    let (mut table, used) = (Table::default(), &mut *case.subject.used.borrow_mut());
    let done = match &case.subject.held {
        Held::Double(scenes) => ask_f64(&scenes[setting.backend], case, setting, used, &mut table),
        Held::Single(scenes) => {
            let scene = &scenes[setting.backend];
            match case.query {
                Query::Sight => ask_sight(scene, case, setting, used, &mut table),
                Query::Occupancy => ask_grid(scene, case, setting, used, &mut table),
                Query::Pick => ask_picks(scene, case, &mut table),
                query if query.is_of_rays() => ask_f32(scene, case, setting, used, &mut table),
                _ => ask_points(scene, case, setting, used, &mut table),
            }
        }
    };
    done.map(|()| table).map_err(|error| error.to_string())
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

/// Asks for closest hits, for any, or for all.
macro_rules! ask_first {
    ($scene:expr, $case:ident, $rays:ident, $options:ident, $used:ident, $hits:ident, $table:ident) => {{
        let Used { any, $hits: UsedHits { closest, all, .. }, .. } = $used;
        match $case.query {
            Query::Closest => {
                $scene.closest_hit_batch($rays, $options, closest)?;
                $table.add_closest(&[closest]);
            }
            Query::Any => {
                $scene.any_hit_batch($rays, $options, any)?;
                $table.add::<u32>(&any.status, &[]);
            }
            _ => {
                $scene.all_hits_batch($rays, $options, all)?;
                $table.add_all(all);
            }
        }
    }};
}

/// The queries of rays for one precision, over trees or by brute force.
macro_rules! ask_rays {
    ($name:ident, $number:ty, $scene:ty, $hits:ident) => {
        fn $name(
            scene: &$scene,
            case: &Case<'_>,
            setting: &Setting,
            used: &mut Used,
            table: &mut Table,
        ) -> Result<()> {
            for piece in setting.pieces(case.rows.len()) {
                let (rows, uses) = (&case.rows[piece], &case.uses);
                let columns = Columns::<$number>::new(rows, setting.layout, |x| x as $number);
                let rays = &columns.batch(setting.layout);
                let options = &columns.leave_out(uses, setting.options(uses, &case.subject.pools));
                if uses.filter.is_some() {
                    let accepts = |row: usize, hit: &Hit<$number>, side| uses.accepts(rows[row].id, hit, side);
                    if setting.by_scan {
                        ask_first!(scene.scan().filter(&accepts), case, rays, options, used, $hits, table);
                    } else {
                        ask_first!(scene.filter(&accepts), case, rays, options, used, $hits, table);
                    }
                } else if setting.split == Split::OneByOne && case.suits_single_rays() && rows[0].limit > 0 {
                    // No hits at all say nothing of whether there are any.
                    ask_rays!(single scene, columns.rays.0[0], rows[0].limit, $number, case, table);
                } else if setting.by_scan {
                    ask_rays!(scene.scan(), case, rays, options, used, $hits, table, rows, columns);
                } else {
                    ask_rays!(scene, case, rays, options, used, $hits, table, rows, columns);
                }
            }
            Ok(())
        }
    };
    ($scene:expr, $case:ident, $rays:ident, $options:ident, $used:ident, $hits:ident, $table:ident, $rows:ident, $columns:ident) => {
        match $case.query {
            Query::Count => {
                $scene.count_hits_batch($rays, $options, &mut $used.counts)?;
                $table.add(&$used.counts.status, &[&$used.counts.count]);
            }
            Query::Nearest => {
                let same = Limit::Same($rows[0].limit);
                let limit = if $case.uses.limits { Limit::PerRay(&$columns.limits) } else { same };
                $scene.nearest_hits_batch($rays, limit, $options, &mut $used.$hits.all)?;
                $table.add_all(&$used.$hits.all);
            }
            Query::Line => {
                let line = &mut $used.$hits.line;
                $scene.line_hits_batch($rays, $options, line)?;
                let LineHitBatch { ahead, behind } = line;
                $table.add_closest(&[ahead, behind]);
            }
            Query::Cost => {
                $scene.cost_batch($rays, $options, &mut $used.costs)?;
                let CostBatch { status, nodes, boxes, leaves, primitives } = &$used.costs;
                $table.add(status, &[nodes, boxes, leaves, primitives]);
            }
            _ => ask_first!($scene, $case, $rays, $options, $used, $hits, $table),
        }
    };
    (single $scene:ident, $ray:expr, $limit:expr, $number:ty, $case:ident, $table:ident) => {{
        let (ray, none) = (&$ray, of_hit(Hit::<$number>::NONE));
        let listed = |hits: Vec<Hit<$number>>| {
            [code(hit_if(!hits.is_empty()))].into_iter().chain(hits.into_iter().flat_map(of_hit)).collect()
        };
        match $case.query {
            Query::Closest => add_single($table, $scene.closest_hit(ray).map(of_option), &none)?,
            Query::Any => add_single($table, $scene.any_hit(ray).map(|hit| vec![code(hit_if(hit))]), &[])?,
            Query::Count => {
                let words = |count| vec![code(hit_if(count > 0)), word(count)];
                add_single($table, $scene.count_hits(ray).map(words), &[word(0)])?;
            }
            Query::All => add_single($table, $scene.all_hits(ray).map(listed), &[])?,
            Query::Nearest => add_single($table, $scene.nearest_hits(ray, $limit).map(listed), &[])?,
            _ => {
                // Either side says why a line is refused.
                let answer = $scene.line_hits(ray).map(|hits| [of_option(hits.ahead), of_option(hits.behind)]);
                let refused = match &answer {
                    Err(Error::InvalidRay { status }) => [&none[..], &[code(*status)], &none].concat(),
                    _ => Vec::new(),
                };
                add_single($table, answer.map(|sides| sides.concat()), &refused)?;
            }
        }
    }};
}

ask_rays!(ask_f32, f32, Scene, single);
ask_rays!(ask_f64, f64, SceneF64, double);

fn rounded(point: [f64; 3]) -> [f32; 3] {
    point.map(|x| x as f32)
}

/// What is asked about the origins of the rays.
fn ask_points(
    scene: &Scene,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut Used,
    table: &mut Table,
) -> Result<()> {
    let uses = Uses { normals: case.uses.normals, ..Uses::NOTHING };
    for piece in setting.pieces(case.rows.len()) {
        let rows = &case.rows[piece];
        let points: Vec<[f32; 3]> = rows.iter().map(|row| rounded(row.ray.origin)).collect();
        let radii: Vec<f32> = rows.iter().map(|row| row.radius).collect();
        let radius = if case.uses.limits { Radius::PerPoint(&radii) } else { Radius::Same(radii[0]) };
        if setting.split == Split::OneByOne && !uses.normals {
            ask_point(scene, case.query, points[0], radii[0], table)?;
            continue;
        }
        let options = &setting.options(&uses, &case.subject.pools);
        let Used { inside, closest, distances, .. } = used;
        macro_rules! ask {
            ($scene:expr) => {
                match case.query {
                    Query::Contains => $scene.contains_batch(&points, options, inside)?,
                    Query::ClosestPoint => $scene.closest_point_batch(&points, radius, options, closest)?,
                    Query::Distance => $scene.distance_batch(&points, options, distances)?,
                    _ => $scene.signed_distance_batch(&points, options, distances)?,
                }
            };
        }
        if setting.by_scan {
            ask!(scene.scan());
        } else {
            ask!(scene);
        }
        match case.query {
            Query::Contains => table.add::<u32>(&inside.status, &[]),
            Query::ClosestPoint => {
                for row in 0..closest.len() {
                    table.words.push(code(closest.status[row]));
                    let normal = closest.geometric_normal.get(row).into_iter().flatten().map(|&x| word(x));
                    table.words.extend(of_point(closest.get(row).unwrap_or(ClosestPoint::NONE)));
                    table.words.extend(normal);
                    table.end(&[word(closest.distance[row])]);
                }
            }
            _ => table.add(&distances.status, &[&distances.distance]),
        }
    }
    Ok(())
}

/// A single point, told as a batch of it is told.
fn ask_point(scene: &Scene, query: Query, point: [f32; 3], radius: f32, table: &mut Table) -> Result<()> {
    let radius = if query == Query::ClosestPoint { radius } else { f32::INFINITY };
    let nothing = ClosestPoint::NONE;
    let closest = || scene.closest_point(point, radius);
    let status = || Ok(code(hit_if(closest()?.is_some())));
    match query {
        Query::Contains => {
            add_single(table, scene.contains(point).map(|inside| vec![code(hit_if(inside))]), &[])
        }
        Query::ClosestPoint => {
            let words = |found: ClosestPoint, there_is| {
                [&[code(hit_if(there_is))][..], &of_point(found), &[word(found.distance)]].concat()
            };
            let answer = closest().map(|found| words(found.unwrap_or(nothing), found.is_some()));
            add_single(table, answer, &words(nothing, false)[1..])
        }
        Query::Distance => {
            let answer = scene.distance(point).and_then(|distance| Ok(vec![status()?, word(distance)]));
            add_single(table, answer, &[word(nothing.distance)])
        }
        _ => {
            let answer =
                scene.signed_distance(point).and_then(|distance| Ok(vec![status()?, word(distance)]));
            add_single(table, answer, &[word(nothing.distance)])
        }
    }
}

/// How many of all make the first side.
fn first_side(all: usize, shape: f32) -> usize {
    ((all as f32).powf(shape) as usize).clamp(1, all.max(1))
}

/// From the origins of the first rays to where as many as are left over go.
fn ask_sight(
    scene: &Scene,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut Used,
    table: &mut Table,
) -> Result<()> {
    let observers = first_side(case.rows.len(), case.shape);
    let points = |rows: &[Row], end: f64| -> Vec<[f32; 3]> {
        rows.iter().map(|Row { ray, .. }| rounded(ray.at(end))).collect()
    };
    let targets = points(&case.rows[..case.rows.len() / observers], 1.0);
    let observers = points(&case.rows[..observers], 0.0);
    let lines = SightLines::new(&observers, &targets)?;
    let matrix = &mut used.matrix;
    if !setting.by_scan && setting.split != Split::OneByOne {
        scene.sight(&lines, &setting.options(&Uses::NOTHING, &case.subject.pools), matrix)?;
    }
    for line in 0..observers.len() * targets.len() {
        let (observer, target) = (line / targets.len(), line % targets.len());
        let sees = if setting.by_scan {
            scene.scan().first_obstacle(&lines, observer, target)?.is_none()
        } else if setting.split == Split::OneByOne {
            scene.first_obstacle(&lines, observer, target)?.is_none()
        } else {
            matrix.sees(observer, target)
        };
        table.end(&[sees.into()]);
    }
    Ok(())
}

/// A grid over the whole scene, of at most as many points as there are rays; one by one as points.
fn ask_grid(
    scene: &Scene,
    case: &Case<'_>,
    setting: &Setting,
    used: &mut Used,
    table: &mut Table,
) -> Result<()> {
    let (all, shape) = (case.rows.len(), case.shape);
    let wide = first_side(all, shape);
    let high = first_side(all / wide, shape);
    let counts = [wide, high, all / wide / high];
    let size = 1.1 * case.subject.size;
    let origin = rounded(minus(case.subject.middle, times(size, [1.0; 3])));
    let grid = PointGrid::new(origin, counts.map(|count| (2.0 * size / count as f64) as f32), counts)?;
    let options = &setting.options(&Uses::NOTHING, &case.subject.pools);
    if setting.by_scan || setting.split == Split::OneByOne {
        let points: Vec<[f32; 3]> = (0..grid.len()).map(|number| grid.point(number)).collect();
        if setting.by_scan {
            scene.scan().contains_batch(&points, options, &mut used.inside)?;
        } else {
            scene.contains_batch(&points, options, &mut used.inside)?;
        }
        used.inside.status.iter().for_each(|status| table.end(&[status.is_hit().into()]));
        return Ok(());
    }
    let per_byte = if shape < 0.5 { 8 } else { 1 };
    if per_byte == 8 {
        scene.occupancy_bits(&grid, options, &mut used.bytes)?;
    } else {
        scene.occupancy_bytes(&grid, options, &mut used.bytes)?;
    }
    assert_eq!(used.bytes.len(), grid.len().div_ceil(per_byte), "bytes");
    let bit = |number: usize| used.bytes[number / per_byte] >> (number % per_byte) & 1;
    (0..grid.len()).for_each(|number| table.end(&[bit(number).into()]));
    Ok(())
}

/// Segments as far as rays go in a unit of `t`.
fn ask_picks(scene: &Scene, case: &Case<'_>, table: &mut Table) -> Result<()> {
    for Row { id, ray, .. } in &case.rows {
        let limits = [PickLimit::All, PickLimit::OnePerGeometry, PickLimit::Nearest, PickLimit::Any];
        let segment = Segment::new(rounded(ray.origin), rounded(ray.at(1.0)));
        let picks = scene.pick(&segment, limits[*id as usize % 4]).map(|picks| {
            let words = picks.into_iter().flat_map(|pick| {
                let places = [pick.local_point, pick.world_point, pick.local_normal, pick.world_normal];
                let path = pick.instance_path.into_iter().map(word);
                of_hit(pick.hit).into_iter().chain(path).chain(places.into_iter().flatten().map(word))
            });
            words.collect()
        });
        add_single(table, picks, &[])?;
    }
    Ok(())
}
