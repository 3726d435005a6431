//! Queries of points.

use lanecast::answers::PerRow;
use lanecast::cast::Points;
use lanecast::{Cast, Precision, Result};

use crate::answers::{Answers, ClosestPoints, Distances, Insides, PointLists, Windings};
use crate::arguments;

/// A query of points.
pub trait PointQuery: Copy + Send + Sync {
    /// Its name in all bindings, to which they may put a prefix.
    const NAME: &'static str;
    /// What it takes, of [`arguments`](crate::arguments!).
    const ARGUMENTS: &'static str;
    /// What it answers.
    type Answers: Answers;

    /// Asks, with the options that were given to the cast, within a radius of each point if the
    /// query takes one.
    fn ask<T: Precision>(
        self,
        cast: &Cast<'_, T, Points<'_, T>>,
        radius: PerRow<'_, T>,
        columns: <Self::Answers as Answers>::Columns<'_, T>,
    ) -> Result<<Self::Answers as Answers>::Lists<T>>;
}

macro_rules! queries {
    ($(#[$doc:meta] $query:ident $((#[$of_value:meta] $field:ident: $value:ty))? is $name:ident: $answers:ident,
        $cast:ident, $radius:ident, $columns:ident => $ask:expr;)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $query$((#[$of_value] pub $value))?;

        impl PointQuery for $query {
            const NAME: &'static str = stringify!($name);
            const ARGUMENTS: &'static str = arguments!($name);
            type Answers = $answers;

            fn ask<T: Precision>(
                self,
                $cast: &Cast<'_, T, Points<'_, T>>,
                $radius: PerRow<'_, T>,
                $columns: <$answers as Answers>::Columns<'_, T>,
            ) -> Result<<$answers as Answers>::Lists<T>> {
                $(let $field: $value = self.0;)?
                $ask
            }
        }
    )*};
}

queries! {
    /// The point of all surfaces that is closest to each point.
    ClosestPoint is closest_point: ClosestPoints,
        cast, radius, points => cast.closest_into(radius, points);
    /// The primitives nearest to each point, with a point of each.
    NearestPoints(
        /// The most primitives of a point.
        count: u32) is nearest_points: PointLists,
        cast, radius, _nothing => cast.nearest(count, radius);
    /// All primitives within a radius of each point, with a point of each.
    PointsWithin is points_within: PointLists,
        cast, radius, _nothing => cast.within(radius);
    /// The distance of each point from the nearest surface.
    Distance is distance: Distances,
        cast, _radius, distances => cast.distances_into(distances);
    /// The same, negative inside.
    SignedDistance is signed_distance: Distances,
        cast, _radius, distances => cast.signed_distances_into(distances);
    /// Whether each point is inside.
    Contains is contains: Insides,
        cast, _radius, insides => cast.contains_into(insides);
    /// The generalised winding number of each point.
    WindingNumber(
        /// The accuracy, from 1 on.
        accuracy: f64) is winding_number: Windings,
        cast, _radius, windings =>
            cast.clone().generalised_winding(accuracy).winding_numbers_into(windings);
}
