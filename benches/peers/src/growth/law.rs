//! The laws of growth, fitted to what was measured, and what they say beyond it.

use serde::Serialize;

use super::line::Line;

/// One set of rays at one size of the terrain, on one thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) triangles: f64,
    /// What lanecast's tree takes up.
    pub(super) tree_bytes: f64,
    /// Nodes and leaves that a ray visits.
    pub(super) visits: f64,
    pub(super) nanoseconds_per_ray: f64,
    pub(super) nanoseconds_per_ray_of_embree: Option<f64>,
}

impl Point {
    fn nanoseconds_per_visit(&self) -> f64 {
        self.nanoseconds_per_ray / self.visits
    }
}

/// How the time of a ray grows: by the visits that it takes, and by what a visit costs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RayLaw {
    pub(super) rays: &'static str,
    /// Of the largest terrain.
    pub(super) triangles: f64,
    pub(super) visits: f64,
    pub(super) nanoseconds_per_visit: f64,
    /// Visits over log2 of the triangles.
    pub(super) visits_line: Line,
    /// Nanoseconds per visit while the last-level cache holds the tree, on average.
    pub(super) nanoseconds_per_visit_in_cache: Option<f64>,
    /// Nanoseconds per visit over log2 of the triangles where it does not.
    pub(super) visit_cost_line: Option<Line>,
    /// Nanoseconds per ray over log2 of the triangles, there; Embree's.
    pub(super) embree_line: Option<Line>,
    pub(super) nanoseconds_per_ray_of_embree: Option<f64>,
}

/// The least and the most that a law allows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Span {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl RayLaw {
    /// None where no two sizes were measured. Points are in the order of their size.
    pub(super) fn fit(rays: &'static str, points: &[Point], cache_bytes: f64) -> Option<Self> {
        let last = points.last()?;
        let (inside, outside): (Vec<Point>, Vec<Point>) =
            points.iter().partition(|point| point.tree_bytes <= cache_bytes);
        let in_cache = inside.iter().map(Point::nanoseconds_per_visit).sum::<f64>() / inside.len() as f64;
        let cost = |point: &Point| [point.triangles.log2(), point.nanoseconds_per_visit()];
        let of_embree = |point: &Point| Some([point.triangles.log2(), point.nanoseconds_per_ray_of_embree?]);
        Some(Self {
            rays,
            triangles: last.triangles,
            visits: last.visits,
            nanoseconds_per_visit: last.nanoseconds_per_visit(),
            visits_line: Line::through(&collect(points, |point| [point.triangles.log2(), point.visits]))?,
            nanoseconds_per_visit_in_cache: (!inside.is_empty()).then_some(in_cache),
            visit_cost_line: Line::through(&collect(&outside, cost)),
            embree_line: Line::through(&outside.iter().filter_map(of_embree).collect::<Vec<_>>()),
            nanoseconds_per_ray_of_embree: last.nanoseconds_per_ray_of_embree,
        })
    }

    fn doublings_to(&self, triangles: f64) -> f64 {
        (triangles / self.triangles).log2()
    }

    /// Visits of a ray in a larger terrain: those at the largest that was measured, and as many more for each
    /// doubling as there were on the way to it.
    pub(super) fn visits_at(&self, triangles: f64) -> f64 {
        self.visits + self.visits_line.slope * self.doublings_to(triangles)
    }

    /// Million rays a second in a larger terrain: the least if a visit goes on costing more with each doubling
    /// as it did beyond the cache, the most if it costs no more than at the largest that was measured. None
    /// where that cost was not seen to grow, as fewer than two trees were larger than the cache.
    pub(super) fn mega_rays_per_second_at(&self, triangles: f64) -> Option<Span> {
        let growth = self.visit_cost_line?.slope.max(0.0) * self.doublings_to(triangles);
        let visits = self.visits_at(triangles);
        let rate = |nanoseconds_per_visit: f64| 1e3 / (visits * nanoseconds_per_visit);
        Some(Span {
            least: rate(self.nanoseconds_per_visit + growth),
            most: rate(self.nanoseconds_per_visit),
        })
    }

    /// Million rays a second of Embree, if each doubling goes on costing a ray as much as it did beyond the
    /// cache.
    pub(super) fn mega_rays_per_second_of_embree_at(&self, triangles: f64) -> Option<f64> {
        let growth = self.embree_line?.slope * self.doublings_to(triangles);
        Some(1e3 / (self.nanoseconds_per_ray_of_embree? + growth))
    }
}

/// How building grows: nanoseconds per triangle over log2 of the triangles, as each level of the tree looks at
/// all of them.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct BuildLaw {
    pub(super) triangles: f64,
    pub(super) nanoseconds_per_triangle: f64,
    pub(super) line: Line,
    /// What the largest tree takes up.
    pub(super) bytes_per_triangle: f64,
}

impl BuildLaw {
    /// From pairs of triangles and nanoseconds per triangle in the order of their size.
    pub(super) fn fit(points: &[[f64; 2]], bytes_per_triangle: f64) -> Option<Self> {
        let &[triangles, nanoseconds_per_triangle] = points.last()?;
        let points: Vec<_> = points.iter().map(|&[triangles, cost]| [triangles.log2(), cost]).collect();
        Some(Self { triangles, nanoseconds_per_triangle, line: Line::through(&points)?, bytes_per_triangle })
    }

