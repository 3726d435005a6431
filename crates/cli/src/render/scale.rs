//! The range of values that colours stand for, and the marks of its legend.

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
    /// From the least to the greatest value that is finite; from 0 to 0 if none is.
    pub(super) fn of_values(values: impl Iterator<Item = f32> + Clone) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let from = finite.clone().fold(f32::INFINITY, f32::min);
        let to = finite.fold(f32::NEG_INFINITY, f32::max);
        if from <= to {
            Self { from, to, mean: None }
        } else {
            Self { from: 0.0, to: 0.0, mean: None }
        }
    }

    /// From the nearest to the farthest hit.
    pub(super) fn of_distances<T: Number>(hits: &HitBatch<T>) -> Self {
        Self::of_values(hits.t().iter().map(|t| t.to_f64() as f32))
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

    /// The same colours for values between these ends.
    pub(super) fn between(self, [from, to]: [f64; 2]) -> Self {
        Self { from: from as f32, to: to as f32, ..self }
    }

    /// Where a value lies between the ends, as 0 to 1.
    pub(super) fn place(&self, value: f32) -> f32 {
        if self.to > self.from { (value - self.from) / (self.to - self.from) } else { 0.0 }
    }

    /// Marks of a legend: the power of ten in which they are written, and each one's place, from 0
    /// to 1, and text. They lie at 1, 2 or 5 times a power of ten, and there are at most seven.
    pub(super) fn ticks(&self) -> (i32, Vec<(f64, String)>) {
        let (from, to) = (f64::from(self.from), f64::from(self.to));
        let largest = from.abs().max(to.abs());
        let decade = |x: f64| x.log10().floor() as i32;
        let power =
            if largest > 0.0 && !(1e-3..1e6).contains(&largest) { decade(largest) } else { 0 };
        let unit = 10_f64.powi(power);
        if to <= from {
            return (power, vec![(0.0, number::short(from / unit))]);
        }
        let raw = (to - from) / unit / 6.0;
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * 10_f64.powi(decade(raw)));
        let step = steps.into_iter().find(|step| *step >= raw * (1.0 - 1e-6)).unwrap_or(steps[3]);
        let decimals = (-decade(step * (1.0 + 1e-9))).max(0) as usize;
        // A little beyond the ends, which are rounded to f32.
        let (first, last) = (from / unit / step - 1e-6, to / unit / step + 1e-6);
        let marks = (first.ceil() as i64..=last.floor() as i64).map(|mark| {
            let value = mark as f64 * step;
            // Adding zero turns −0 into 0.
            let text = format!("{:.decimals$}", value + 0.0).replace('-', "−");
            (((value * unit - from) / (to - from)).clamp(0.0, 1.0), text)
        });
        (power, marks.collect())
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
    let [width, height] = sampling.size.map(|side| side as usize);
    let stride = (1..)
        .find(|stride| width.div_ceil(*stride) * height.div_ceil(*stride) <= MOST)
        .unwrap_or(1);
    let rows = (0..height).step_by(stride);
    rows.flat_map(|y| (0..width).step_by(stride).map(move |x| (x, y)))
        .map(|(x, y)| sampling.ray_through([x as f64 + 0.5, y as f64 + 0.5]))
        .collect()
}

#[cfg(test)]
#[path = "../../tests/unit/render/scale.rs"]
mod tests;
