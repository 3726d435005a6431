//! Everything that can be asked of a scene, with all bits of the answers.

use lanecast::{
    Backend, Coherence, Contact, HitBatch, Precision, Ray, Scene, Segment, cast::PickLimit,
};

use lanecast_reference::random::Random;

/// Rays at a scene around the origin, most of which meet something, and some from within it.
pub(crate) fn rays(count: usize, random: &mut Random) -> Vec<Ray> {
    (0..count)
        .map(|_| {
            Ray::segment(random.point(-2.0, 2.0), random.point(-1.0, 1.0)).with_interval(0.0, 4.0)
        })
        .collect()
}

/// The same in `f64`, moved.
pub(crate) fn rays_f64(rays: &[Ray], offset: f64) -> Vec<Ray<f64>> {
    let moved = |ray: &Ray| Ray {
        origin: ray.origin.map(|x| f64::from(x) + offset),
        direction: ray.direction.map(f64::from),
        t_min: f64::from(ray.t_min),
        t_max: f64::from(ray.t_max),
    };
    rays.iter().map(moved).collect()
}

/// The numbers of all hits.
fn shown<T: Precision>(hits: &HitBatch<T>) -> String {
    let ids = [hits.primitive_id(), hits.geometry_id(), hits.instance_id()];
    let numbers = [hits.t(), hits.u(), hits.v()];
    format!("{:?} {ids:?} {numbers:?} {:?}", hits.status(), hits.geometric_normal())
}

/// What each query says of the rays, as text, which tells all numbers apart but NaNs.
pub(crate) fn answers<T: Precision>(scene: &Scene<T>, rays: &[Ray<T>]) -> Vec<String> {
    answers_on(scene.backend(), scene, rays)
}

/// The same on another backend; segments are picked on that of the scene.
pub(crate) fn answers_on<T: Precision>(
    backend: Backend,
    scene: &Scene<T>,
    rays: &[Ray<T>],
) -> Vec<String> {
    let masks: Vec<u32> = (0..rays.len() as u32).map(|row| 1 << (row % 3)).collect();
    let points: Vec<[T; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let mut answers = vec![format!(
        "{} {} {:?} {:?} {:?}",
        scene.triangle_count(),
        scene.geometry_count(),
        scene.bounds(),
        scene.statistics(),
        scene.open_edge()
    )];
    for coherence in [Coherence::Detect, Coherence::Incoherent, Coherence::Coherent] {
        let cast = scene.cast(rays).backend(backend).coherence(coherence);
        let closest = cast.clone().geometric_normals(true).closest().expect("answers");
        let any = cast.clone().mask(&masks).any().expect("answers");
        let count = cast.count().expect("answers");
        let all = cast.clone().contact(Contact::Touch).all().expect("answers");
        let nearest = cast.nearest(2).expect("answers");
        let line = cast.line_hits().expect("answers");
        let cost = cast.cost().expect("answers");
        answers.push(format!("{} {:?}", shown(&closest), any.status()));
        answers.push(format!("{} {}", shown(line.ahead()), shown(line.behind())));
        answers.push(format!("{:?} {:?}", count.status(), count.count()));
        answers.extend(
            [all, nearest]
                .map(|hits| format!("{:?} {:?} {:?}", hits.status(), hits.offsets(), hits.hits())),
        );
        answers.push(format!(
            "{:?} {:?} {:?}",
            cost.nodes(),
            cost.boxes(),
            (cost.leaves(), cost.primitives())
        ));
    }
    let inside = scene.points(&points).backend(backend).contains();
    answers
        .push(format!("{:?}", inside.as_ref().map(|inside| (inside.status(), inside.winding()))));
    for ray in rays.iter().take(8) {
        let cast = scene.cast(ray).backend(backend);
        answers.push(format!("{:?} {:?}", cast.closest(), cast.nearest(3)));
        answers.push(format!("{:?} {:?} {:?}", cast.any(), cast.count(), cast.all()));
        let segment = Segment::new(ray.origin, ray.at(T::of(4.0)));
        answers.push(format!("{:?}", scene.cast(&Ray::from(segment)).pick(PickLimit::All)));
    }
    answers
}
