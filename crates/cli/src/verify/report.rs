//! What `lanecast verify` says at the end.

use crate::number;
use crate::scenes::Kinds;
use lanecast_reference::brute_force::Expected;
use serde::Serialize;

/// The fields of the JSON report.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    pub(super) mesh: String,
    pub(super) precision: &'static str,
    /// The primitives of all scenes, each counted once.
    #[serde(flatten)]
    pub(super) kinds: Kinds,
    /// In how many places primitives are: in the scene itself, and where scenes are placed in it
    /// and in each other.
    pub(super) places: u64,
    /// What the rays come from: the name of a file, or none where they were made.
    pub(super) rays_from: Option<String>,
    /// The columns of that file that nothing was done with.
    pub(super) ignored_columns: Vec<String>,
    pub(super) seed: u64,
    /// How many rays there are, and how many of them were verified.
    pub(super) rays_given: u64,
    pub(super) rays: usize,
    /// Of those verified: that are not to be cast, that meet something, that pass near the edge of
    /// a triangle.
    pub(super) invalid: usize,
    pub(super) hits: usize,
    pub(super) near_an_edge: usize,
    /// Of which either of two answers would have passed, as rounding decides between them: that
    /// graze a box or a sphere, and whose interval begins or ends where they meet something.
    pub(super) grazing: usize,
    pub(super) ending_at_a_hit: usize,
    pub(super) ways: Vec<String>,
    pub(super) seconds: f64,
    /// How many rays have an answer that differs, and the first such answers.
    pub(super) differing: usize,
    pub(super) differences: Vec<Difference>,
}

/// An answer that is not what it should be.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Difference {
    pub(super) ray_id: i64,
    /// Origin, direction, `t_min` and `t_max`, as words: JSON has no infinity.
    pub(super) ray: String,
    pub(super) way: String,
    pub(super) query: String,
    pub(super) found: String,
    pub(super) expected: String,
}

impl Report {
    pub(super) fn count(&mut self, expected: &[Expected]) {
        let count =
            |is: fn(&Expected) -> bool| expected.iter().filter(|expected| is(expected)).count();
        self.invalid += count(|expected| expected.defect.is_some());
        self.hits += count(|expected| !expected.meetings.is_empty());
        self.near_an_edge += count(|expected| expected.is_near_an_edge);
        self.grazing += count(|expected| expected.grazes);
        self.ending_at_a_hit += count(|expected| expected.ends_at_a_hit);
    }

    pub(super) fn words(&self) -> String {
        let counted = number::counted;
        let mut text = String::new();
        for Difference { ray_id, ray, way, query, found, expected } in &self.differences {
            text += &format!(
                "ray {ray_id}: {ray}\n  {query} ({way})\n  found     {found}\n  expected  {expected}\n"
            );
        }
        let unsaid = self.differing - self.differences.len();
        if unsaid > 0 {
            text += &format!("and {} more\n", counted(unsaid, "ray"));
        }
        text += &format!(
            "{} at {}{}: {}\n",
            counted(self.rays, "ray"),
            match self.kinds.words() {
                none if none.is_empty() => counted(0, "triangle"),
                words => words.join(" + "),
            },
            match self.places {
                0 | 1 => String::new(),
                places => format!(" in {} places", number::grouped(places)),
            },
            match self.differing {
                0 if self.precision == "f64" => {
                    "nothing differs from brute force in twice the digits of f64".to_owned()
                }
                0 => "nothing differs from brute force in f64".to_owned(),
                differing => format!("{} with an answer that differs", counted(differing, "ray")),
            }
        );
        if self.rays_given > self.rays as u64 {
            text += &format!("chosen at random from {}\n", number::grouped(self.rays_given));
        }
        text += &format!(
            "{} hit, {} near an edge and decided exactly, {} not to be cast; {} of casting compared; {}\n",
            number::grouped(self.hits),
            number::grouped(self.near_an_edge),
            number::grouped(self.invalid),
            counted(self.ways.len(), "way"),
            number::seconds(self.seconds),
        );
        if self.grazing + self.ending_at_a_hit > 0 {
            text += &format!(
                "left open by rounding: {} that graze a box or a sphere, {} that begin or end at a hit\n",
                number::grouped(self.grazing),
                number::grouped(self.ending_at_a_hit),
            );
        }
        text
    }
}
