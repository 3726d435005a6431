//! `lanecast points`: what each query answers.

use crate::folder::Folder;
use crate::support::points;

#[test]
fn every_query_answers_about_a_cube() {
    let folder = Folder::with_cube();
    folder.file("points.csv", "z,y,x,point_id\n3,0.5,0.25,7\n0.5,0.5,0.75,-8\nnan,0,0,9\n");
    folder.file("middle.csv", points("0.5,0.5,0.5"));
    let closest = "point_id,status,distance,x,y,z,primitive_id,geometry_id,instance_id,u,v\n";
    let inside = "point_id,status,inside\n";
    let [far, near] =
        ["7,hit,2.0,0.25,0.5,1.0,3,0,-1,0.25,0.25\n", "-8,hit,0.25,1.0,0.5,0.5,6,0,-1,0.0,0.5\n"];
    let none = "inf,NaN,NaN,NaN,-1,-1,-1,0.0,0.0\n";
    let distance = "point_id,status,distance\n7,hit,2.0\n-8,hit,0.25\n9,invalid_origin,inf\n";
    for (arguments, expected) in [
        ("points.csv", format!("{closest}{far}{near}9,invalid_origin,{none}")),
        ("points.csv --radius 1", format!("{closest}7,miss,{none}{near}9,invalid_origin,{none}")),
        ("points.csv --query distance", distance.to_owned()),
        ("points.csv --query signed", distance.replace("0.25", "-0.25")),
        (
            "points.csv --query inside",
            format!("{inside}7,miss,false\n-8,hit,true\n9,invalid_origin,false\n"),
        ),
        // Without ids the rows are counted.
        ("middle.csv --query inside", format!("{inside}0,hit,true\n")),
    ] {
        let found = folder.output(&format!("points cube.off {arguments} -o -"));
        assert_eq!(found, expected, "{arguments}");
    }
}
