//! Who takes part, and with what.

mod bvh;
mod embree;
mod lanecast;
mod lanecast_f64;
mod obvhs;
mod one_by_one;
mod parry;
mod tinybvh;

pub(crate) use bvh::BvhScene;
pub(crate) use embree::EmbreeScenes;
pub(crate) use lanecast::{LanecastScene, widest};
pub(crate) use lanecast_f64::LanecastF64Scene;
pub(crate) use obvhs::ObvhsScene;
pub(crate) use parry::ParryScene;
pub(crate) use tinybvh::TinyScene;

use std::rc::Rc;

use clap::ValueEnum;
use serde::Serialize;

use super::ray_set::RaySet;
use crate::rounds::Contestant;

/// Whose code a contestant runs, and how it takes the rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Family {
    /// lanecast's batches.
    Lanecast,
    /// lanecast's batches on a way through the tree that it did not choose by itself.
    LanecastWay,
    /// lanecast, one ray at a time.
    LanecastSingle,
    /// lanecast's batches in `f64`.
    LanecastF64,
    /// Embree's packets.
    EmbreePackets,
    /// Embree, one ray at a time.
    EmbreeSingle,
    /// Embree's robust mode, in packets or not.
    EmbreeRobust,
    /// Another crate.
    Crate,
}

impl Family {
    /// Whether this is lanecast.
    pub(crate) const fn is_lanecast(self) -> bool {
        matches!(
            self,
            Self::Lanecast | Self::LanecastWay | Self::LanecastSingle | Self::LanecastF64
        )
    }

    /// Whether this is Embree as the comparison counts it.
    pub(crate) const fn is_embree(self) -> bool {
        matches!(self, Self::EmbreePackets | Self::EmbreeSingle)
    }
}

/// What instructions a contestant is limited to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Isa {
    /// SSE2 for lanecast (its portable backend), SSE4.2 for Embree
    Sse,
    /// AVX2
    Avx2,
    /// AVX-512; for Embree whatever it chooses by itself
    Avx512,
}

/// Whatever casts rays and keeps the answers.
pub(crate) trait Tracer: Contestant {
    /// The answers of the last run: `t` for each ray, infinite where it meets nothing, anything
    /// finite where any hit was asked for and found.
    fn answers(&self) -> Vec<f32>;
}

/// One row of a cell.
pub(crate) struct Entrant<'a> {
    pub(crate) name: String,
    pub(crate) family: Family,
    pub(crate) isa: Option<Isa>,
    /// Which rays it casts, where not all.
    pub(crate) rows: Option<Rc<Vec<u32>>>,
    /// How many rays it casts.
    pub(crate) rays: usize,
    pub(crate) work: Box<dyn Tracer + 'a>,
}

impl<'a> Entrant<'a> {
    /// Somebody who casts all rays.
    fn new(
        name: String,
        family: Family,
        isa: Option<Isa>,
        set: &RaySet,
        work: impl Tracer + 'a,
    ) -> Self {
        Self { name, family, isa, rows: None, rays: set.rays.len(), work: Box::new(work) }
    }
}
