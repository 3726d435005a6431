//! The options that each request takes: the setters of all others do not compile.

use super::{GridPoints, Lines, OnePoint, OneRay, Overlap, Points, Precision, RaysOf, Surface};

/// A request that takes the option `O`: at least one of its queries depends on it.
///
/// | request | options |
/// |---|---|
/// | rays ([`RaysOf`]) | threads, backend, watch, brute force, coherence, culling, mask, skip, filter, contact, geometric normals |
/// | a ray ([`OneRay`]) | backend, watch, brute force, culling, mask, skip, filter, contact |
/// | lines of sight ([`Lines`]) | threads, backend, watch, brute force, coherence, culling, mask, skip, filter |
/// | points ([`Points`]) | threads, backend, watch, brute force, geometric normals, generalised winding numbers |
/// | a point ([`OnePoint`]) | backend, watch, brute force, generalised winding numbers |
/// | a grid ([`GridPoints`]) | threads, backend, watch, brute force, generalised winding numbers |
/// | a region ([`Overlap`]) | backend, watch, brute force, mask |
/// | hits ([`Surface`]) | threads, backend, watch |
///
/// Options that are [kept](super::CastOptions) are all of these.
#[diagnostic::on_unimplemented(
    message = "no query of this request takes the option `{O}`",
    label = "`{O}` changes nothing here",
    note = "`lanecast::cast::Takes` lists the options of each request"
)]
pub trait Takes<O> {
    /// The queries that take it: [`AllQueries`] of the request, or those that are left once it is
    /// set.
    type Queries;
}

/// The names of options, for [`Takes`].
pub mod option {
    /// [`threads`](crate::Cast::threads)
    #[derive(Debug, Clone, Copy)]
    pub struct Threads;
    /// [`watch`](crate::Cast::watch)
    #[derive(Debug, Clone, Copy)]
    pub struct Watch;
    /// [`brute_force`](crate::Cast::brute_force)
    #[derive(Debug, Clone, Copy)]
    pub struct BruteForce;
    /// [`coherence`](crate::Cast::coherence)
    #[derive(Debug, Clone, Copy)]
    pub struct Coherence;
    /// [`mask`](crate::Cast::mask)
    #[derive(Debug, Clone, Copy)]
    pub struct Mask;
    /// [`culling`](crate::Cast::culling), [`skip`](crate::Cast::skip),
    /// [`skip_in`](crate::Cast::skip_in) and [`filter`](crate::Cast::filter)
    #[derive(Debug, Clone, Copy)]
    pub struct Selection;
    /// [`contact`](crate::Cast::contact)
    #[derive(Debug, Clone, Copy)]
    pub struct Contact;
    /// [`geometric_normals`](crate::Cast::geometric_normals)
    #[derive(Debug, Clone, Copy)]
    pub struct GeometricNormals;
    /// [`generalised_winding`](crate::Cast::generalised_winding)
    #[derive(Debug, Clone, Copy)]
    pub struct GeneralisedWinding;
}

/// All queries of a request may follow.
#[derive(Debug, Clone, Copy)]
pub struct AllQueries;

/// Queries whose answers have normals may follow: `closest`, `farthest` and `line_hits` of rays,
/// `closest` of points.
#[derive(Debug, Clone, Copy)]
pub struct WithNormals;

/// Queries that count where a ray meets primitives may follow: `count`, `all`, `nearest` and
/// `pick`.
#[derive(Debug, Clone, Copy)]
pub struct OfContacts;

/// Queries that depend on the inside may follow: `contains`, `signed_distances` and
/// `winding_numbers`.
#[derive(Debug, Clone, Copy)]
pub struct OfInside;

/// The options set so far leave the queries `Q`.
#[diagnostic::on_unimplemented(message = "an option was set before that this query does not take")]
pub trait Leave<Q> {}

macro_rules! leave {
    ($($queries:ident),*) => {
        $(impl Leave<$queries> for AllQueries {}
        impl Leave<$queries> for $queries {})*
    };
}
leave!(WithNormals, OfContacts, OfInside);

macro_rules! takes {
    ($($option:ident: $($request:ident => $queries:ident),+;)+) => {
        $($(impl<T: Precision> Takes<option::$option> for $request<'_, T> {
            type Queries = $queries;
        })+
        impl Takes<option::$option> for () {
            type Queries = AllQueries;
        })+
    };
}

takes! {
    Threads: RaysOf => AllQueries, Lines => AllQueries, Points => AllQueries, GridPoints => AllQueries,
        Surface => AllQueries;
    Watch: RaysOf => AllQueries, OneRay => AllQueries, Lines => AllQueries, Points => AllQueries,
        OnePoint => AllQueries, GridPoints => AllQueries, Overlap => AllQueries, Surface => AllQueries;
    BruteForce: RaysOf => AllQueries, OneRay => AllQueries, Lines => AllQueries, Points => AllQueries,
        OnePoint => AllQueries, GridPoints => AllQueries, Overlap => AllQueries;
    Coherence: RaysOf => AllQueries, Lines => AllQueries;
    Mask: RaysOf => AllQueries, OneRay => AllQueries, Lines => AllQueries, Overlap => AllQueries;
    Selection: RaysOf => AllQueries, OneRay => AllQueries, Lines => AllQueries;
    Contact: RaysOf => OfContacts, OneRay => OfContacts;
    GeometricNormals: RaysOf => WithNormals, Points => WithNormals;
    GeneralisedWinding: Points => OfInside, OnePoint => OfInside, GridPoints => AllQueries;
}

/// The page has a test for each setter that does not compile.
#[cfg(doctest)]
#[doc = include_str!("refused.md")]
struct Refused;

#[cfg(test)]
#[path = "../../tests/unit/cast/takes.rs"]
mod tests;
