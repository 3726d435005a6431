//! What the engine answers: every query, on one backend, in one way of casting.

use lanecast::{
    AllHitsBatch, AnyHitBatch, Backend, CastOptions, Coherence, Contact, CountBatch, Hit, HitBatch, Ray,
    RayBatch, Scene, Status, Threads,
};

/// How rays are cast.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) backend: Backend,
    pub(super) form: Form,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// As a batch, the engine choosing how they go.
    Batch,
    /// As a batch in groups of 64.
    Groups,
    /// As a batch in no groups: in streams, in flight.
    NoGroups,
    /// By single calls.
    Single,
}

impl Way {
    /// Every way on these backends.
    pub(super) fn all(backends: &[Backend]) -> Vec<Self> {
        let forms = [Form::Batch, Form::Groups, Form::NoGroups, Form::Single];
        let ways = |&backend| forms.map(|form| Self { backend, form });
        backends.iter().flat_map(ways).collect()
    }

    pub(super) fn name(self) -> String {
        let form = match self.form {
            Form::Batch => "batch",
            Form::Groups => "batch in groups",
            Form::NoGroups => "batch without groups",
            Form::Single => "single calls",
        };
        format!("{}, {form}", self.backend)
    }
}

/// What was answered to one ray.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// For the closest hit, any hit, the count, and all hits crossed and touched.
    pub(super) status: [Status; 5],
    pub(super) closest: Option<Hit>,
    pub(super) count: u32,
    pub(super) crossed: Vec<Hit>,
    /// Single calls have no such query, and give what they crossed.
    pub(super) touched: Option<Vec<Hit>>,
}

impl Answer {
    /// Whether the bits are the same, as far as both ways ask the same.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let same_touched = match (&self.touched, &other.touched) {
            (Some(touched), Some(other)) => hit_bits(touched) == hit_bits(other),
            _ => true,
        };
        self.status == other.status
            && self.count == other.count
            && hit_bits(self.closest.as_slice()) == hit_bits(other.closest.as_slice())
            && hit_bits(&self.crossed) == hit_bits(&other.crossed)
            && same_touched
    }
}

/// Numbers that compare equal may differ in their bits: −0 and 0.
fn hit_bits(hits: &[Hit]) -> Vec<[u32; 5]> {
    let bits =
        |hit: &Hit| [hit.t.to_bits(), hit.geometry_id, hit.primitive_id, hit.u.to_bits(), hit.v.to_bits()];
    hits.iter().map(bits).collect()
}

/// Asks all queries about these rays.
pub(super) fn ask(
    scene: &mut Scene,
    way: Way,
    threads: &Threads,
    rays: &[Ray],
) -> lanecast::Result<Vec<Answer>> {
    scene.set_backend(way.backend);
    let coherence = match way.form {
        Form::Single => return Ok(rays.iter().map(|ray| ask_single(scene, ray)).collect()),
        Form::Batch => Coherence::Detect,
        Form::Groups => Coherence::Coherent,
        Form::NoGroups => Coherence::Incoherent,
    };
    let options = &CastOptions::new().threads(threads.clone()).coherence(coherence);
    let touching = &options.clone().contact(Contact::Touch);
    let rays = &RayBatch::from_rays(rays);
    let (mut closest, mut any, mut count) = (HitBatch::new(), AnyHitBatch::new(), CountBatch::new());
    let (mut crossed, mut touched) = (AllHitsBatch::new(), AllHitsBatch::new());
    scene.closest_hit_batch(rays, options, &mut closest)?;
    scene.any_hit_batch(rays, options, &mut any)?;
    scene.count_hits_batch(rays, options, &mut count)?;
    scene.all_hits_batch(rays, options, &mut crossed)?;
    scene.all_hits_batch(rays, touching, &mut touched)?;
    let answer = |row: usize| Answer {
        status: [
            closest.status[row],
            any.status[row],
            count.status[row],
            crossed.status[row],
            touched.status[row],
        ],
        closest: closest.hit(row),
        count: count.count[row],
        crossed: crossed.of_ray(row).to_vec(),
        touched: Some(touched.of_ray(row).to_vec()),
    };
    Ok((0..rays.len()).map(answer).collect())
}

fn ask_single(scene: &Scene, ray: &Ray) -> Answer {
    fn status<T>(answer: &lanecast::Result<T>, is_hit: impl Fn(&T) -> bool) -> Status {
        match answer {
            Ok(answer) if is_hit(answer) => Status::Hit,
            Err(lanecast::Error::InvalidRay { status }) => *status,
            // No other error can come of a single ray.
            _ => Status::Miss,
        }
    }
    let (closest, any) = (scene.closest_hit(ray), scene.any_hit(ray));
    let (count, crossed) = (scene.count_hits(ray), scene.all_hits(ray));
    // What single calls cannot be asked for has the status that they give for the closest hit.
    let of_closest = status(&closest, Option::is_some);
    Answer {
        status: [
            of_closest,
            status(&any, |&any| any),
            status(&count, |&count| count > 0),
            status(&crossed, |crossed| !crossed.is_empty()),
            of_closest,
        ],
        closest: closest.unwrap_or_default(),
        count: count.unwrap_or_default(),
        crossed: crossed.unwrap_or_default(),
        touched: None,
    }
}
