//! What every query says of some rays.

use lanecast::answers::{AllHitsBatch, AnyHitBatch, CountBatch, LineHitBatch};
use lanecast::{CastOptions, Contact, Hit, HitBatch, Precision, Ray, RayBatch, Scene, Status};

/// The answers of all queries; of the nearest hits each ray is asked for its number modulo four.
#[derive(Debug, PartialEq)]
pub struct Answers<T: Precision = f32> {
    pub closest: HitBatch<T>,
    pub farthest: HitBatch<T>,
    pub any: AnyHitBatch,
    pub counts: CountBatch,
    pub all: AllHitsBatch<T>,
    pub nearest: AllHitsBatch<T>,
    pub line: LineHitBatch<T>,
}

/// A hit, its numbers by their bits.
type Bits = ([u64; 3], [u32; 3]);

/// All that is said of one ray, numbers by their bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    status: [Status; 7],
    closest: Option<Bits>,
    farthest: Option<Bits>,
    normals: Vec<[u64; 3]>,
    count: u32,
    pub all: Vec<Bits>,
    nearest: Vec<Bits>,
    line: [Option<Bits>; 2],
}

fn bits<T: Precision>(hit: &Hit<T>) -> Bits {
    let numbers = [hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits());
    (numbers, [hit.instance_id, hit.geometry_id, hit.primitive_id])
}

/// Of several at the same `t` as the last the first.
fn first_of_last<T: Precision>(hits: &[Hit<T>]) -> Option<Hit<T>> {
    let last = hits.last()?;
    hits.iter().find(|hit| hit.t == last.t).copied()
}

impl<T: Precision> Answers<T> {
    /// As the options say.
    pub fn of(scene: &Scene<T>, rays: &RayBatch<'_, T>, options: &CastOptions<'_, T>) -> Self {
        let limits: Vec<u32> = (0..rays.len() as u32).map(|row| row % 4).collect();
        let request = scene.cast(rays).with(options);
        Self {
            closest: request.closest().unwrap(),
            farthest: request.farthest().unwrap(),
            any: request.any().unwrap(),
            counts: request.count().unwrap(),
            all: request.all().unwrap(),
            nearest: request.nearest(&limits).unwrap(),
            line: request.line_hits().unwrap(),
        }
    }

    /// By brute force.
    pub fn of_scan(scene: &Scene<T>, rays: &RayBatch<'_, T>, options: &CastOptions<'_, T>) -> Self {
        Self::of(scene, rays, &options.clone().brute_force())
    }

    pub fn rows(&self) -> Vec<Row> {
        (0..self.closest.len()).map(|row| self.row(row)).collect()
    }

    fn row(&self, row: usize) -> Row {
        let [ahead, behind] = [self.line.ahead(), self.line.behind()];
        let batches = [&self.closest, &self.farthest, ahead, behind];
        let normal = |batch: &HitBatch<T>| batch.geometric_normal().get(row).copied();
        let listed = |hits: &[Hit<T>]| hits.iter().map(bits).collect();
        Row {
            status: [
                self.closest.status()[row],
                self.farthest.status()[row],
                self.any.status()[row],
                self.counts.status()[row],
                self.all.status()[row],
                self.nearest.status()[row],
                self.line.status(row),
            ],
            closest: self.closest.hit(row).as_ref().map(bits),
            farthest: self.farthest.hit(row).as_ref().map(bits),
            normals: batches
                .into_iter()
                .filter_map(normal)
                .map(|normal| normal.map(|x| x.to_f64().to_bits()))
                .collect(),
            count: self.counts.count()[row],
            all: listed(self.all.of_ray(row)),
            nearest: listed(self.nearest.of_ray(row)),
            line: [ahead, behind].map(|half| half.hit(row).as_ref().map(bits)),
        }
    }

    /// Holds what is said of each ray against all that it touches, and that the halves of its line
    /// touch, whoever found that.
    pub fn hold_each_other(
        &self,
        contact: Contact,
        touched: &Self,
        halves: &[AllHitsBatch<T>; 2],
        rays: &[Ray<T>],
        context: &str,
    ) {
        for (row, ray) in rays.iter().enumerate() {
            let told = || {
                format!("{context}\n{ray:?}\n{:?}\ntouched {:?}", self.row(row), touched.row(row))
            };
            let (all, touched) = (self.all.of_ray(row), touched.all.of_ray(row));
            let place = |hit: &Hit<T>| (hit.t, hit.instance_id.wrapping_add(1), hit.geometry_id);
            assert!(all.is_sorted_by_key(place), "not in the order of t, then ids: {}", told());
            assert!(
                all.iter().all(|hit| ray.t_min <= hit.t && hit.t <= ray.t_max),
                "outside: {}",
                told()
            );
            assert_eq!(self.counts.count()[row] as usize, all.len(), "count: {}", told());
            assert_eq!(
                self.nearest.of_ray(row),
                &all[..all.len().min(row % 4)],
                "nearest: {}",
                told()
            );
            if contact == Contact::Crossing {
                let mut rest = touched.iter();
                assert!(
                    all.iter().all(|hit| rest.any(|other| other == hit)),
                    "not touched: {}",
                    told()
                );
            } else {
                assert_eq!(all, touched, "all: {}", told());
            }
            assert_eq!(self.closest.hit(row), touched.first().copied(), "closest: {}", told());
            assert_eq!(self.farthest.hit(row), first_of_last(touched), "farthest: {}", told());
            let [ahead, behind] = [self.line.ahead(), self.line.behind()].map(|half| half.hit(row));
            assert_eq!(ahead, halves[0].of_ray(row).first().copied(), "ahead: {}", told());
            assert_eq!(behind, first_of_last(halves[1].of_ray(row)), "behind: {}", told());
            let status = match ray.defect() {
                Some(defect) => defect,
                None if touched.is_empty() => Status::Miss,
                None => Status::Hit,
            };
            let of_touched = [&self.closest, &self.farthest].map(|hits| hits.status()[row]);
            assert_eq!(of_touched, [status; 2], "status: {}", told());
            assert_eq!(self.any.status()[row], status, "any: {}", told());
            let listed =
                if all.is_empty() && status == Status::Hit { Status::Miss } else { status };
            assert_eq!(
                [self.counts.status()[row], self.all.status()[row]],
                [listed; 2],
                "{}",
                told()
            );
        }
    }
}
