//! What the engine answers: every query, on one backend, in one way of casting.

use lanecast::{
    Backend, Coherence, Contact, Hit, Precision, Ray, Scalar, Scene, Status, Threads,
    answers::LineHits,
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
pub(super) struct Answer<T = f32> {
    /// For the closest hit, any hit, the count, all hits crossed and touched, the nearest of those
    /// crossed, and what is ahead and behind.
    pub(super) status: [Status; 8],
    pub(super) closest: Option<Hit<T>>,
    pub(super) count: u32,
    pub(super) crossed: Vec<Hit<T>>,
    /// Of those crossed the first, at most so many as were asked for.
    pub(super) nearest: Vec<Hit<T>>,
    pub(super) limit: u32,
    /// The nearest on either side of the origin.
    pub(super) line: LineHits<T>,
    /// Single calls have no such query, and give what they crossed.
    pub(super) touched: Option<Vec<Hit<T>>>,
}

impl<T: Scalar> Answer<T> {
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
            && (self.limit, hit_bits(&self.nearest)) == (other.limit, hit_bits(&other.nearest))
            && hit_bits(self.line.ahead.as_slice()) == hit_bits(other.line.ahead.as_slice())
            && hit_bits(self.line.behind.as_slice()) == hit_bits(other.line.behind.as_slice())
            && same_touched
    }
}

/// Numbers that compare equal may differ in their bits: −0 and 0.
fn hit_bits<T: Scalar>(hits: &[Hit<T>]) -> Vec<([u64; 3], [u32; 3])> {
    let bits = |hit: &Hit<T>| {
        let numbers = [hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits());
        (numbers, [hit.instance_id, hit.geometry_id, hit.primitive_id])
    };
    hits.iter().map(bits).collect()
}

/// How many of the nearest hits the ray in this row is asked for.
fn limit(row: usize) -> u32 {
    row as u32 % 4
}

/// Asks all queries about these rays.
pub(super) fn ask<T: Precision>(
    scene: &Scene<T>,
    way: Way,
    threads: &Threads,
    rays: &[Ray<T>],
) -> lanecast::Result<Vec<Answer<T>>> {
    let coherence = match way.form {
        Form::Single => {
            let answer = |(row, ray)| ask_single(scene, way.backend, ray, limit(row));
            return Ok(rays.iter().enumerate().map(answer).collect());
        }
        Form::Batch => Coherence::Detect,
        Form::Groups => Coherence::Coherent,
        Form::NoGroups => Coherence::Incoherent,
    };
    let limits: Vec<u32> = (0..rays.len()).map(limit).collect();
    let request = scene.cast(rays).backend(way.backend).threads(threads).coherence(coherence);
    let (closest, any, count) = (request.closest()?, request.any()?, request.count()?);
    let (crossed, nearest) = (request.all()?, request.nearest(&limits)?);
    let line = request.line_hits()?;
    let touched = request.contact(Contact::Touch).all()?;
    let answer = |row: usize| Answer {
        status: [
            closest.status()[row],
            any.status()[row],
            count.status()[row],
            crossed.status()[row],
            touched.status()[row],
            nearest.status()[row],
            line.ahead().status()[row],
            line.behind().status()[row],
        ],
        closest: closest.hit(row),
        count: count.count()[row],
        crossed: crossed.of_ray(row).to_vec(),
        nearest: nearest.of_ray(row).to_vec(),
        limit: limits[row],
        line: line.of_line(row),
        touched: Some(touched.of_ray(row).to_vec()),
    };
    Ok((0..rays.len()).map(answer).collect())
}

fn ask_single<T: Precision>(
    scene: &Scene<T>,
    backend: Backend,
    ray: &Ray<T>,
    limit: u32,
) -> Answer<T> {
    fn status<A>(answer: &lanecast::Result<A>, is_hit: impl Fn(&A) -> bool) -> Status {
        match answer {
            Ok(answer) if is_hit(answer) => Status::Hit,
            Err(lanecast::Error::InvalidRay { status }) => *status,
            // No other error can come of a single ray.
            _ => Status::Miss,
        }
    }
    let request = scene.cast(ray).backend(backend);
    let (closest, any) = (request.closest(), request.any());
    let (count, crossed) = (request.count(), request.all());
    let (nearest, line) = (request.nearest(limit), request.line_hits());
    // What single calls cannot be asked for has the status that they give for the closest hit, and
    // of none of the nearest they do not say whether there is any.
    let of_closest = status(&closest, Option::is_some);
    let of_crossed = status(&crossed, |crossed| !crossed.is_empty());
    Answer {
        status: [
            of_closest,
            status(&any, |&any| any),
            status(&count, |&count| count > 0),
            of_crossed,
            of_closest,
            match limit {
                0 => of_crossed,
                _ => status(&nearest, |nearest| !nearest.is_empty()),
            },
            status(&line, |line| line.ahead.is_some()),
            status(&line, |line| line.behind.is_some()),
        ],
        closest: closest.unwrap_or_default(),
        count: count.unwrap_or_default(),
        crossed: crossed.unwrap_or_default(),
        nearest: nearest.unwrap_or_default(),
        limit,
        line: line.unwrap_or_default(),
        touched: None,
    }
}
