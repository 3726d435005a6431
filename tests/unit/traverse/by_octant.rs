use super::*;

/// Each of the rays is in one part, with its row, and all of a part are of one octant.
#[test]
fn parts_hold_all_rays_by_octant() {
    let ray = |row: u32| {
        let component = |axis: u32| ((row * 7 + axis * 3) % 11) as f64 - 4.5;
        Ray::new([f64::from(row); 3], [component(0), component(1), component(2)])
    };
    let rays: Vec<Ray<f64>> = (0..500).map(ray).collect();
    let mut found = Vec::new();
    let by_octant = ByOctant::new(&RayBatch::from_rays(&rays), 100..480);
    for (part, rows) in by_octant.parts::<f64>() {
        assert_eq!(part.len(), rows.len());
        for (place, &row) in rows.iter().enumerate() {
            assert_eq!(part.ray(place), rays[row as usize]);
            assert_eq!(
                part.ray(place).direction.map(f64::is_sign_negative),
                part.ray(0).direction.map(f64::is_sign_negative)
            );
        }
        found.extend_from_slice(rows);
    }
    found.sort_unstable();
    assert_eq!(found, (100..480).collect::<Vec<u32>>());
}

/// Memory that rays of the other precision left is no whole number of rays.
#[test]
fn the_memory_serves_either_precision() {
    let few = vec![Ray::<f32>::new([1.0; 3], [1.0, -1.0, 1.0]); 7];
    ByOctant::new(&RayBatch::from_rays(&few), 0..7).put_back();
    let one = [Ray::<f64>::new([2.0; 3], [1.0; 3])];
    let by_octant = ByOctant::new(&RayBatch::from_rays(&one), 0..1);
    let rays: Vec<Ray<f64>> = by_octant
        .parts::<f64>()
        .filter(|(part, _)| !part.is_empty())
        .map(|(part, _)| part.ray(0))
        .collect();
    assert_eq!(rays, one);
}
