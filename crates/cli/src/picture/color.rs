//! Colours, and ramps that look even to the eye.

/// Red, green and blue in linear light, from 0 to 1.
pub(crate) type Color = [f32; 3];

/// From `a` to `b`, in linear light.
pub(crate) fn mix(a: Color, b: Color, weight: f32) -> Color {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * weight)
}

/// A linear channel as the byte that sRGB writes for it (IEC 61966-2-1).
pub(super) fn srgb_byte(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded =
        if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

/// The linear channel for which sRGB writes `encoded`, from 0 to 1.
pub(crate) fn linear(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// An sRGB colour, written `0xrrggbb`, in linear light.
pub(crate) fn from_srgb(hex: u32) -> Color {
    [16, 8, 0].map(|shift| linear((hex >> shift & 0xff) as f32 / 255.0))
}

/// A row of colours to pick from, blended in Oklab (Ottosson, "A perceptual color space for image
/// processing", 2020), where equal steps look equally large.
#[derive(Debug, Clone)]
pub(crate) struct Ramp(Vec<Color>);

impl Ramp {
    /// A ramp through sRGB colours, each written `0xrrggbb`, at equal distances.
    pub(crate) fn new(stops: &[u32]) -> Self {
        Self::with_stops(stops.iter().enumerate().map(|(index, &hex)| (index as f32, hex)))
    }

    /// A ramp through sRGB colours at given places, in ascending order. The first place is the
    /// ramp's 0, the last its 1.
    pub(crate) fn with_stops(stops: impl IntoIterator<Item = (f32, u32)>) -> Self {
        const STEPS: usize = 256;
        let stops: Vec<_> =
            stops.into_iter().map(|(place, hex)| (place, to_oklab(from_srgb(hex)))).collect();
        let (first, last) = (stops[0], stops[stops.len() - 1]);
        let at = |step: usize| {
            let place = first.0 + (last.0 - first.0) * step as f32 / (STEPS - 1) as f32;
            let pair = stops.windows(2).find(|pair| place <= pair[1].0);
            pair.map_or(last.1, |pair| {
                mix(pair[0].1, pair[1].1, (place - pair[0].0) / (pair[1].0 - pair[0].0))
            })
        };
        Self((0..STEPS).map(|step| from_oklab(at(step))).collect())
    }

    /// The same from its end to its start.
    pub(crate) fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The colour at `x`, from 0 to 1; beyond, that of the end. NaN is 0.
    pub(crate) fn at(&self, x: f32) -> Color {
        let last = self.0.len() - 1;
        let x = if x.is_nan() { 0.0 } else { x };
        let place = x.clamp(0.0, 1.0) * last as f32;
        let below = (place as usize).min(last);
        mix(self.0[below], self.0[(below + 1).min(last)], place - below as f32)
    }
}

fn to_oklab([r, g, b]: Color) -> [f32; 3] {
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn from_oklab([lightness, a, b]: [f32; 3]) -> Color {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}

#[cfg(test)]
#[path = "../../tests/unit/picture/color.rs"]
mod tests;
