//! The range of values that the colours of depth and cost stand for.

use crate::number;
use crate::picture::Sampling;
use crate::precision::Number;
use lanecast::{HitBatch, Ray};
use serde::Serialize;

/// Values at the two ends of the colours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Range {
    from: f32,
    to: f32,
    /// Averages over the picture, where the values are costs.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    mean: Option<MeanCost>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct MeanCost {
    nodes_per_ray: f64,
    triangles_per_ray: f64,
}

impl Range {
    /// From the nearest to the farthest hit.
    pub(super) fn of_distances<T: Number>(hits: &HitBatch<T>) -> Self {
        let finite = || hits.t().iter().map(|t| t.to_f64() as f32).filter(|t| t.is_finite());
        let (near, far) = (finite().fold(f32::INFINITY, f32::min), finite().fold(0.0, f32::max));
        Self { from: near.min(far), to: far, mean: None }
    }

    /// From nothing to what all but one ray in 200 stay below.
    pub(super) fn of_costs(nodes: &[u32], triangles: &[u32]) -> Self {
        let mut sums: Vec<u32> = nodes.iter().zip(triangles).map(|(a, b)| a + b).collect();
        sums.sort_unstable();
        let most = sums.len().checked_sub(sums.len() / 200 + 1).map_or(0, |index| sums[index]);
        let mean = |counts: &[u32]| {
            counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len().max(1) as f64
        };
        let mean = MeanCost { nodes_per_ray: mean(nodes), triangles_per_ray: mean(triangles) };
        Self { from: 0.0, to: most.max(1) as f32, mean: Some(mean) }
    }

    /// Where a value lies between the ends, as 0 to 1.
    pub(super) fn place(&self, value: f32) -> f32 {
        if self.to > self.from { (value - self.from) / (self.to - self.from) } else { 0.0 }
    }

    /// The scale in one line.
    pub(super) fn words(&self) -> String {
        let mut line = format!(
            "colours: {} (dark) to {} (bright) nodes and triangles tested per ray",
            self.from, self.to
        );
        if let Some(mean) = self.mean {
            line += &format!(
                "; mean {} nodes and {} triangles",
                number::short(mean.nodes_per_ray),
                number::short(mean.triangles_per_ray)
            );
        }
        line
    }
}

/// At most some ten thousand rays, evenly spread over the picture.
pub(super) fn sparse_rays<T: Number>(sampling: &Sampling) -> Vec<Ray<T>> {
    const MOST: usize = 1 << 16;
    let [width, height] = sampling.camera.size().map(|side| side as usize);
    let stride = (1..).find(|stride| width.div_ceil(*stride) * height.div_ceil(*stride) <= MOST).unwrap_or(1);
    let rows = (0..height).step_by(stride);
    rows.flat_map(|y| (0..width).step_by(stride).map(move |x| (x, y)))
        .map(|(x, y)| T::through(&sampling.camera, [x as f64 + 0.5, y as f64 + 0.5]))
        .collect()
}

#[cfg(test)]
#[path = "../../tests/unit/render/scale.rs"]
mod tests;
