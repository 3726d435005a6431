//! The kinds of operations that are told apart.

/// A kind of operation on vectors: what runs on the same ports of a core at the same rate, as far as is
/// known without looking at one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Addition and subtraction.
    Add,
    /// Multiplication.
    Multiply,
    /// The lesser or the greater of two.
    MinMax,
    /// Comparison.
    Compare,
    /// Choice between two by a mask.
    Select,
    /// Division.
    Divide,
    /// The square root.
    SquareRoot,
    /// The magnitude.
    Magnitude,
    /// And, or, not: of masks.
    Mask,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Add,
        Self::Multiply,
        Self::MinMax,
        Self::Compare,
        Self::Select,
        Self::Divide,
        Self::SquareRoot,
        Self::Magnitude,
        Self::Mask,
    ];

    /// Those whose rate is measured, alone and in turn with each other.
    ///
    /// Comparisons are not among them: each leaves a mask that another operation must take, so that no
    /// loop does them alone. They are taken to be done where minima and maxima are, which compare too.
    /// Magnitudes and masks are simple and run on any port of the vectors: they count among all
    /// operations, and among these only.
    pub const MEASURED: [Self; 6] =
        [Self::Add, Self::Multiply, Self::MinMax, Self::Select, Self::Divide, Self::SquareRoot];

    /// What it is called in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Multiply => "multiply",
            Self::MinMax => "min/max",
            Self::Compare => "compare",
            Self::Select => "select",
            Self::Divide => "divide",
            Self::SquareRoot => "square root",
            Self::Magnitude => "magnitude",
            Self::Mask => "mask",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
