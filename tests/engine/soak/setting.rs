//! How it is asked. The answers do not depend on it.

use std::ops::Range;

use crate::common::rays::log_uniform;
use crate::soak::case::{Query, Uses};
use crate::soak::scenes::Subject;
use lanecast::testing::Way;
use lanecast::{CastOptions, Coherence, Scalar};
use lanecast_reference::random::Random;

/// How rays lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Rays,
    Pairs,
    Columns,
    Rows,
    Made,
}

/// Whether the batch is asked as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    Whole,
    /// In pieces of about equal length, the last of another.
    Pieces(usize),
    OneByOne,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// Which of those that there are.
    pub(crate) backend: usize,
    pub(crate) threads: usize,
    pub(crate) coherence: Coherence,
    pub(crate) way: Option<Way>,
    pub(crate) chunk: Option<usize>,
    pub(crate) layout: Layout,
    pub(crate) split: Split,
    pub(crate) watched: bool,
    /// By brute force.
    pub(crate) by_scan: bool,
}

impl Setting {
    pub(crate) const PLAIN: Self = Self {
        backend: 0,
        threads: 1,
        coherence: Coherence::Detect,
        way: None,
        chunk: None,
        layout: Layout::Rays,
        split: Split::Whole,
        watched: false,
        by_scan: false,
    };

    /// Makes one thing simpler.
    pub(crate) const SIMPLER: [fn(Self) -> Self; 9] = [
        |setting| Self { threads: 1, ..setting },
        |setting| Self { chunk: None, ..setting },
        |setting| Self { split: Split::Whole, ..setting },
        |setting| Self { layout: Layout::Rays, ..setting },
        |setting| Self { watched: false, ..setting },
        |setting| Self { way: None, ..setting },
        |setting| Self { coherence: Coherence::Detect, ..setting },
        |setting| Self { coherence: Coherence::Incoherent, ..setting },
        |setting| Self { backend: 0, ..setting },
    ];

    pub(crate) fn drawn(backends: usize, query: Query, rays: usize, random: &mut Random) -> Self {
        use Coherence::{Coherent, Detect, Incoherent};
        let forced =
            [Way::Streams, Way::StreamsByOctant, Way::MixedStreams, Way::InFlight, Way::OneByOne]
                .map(Some);
        let ways = [&[None], &forced[..]].concat();
        let layouts = [Layout::Rays, Layout::Pairs, Layout::Columns, Layout::Rows, Layout::Made];
        let chunk = (random.below(3) == 0).then(|| log_uniform(2 * rays, random).max(rays / 50));
        let split = match random.below(6) {
            0 => Split::Pieces(1 + log_uniform(rays, random).max(rays / 20)),
            1 if rays <= 300 => Split::OneByOne,
            _ => Split::Whole,
        };
        Self {
            backend: random.below(backends),
            threads: 1 + random.below(4),
            coherence: random.pick(&[Detect, Coherent, Incoherent, Incoherent]),
            way: random.pick(&ways),
            chunk,
            layout: random.pick(&layouts),
            split: if query == Query::Pick { Split::OneByOne } else { split },
            watched: random.below(8) == 0,
            by_scan: false,
        }
    }

    /// The pieces of so many rays.
    pub(crate) fn pieces(&self, rays: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let length = match self.split {
            Split::Whole => rays.max(1),
            Split::Pieces(length) => length,
            Split::OneByOne => 1,
        };
        (0..rays).step_by(length).map(move |first| first..rays.min(first + length))
    }

    /// The options of a batch, but for the columns.
    pub(crate) fn options<'a, T: Scalar>(
        &self,
        uses: &Uses,
        subject: &'a Subject,
    ) -> CastOptions<'a, T> {
        let mut options = CastOptions::new()
            .threads(&subject.pools[self.threads - 1])
            .backend(subject.backends[self.backend])
            .coherence(self.coherence)
            .culling(uses.culling)
            .contact(uses.contact)
            .geometric_normals(uses.normals);
        if let Some(way) = self.way {
            options = options.way(way);
        }
        if let Some(rays) = self.chunk {
            options = options.rays_in_chunk(rays);
        }
        if self.by_scan {
            options = options.brute_force();
        }
        if self.watched { options.watch(&|_| std::ops::ControlFlow::Continue(())) } else { options }
    }
}
