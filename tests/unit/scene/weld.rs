use super::*;

fn near(grid: &Grid<f64>, place: [f64; 3]) -> Vec<u32> {
    let mut found: Vec<u32> = grid.near(place).map(|(number, _)| number).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn places_on_either_side_of_a_border_are_near() {
    let mut grid = Grid::new(1.0, 100);
    assert_eq!(grid.side, 16.0);
    let borders = [-32.0, -16.0, 0.0, 16.0, 1024.0, -1e15];
    for border in borders {
        for axis in 0..3 {
            let at = |x: f64| -> [f64; 3] {
                std::array::from_fn(|other| {
                    if other == axis { border - 16.0 / 3.0 + x } else { -16.0 / 3.0 }
                })
            };
            let first = grid.places.len() as u32;
            for x in [-0.5, 0.0, 0.5] {
                grid.add(at(x));
            }
            for x in [-0.5, 0.0, 0.5] {
                let found = near(&grid, at(x));
                assert!(
                    (first..first + 3).all(|index| found.contains(&index)),
                    "{:?}: {found:?}",
                    at(x)
                );
            }
        }
    }
}

#[test]
fn numbers_of_cells_never_overflow() {
    let large = f64::from(LARGEST_COORDINATE);
    for reach in [LEAST, f64::from(f32::from_bits(1)), 1.0, 1e20, f64::MAX] {
        let mut grid = Grid::new(reach, 8);
        let places = [-large, -1.0, -0.0, 0.0, 1e-300, large].map(|x| [x, 0.0, -x]);
        for (index, place) in (0..).zip(places) {
            grid.add(place);
            assert!(near(&grid, place).contains(&index), "reach {reach}: {place:?}");
            let numbers = place.map(|x| grid.cells(x));
            assert!(
                numbers.iter().flatten().flatten().all(|x| x.is_finite()),
                "reach {reach}: {numbers:?}"
            );
        }
    }
}

#[test]
fn adjacent_cells_are_searched_to_the_last_integer_of_f64() {
    let grid = Grid::<f64>::new(1.0, 1);
    let cells = |x: f64| grid.cells(x).into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(cells(8.0), [0.0]);
    assert_eq!(cells(16.0), [1.0]);
    assert_eq!(cells(11.0), [0.0, 1.0]);
    assert_eq!(cells(-5.0), [-1.0, 0.0]);
    // Coordinates there are 16 apart, one in each cell, and then one in two cells.
    let last = 2.0_f64.powi(52) * 16.0;
    assert_eq!(cells(last + 16.0), [2.0_f64.powi(52) + 1.0]);
    assert_eq!(cells(4.0 * last), [2.0_f64.powi(54)]);
}
