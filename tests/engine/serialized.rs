//! Values come back from JSON as they went, and none comes in that its constructor refuses.

use std::fmt::Debug;

use lanecast::answers::{ClosestPoint, Cost, LineHits, PrimitiveIds, SurfaceHit};
use lanecast::primitive::{Cylinder, Disc, Obb, Rect, RoundCone, Triangle};
use lanecast::{
    Aabb, Affine, ClipDepth, Contact, Culling, Frustum, Hit, PointGrid, Ray, Segment, Side, Status,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, from_value, to_string, to_value};

fn returns<V: Serialize + DeserializeOwned + PartialEq + Debug>(value: &V) -> String {
    let text = to_string(value).expect("text");
    assert!(from_str::<V>(&text).is_ok(), "{text}");
    // Without text, as its reader may round the last bit.
    assert_eq!(from_value::<V>(to_value(value).expect(&text)).expect(&text), *value);
    text
}

fn refused<V: DeserializeOwned + Debug>(text: &str, reason: &str) {
    let error = from_str::<V>(text).expect_err(text).to_string();
    assert!(error.contains(reason), "{text}: {error}");
}

/// What most tests write of a point, a box and more.
const POINT: [f64; 3] = [0.1, -2.0, 3e-9];

#[test]
fn values_come_back_as_they_went() {
    returns(&Ray::new(POINT, [0.0, 0.0, 0.3]).with_interval(0.1, 7.5));
    returns(&Ray::new(POINT.map(|x| x as f32), [0.0, 0.1, 0.3]).with_interval(0.1, 7.5));
    returns(&Ray::<f32, 2>::segment([0.1, 0.2], [0.3, 0.4]));
    returns(&Segment::new(POINT, [1.0; 3]));
    returns(&Segment::<f32, 2>::new([0.1, 0.2], [0.3, 0.4]));
    returns(&Aabb { min: POINT, max: [9.0; 3] });
    returns(&Rect { min: [0.1_f32, 0.2], max: [0.3, 0.4] });
    returns(&Triangle::new([POINT, [0.0; 3], [1.0; 3]]));
    returns(&lanecast::primitive::Sphere::new(POINT, 0.7));
    returns(&RoundCone { ends: [POINT, [1.0; 3]], radii: [0.1, 0.2] });
    returns(&Cylinder { ends: [POINT, [1.0; 3]], radius: 0.1 });
    returns(&Disc { center: POINT, normal: [0.0, 0.0, 0.3], radius: 0.1 });
    let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    returns(&Obb::<f64>::new(POINT, axes, [1.0, 0.0, 0.3]).expect("a box"));
    returns(&Affine::look_at(POINT, [7.0; 3], [0.0, 0.0, 1.0]));
    returns(
        &Frustum::through(
            POINT,
            [[0.1, 0.0, 1.0], [0.0, 0.1, 1.0], [-0.1, 0.0, 1.0], [0.0, -0.1, 1.0]],
        )
        .expect("a pyramid"),
    );
    returns(&PointGrid::new(POINT, [0.1; 3], [4, 0, 9]).expect("a grid"));

    let hit = Hit { t: 0.1_f32, primitive_id: 3, u: 0.3, v: 0.2, ..Hit::NONE };
    returns(&hit);
    returns(&LineHits { ahead: Some(hit), behind: None });
    returns(&ClosestPoint { distance: 0.1, point: POINT, ..ClosestPoint::NONE });
    returns(&PrimitiveIds { instance_id: 1, geometry_id: 2, primitive_id: 3 });
    returns(&SurfaceHit { point: POINT, geometric_normal: POINT, shading_normal: Some([0.1; 3]) });
    returns(&Cost { nodes: 1, boxes: 2, leaves: 3, primitives: 4 });
}

#[test]
fn infinite_ends_come_back_as_they_went() {
    returns(&Ray::new(POINT, [1.0; 3]));
    let line = Ray::line(POINT.map(|x| x as f32), [1.0; 3]);
    assert!(returns(&line).contains(r#""t_min":null,"t_max":null"#));
    returns(&Hit::<f32>::NONE);
    returns(&Hit::<f64>::NONE);
    returns(&ClosestPoint::<f32>::NONE);
    // Whole numbers of either sign.
    let whole = r#"{"origin":[0,0,0],"direction":[0,0,1],"t_min":-2,"t_max":3}"#;
    let ray: Ray = from_str(whole).expect("a ray");
    assert_eq!((ray.t_min, ray.t_max), (-2.0, 3.0));
    refused::<Ray>(&whole.replace("-2", "\"-2\""), "null for one that is infinite");
    // No other number may be missing.
    refused::<Ray>(&whole.replace("[0,0,1]", "[0,0,null]"), "invalid type: null");
}

#[test]
fn names_are_those_of_tables() {
    for status in Status::ALL {
        assert_eq!(returns(&status), format!("\"{}\"", status.name()));
    }
    assert_eq!(
        (returns(&Side::Front), returns(&Side::Back)),
        ("\"front\"".into(), "\"back\"".into())
    );
    assert_eq!(
        [Culling::None, Culling::Back, Culling::Front].map(|value| returns(&value)),
        ["\"none\"", "\"back\"", "\"front\""]
    );
    assert_eq!(
        [Contact::Crossing, Contact::Touch].map(|value| returns(&value)),
        ["\"crossing\"", "\"touch\""]
    );
    let depths = [ClipDepth::ZeroToOne, ClipDepth::MinusOneToOne].map(|value| returns(&value));
    assert_eq!(depths, ["\"zero_to_one\"", "\"minus_one_to_one\""]);
}

#[test]
fn values_that_constructors_refuse_do_not_come_in() {
    let axes = "[[1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]]";
    let text = |axes: &str, extent: &str| {
        format!(r#"{{"center":[0.0,0.0,0.0],"axes":{axes},"half_extents":[1.0,1.0,{extent}]}}"#)
    };
    assert!(from_str::<Obb>(&text(axes, "1.0")).is_ok());
    refused::<Obb>(&text(axes, "-1.0"), "third half extent is -1");
    let sheared = axes.replace("[0.0,0.0,1.0]", "[0.5,0.0,1.0]");
    refused::<Obb>(&text(&sheared, "1.0"), "not orthonormal");
    refused::<Frustum>("[]", "from one to six");
    refused::<Frustum>("[[0.0,0.0,0.0,1.0]]", "its normal not zero");
    let grid = r#"{"origin":[0.0,0.0,0.0],"spacing":[1e300,1.0,1.0],"counts":[9,1,1]}"#;
    refused::<PointGrid<f64>>(grid, "at most 2^100");
}