    /// Seconds on one thread.
    pub(super) fn seconds_at(&self, triangles: f64) -> f64 {
        let growth = self.line.slope.max(0.0) * (triangles / self.triangles).log2();
        triangles * (self.nanoseconds_per_triangle + growth) * 1e-9
    }
}

/// How speed grows with threads: after Amdahl (AFIPS 1967) by a share of the work that one thread does while
/// all others wait. What they wait for, the memory or a queue, it does not say.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ThreadLaw {
    pub(super) share_of_one: f64,
    /// How many threads were measured at most.
    pub(super) most_threads: usize,
}

impl ThreadLaw {
    /// From threads and how many times as fast as one they are; None unless more than one was measured.
    ///
    /// n threads take s + (1 − s) / n of the time of one; s with the least sum of squared distances.
    pub(super) fn fit(speedups: &[(usize, f64)]) -> Option<Self> {
        let (mut top, mut bottom) = (0.0, 0.0);
        for &(threads, speedup) in speedups {
            let part = 1.0 / threads as f64;
            top += (1.0 / speedup - part) * (1.0 - part);
            bottom += (1.0 - part) * (1.0 - part);
        }
        let most_threads = speedups.iter().map(|&(threads, _)| threads).max()?;
        (bottom > 0.0).then(|| Self { share_of_one: (top / bottom).clamp(0.0, 1.0), most_threads })
    }

    /// How many times as fast as one thread so many are.
    pub(super) fn speedup(&self, threads: usize) -> f64 {
        1.0 / (self.share_of_one + (1.0 - self.share_of_one) / threads as f64)
    }
}

fn collect(points: &[Point], of: impl Fn(&Point) -> [f64; 2]) -> Vec<[f64; 2]> {
    points.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{BuildLaw, Point, RayLaw, ThreadLaw};

    /// A visit costs 2 ns to 2^20 triangles, which the cache holds, then 0.5 ns more for each doubling; a ray
    /// takes 5 visits and one more for each doubling.
    fn point(doublings: u32) -> Point {
        let visits = 5.0 + f64::from(doublings);
        let cost = 2.0 + 0.5 * f64::from(doublings.saturating_sub(20));
        Point {
            triangles: f64::from(doublings).exp2(),
            tree_bytes: 64.0 * f64::from(doublings).exp2(),
            visits,
            nanoseconds_per_ray: visits * cost,
            nanoseconds_per_ray_of_embree: Some(100.0 + 10.0 * f64::from(doublings)),
        }
    }

    const CACHE: f64 = 64.0 * 1_048_576.0;

    #[test]
    fn law_of_rays_is_found_and_extrapolated() {
        let points = [14, 17, 20, 22, 24].map(point);
        let law = RayLaw::fit("", &points, CACHE).unwrap();
        assert!((law.visits_line.slope - 1.0).abs() < 1e-9);
        assert!((law.nanoseconds_per_visit_in_cache.unwrap() - 2.0).abs() < 1e-9);
        assert!((law.visit_cost_line.unwrap().slope - 0.5).abs() < 1e-9);
        // 2^30: 35 visits of 4 ns, as at 2^24, to 7 ns.
        let triangles = 30_f64.exp2();
        assert!((law.visits_at(triangles) - 35.0).abs() < 1e-9);
        let span = law.mega_rays_per_second_at(triangles).unwrap();
        assert!(
            (span.most - 1e3 / 140.0).abs() < 1e-9 && (span.least - 1e3 / 245.0).abs() < 1e-9,
            "{span:?}"
        );
        let embree = law.mega_rays_per_second_of_embree_at(triangles).unwrap();
        assert!((embree - 2.5).abs() < 1e-9, "{embree}");
    }

    #[test]
    fn nothing_is_foretold_of_a_cost_that_was_not_seen_to_grow() {
        let law = RayLaw::fit("", &[14, 17, 20].map(point), CACHE).unwrap();
        assert_eq!(law.mega_rays_per_second_at(1e9), None);
        let law = RayLaw::fit("", &[14, 17, 20, 22].map(point), CACHE).unwrap();
        assert_eq!(law.mega_rays_per_second_at(1e9), None);
        assert!(RayLaw::fit("", &[point(14)], CACHE).is_none());
    }

    #[test]
    fn building_takes_longer_per_triangle_with_each_doubling() {
        let law = BuildLaw::fit(&[[1024.0, 200.0], [4096.0, 240.0]], 60.0).unwrap();
        // 2^20: 8 doublings more, 20 ns each.
        assert!((law.seconds_at(1_048_576.0) - 1_048_576.0 * 400e-9).abs() < 1e-12);
    }

    #[test]
    fn share_that_one_thread_does_alone_is_found() {
        let amdahl = |threads: usize| (threads, 1.0 / (0.1 + 0.9 / threads as f64));
        let law = ThreadLaw::fit(&[1, 2, 4, 6].map(amdahl)).unwrap();
        assert!((law.share_of_one - 0.1).abs() < 1e-12 && law.most_threads == 6, "{law:?}");
        assert!((law.speedup(64) - 1.0 / (0.1 + 0.9 / 64.0)).abs() < 1e-9);
        // Faster than the threads are many: nothing is waited for.
        assert_eq!(ThreadLaw::fit(&[(1, 1.0), (2, 2.1)]).unwrap().speedup(64), 64.0);
        assert!(ThreadLaw::fit(&[(1, 1.0)]).is_none());
    }
}
