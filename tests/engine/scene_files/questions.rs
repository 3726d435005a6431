//! Everything that can be asked of a scene, with all bits of the answers.

use lanecast::{
    AllHitsBatch, AnyHitBatch, CastOptions, Coherence, Contact, CostBatch, CountBatch, HitBatch, InsideBatch,
    Limit, LineHitBatch, PickLimit, Ray, RayBatch, Scene, Segment,
};

use crate::common::random::Random;

/// Rays at a scene around the origin, most of which meet something, and some from within it.
pub(crate) fn rays(count: usize, random: &mut Random) -> Vec<Ray> {
    (0..count)
        .map(|_| Ray::segment(random.point(-2.0, 2.0), random.point(-1.0, 1.0)).with_interval(0.0, 4.0))
        .collect()
}

/// What each query says of the rays, as text, which tells all numbers apart but NaNs.
pub(crate) fn answers(scene: &Scene, rays: &[Ray]) -> Vec<String> {
    let batch = RayBatch::from_rays(rays);
    let masks: Vec<u32> = (0..rays.len() as u32).map(|row| 1 << (row % 3)).collect();
    let points: Vec<[f32; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let mut answers = vec![format!(
        "{} {} {:?} {:?} {:?}",
        scene.triangle_count(),
        scene.geometry_count(),
        scene.bounds(),
        scene.statistics(),
        scene.open_edge()
    )];
    for coherence in [Coherence::Detect, Coherence::Incoherent, Coherence::Coherent] {
        let options = CastOptions::new().coherence(coherence);
        let mut closest = HitBatch::new();
        scene.closest_hit_batch(&batch, &options.clone().normals(true), &mut closest).expect("answers");
        let mut any = AnyHitBatch::new();
        scene.any_hit_batch(&batch, &options.clone().masks(&masks), &mut any).expect("answers");
        let mut count = CountBatch::new();
        scene.count_hits_batch(&batch, &options, &mut count).expect("answers");
        let (mut all, mut nearest) = (AllHitsBatch::new(), AllHitsBatch::new());
        let touched = options.clone().contact(Contact::Touch);
        scene.all_hits_batch(&batch, &touched, &mut all).expect("answers");
        scene.nearest_hits_batch(&batch, Limit::Same(2), &options, &mut nearest).expect("answers");
        let mut line = LineHitBatch::new();
        scene.line_hits_batch(&batch, &options, &mut line).expect("answers");
        let mut cost = CostBatch::new();
        scene.cost_batch(&batch, &options, &mut cost).expect("answers");
        answers.extend([
            format!("{closest:?} {any:?}"),
            format!("{count:?} {all:?} {nearest:?} {line:?} {cost:?}"),
        ]);
    }
    let mut inside = InsideBatch::new();
    let is_closed = scene.contains_batch(&points, &CastOptions::new(), &mut inside);
    answers.push(format!("{is_closed:?} {inside:?}"));
    for ray in rays.iter().take(8) {
        answers.push(format!("{:?} {:?}", scene.closest_hit(ray), scene.nearest_hits(ray, 3)));
        answers.push(format!(
            "{:?} {:?} {:?}",
            scene.any_hit(ray),
            scene.count_hits(ray),
            scene.all_hits(ray)
        ));
        let segment = Segment::new(ray.origin, ray.at(4.0));
        answers.push(format!("{:?}", scene.pick(&segment, PickLimit::All)));
    }
    answers
}
