//! Queries of rays.

use lanecast::cast::RaysOf;
use lanecast::{Cast, Precision, Result};

use crate::answers::{Answers, Costs, Counts, HitLists, Hits, Lines, SignedCounts, Statuses};
use crate::arguments;

/// A query of rays.
pub trait RayQuery: Copy + Send + Sync {
    /// Its name in all bindings, to which they may put a prefix.
    const NAME: &'static str;
    /// What it takes, of [`arguments`](crate::arguments!).
    const ARGUMENTS: &'static str;
    /// What it answers.
    type Answers: Answers;

    /// Asks, with the options that were given to the cast.
    fn ask<T: Precision>(
        self,
        cast: &Cast<'_, T, RaysOf<'_, T>>,
        columns: <Self::Answers as Answers>::Columns<'_, T>,
    ) -> Result<<Self::Answers as Answers>::Lists<T>>;
}

macro_rules! queries {
    ($(#[$doc:meta] $query:ident $((#[$of_value:meta] $field:ident: $value:ty))? is $name:ident: $answers:ident,
        $cast:ident, $columns:ident => $ask:expr;)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $query$((#[$of_value] pub $value))?;

        impl RayQuery for $query {
            const NAME: &'static str = stringify!($name);
            const ARGUMENTS: &'static str = arguments!($name);
            type Answers = $answers;

            fn ask<T: Precision>(
                self,
                $cast: &Cast<'_, T, RaysOf<'_, T>>,
                $columns: <$answers as Answers>::Columns<'_, T>,
            ) -> Result<<$answers as Answers>::Lists<T>> {
                $(let $field: $value = self.0;)?
                $ask
            }
        }
    )*};
}

queries! {
    /// The first hit of each ray.
    ClosestHit is closest_hit: Hits, cast, hits => cast.closest_into(hits);
    /// The last hit of each ray.
    FarthestHit is farthest_hit: Hits, cast, hits => cast.farthest_into(hits);
    /// The hits nearest to the origin of each line on either side.
    LineHits is line_hits: Lines, cast, lines => cast.line_hits_into(lines);
    /// Whether each ray hits anything.
    AnyHit is any_hit: Statuses, cast, statuses => cast.any_into(statuses);
    /// The number of hits of each ray.
    CountHits is count_hits: Counts, cast, counts => cast.count_into(counts);
    /// How much deeper each ray is inside at its end than at its start.
    SignedCount is signed_count: SignedCounts, cast, counts => cast.signed_count_into(counts);
    /// What the search for the closest hit of each ray costs.
    Cost is cost: Costs, cast, costs => cast.cost_into(costs);
    /// All hits of each ray.
    AllHits is all_hits: HitLists, cast, _nothing => cast.all();
    /// The nearest few hits of each ray.
    NearestHits(
        /// The most hits of a ray.
        limit: u32)  is nearest_hits: HitLists, cast, _nothing => cast.nearest(limit);
}
