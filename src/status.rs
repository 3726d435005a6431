//! The status of a ray.

/// The status of one ray, or of a query point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum Status {
    /// The ray is sound and meets nothing within its interval.
    #[default]
    Miss = 0,
    /// The ray meets something.
    Hit = 1,
    /// An origin, a segment's start, or a point is NaN, infinite, or beyond 2¹⁰⁰ in magnitude (2³⁰⁰
    /// in `f64`).
    InvalidOrigin = 2,
    /// The direction has a component that is NaN or infinite; or a segment's end one that its start
    /// must not have.
    InvalidDirection = 3,
    /// All components of the direction are zero.
    ZeroDirection = 4,
    /// The largest component of the direction is not in \[2⁻¹⁰⁰, 2¹⁰⁰\] in magnitude (\[2⁻³⁰⁰,
    /// 2³⁰⁰\] in `f64`).
    DirectionOutOfRange = 5,
    /// `t_min` or `t_max` is NaN, or the radius around a point.
    InvalidInterval = 6,
    /// `t_min` is greater than `t_max`, or the radius around a point is negative.
    EmptyInterval = 7,
}

impl Status {
    /// Every status, in the order of the numbers that stand for them in files.
    pub const ALL: [Self; 8] = [
        Self::Miss,
        Self::Hit,
        Self::InvalidOrigin,
        Self::InvalidDirection,
        Self::ZeroDirection,
        Self::DirectionOutOfRange,
        Self::InvalidInterval,
        Self::EmptyInterval,
    ];

    /// Whether the ray meets something.
    pub const fn is_hit(self) -> bool {
        matches!(self, Self::Hit)
    }

    /// Whether the ray was not cast because of a defect.
    pub const fn is_invalid(self) -> bool {
        !matches!(self, Self::Hit | Self::Miss)
    }

    /// The answer in a row with this status; `None` if the row has a defect.
    pub(crate) fn answer<X>(self, answer: X) -> Option<X> {
        (!self.is_invalid()).then_some(answer)
    }

    /// The number that stands for this status in files.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The word that stands for this status in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Miss => "miss",
            Self::Hit => "hit",
            Self::InvalidOrigin => "invalid_origin",
            Self::InvalidDirection => "invalid_direction",
            Self::ZeroDirection => "zero_direction",
            Self::DirectionOutOfRange => "direction_out_of_range",
            Self::InvalidInterval => "invalid_interval",
            Self::EmptyInterval => "empty_interval",
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
