//! Viewsheds: bits against counts, and against each observer alone. The tests of the program hold
//! counts against a calculation over every triangle.

use crate::reference::{Hills, TRANSFORMS, options};
use lanecast_reference::random::Random;
use lanecast_terrain::{Sight, unwatched};

#[test]
fn bits_are_those_of_each_observer() {
    for transform in TRANSFORMS {
        let hills = Hills::new(transform, true);
        let mut random = Random::new(3);
        let [a, _, c, _, e, f] = transform;
        let mut places: Vec<[f64; 2]> = (0..31)
            .map(|_| [c + 16.0 * a * random.unit_f64(), f + 12.0 * e * random.unit_f64()])
            .collect();
        // Beside the terrain, amid the others.
        places.insert(5, [0.0, 0.0]);
        let eyes = hills.terrain.eyes(&places, 2.0, &options()).expect("eyes");
        assert!(eyes[5].is_none() && eyes.iter().filter(|eye| eye.is_none()).count() < 12);
        let sight = Sight { target_height: 0.5, max_distance: 45.0 };
        let bits =
            hills.terrain.viewshed_bits(&eyes, &sight, &options(), &unwatched).expect("bits");
        let counts = hills.terrain.viewshed_counts(&eyes, &sight, &options(), &unwatched);
        let counts = counts.expect("counts");
        let ones: Vec<u32> = bits.pixels.iter().map(|bits| bits.count_ones()).collect();
        assert_eq!(ones, counts.pixels);
        assert_eq!((bits.lines, bits.in_sight), (counts.lines, counts.in_sight));
        assert_eq!(counts.in_sight, ones.iter().map(|count| u64::from(*count)).sum());
        assert!(counts.in_sight > 300 && counts.in_sight < counts.lines);
        assert!(bits.pixels.iter().any(|bits| bits >> 31 == 1));
        for (number, eye) in eyes.iter().enumerate() {
            let alone = hills.terrain.viewshed_counts(&[*eye], &sight, &options(), &unwatched);
            let of_all: Vec<u32> = bits.pixels.iter().map(|bits| bits >> number & 1).collect();
            assert_eq!(alone.expect("counts").pixels, of_all, "observer {number}");
        }
    }
}
