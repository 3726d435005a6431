//! Straight lines through measured points.

use serde::Serialize;

/// The line with the least sum of squared distances along y.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Line {
    /// y at x = 0.
    pub(super) start: f64,
    pub(super) slope: f64,
    /// The share of the points' variance that the line explains; 1 where there are but two points, or all y
    /// are equal.
    pub(super) r_squared: f64,
    pub(super) points: usize,
}

impl Line {
    /// None for less than two different x.
    pub(super) fn through(points: &[[f64; 2]]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |place: usize| points.iter().map(|point| point[place]).sum::<f64>() / count;
        let [x, y] = [mean(0), mean(1)];
        let sum = |of: &dyn Fn([f64; 2]) -> f64| points.iter().map(|&[a, b]| of([a - x, b - y])).sum::<f64>();
        let [xx, xy, yy] = [sum(&|[dx, _]| dx * dx), sum(&|[dx, dy]| dx * dy), sum(&|[_, dy]| dy * dy)];
        let slope = xy / xx;
        let r_squared = if yy > 0.0 { xy * slope / yy } else { 1.0 };
        slope.is_finite().then_some(Self { start: y - slope * x, slope, r_squared, points: points.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn points_on_a_line_give_that_line() {
        let line = Line::through(&[[10.0, 7.0], [12.0, 11.0], [17.0, 21.0]]).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-12 && (line.start + 13.0).abs() < 1e-12, "{line:?}");
        assert!((line.r_squared - 1.0).abs() < 1e-12);
    }

    #[test]
    fn points_around_a_line_are_explained_in_part() {
        // By hand: means 1 and 2, sums of squares 2 and 6, of products 3.
        let line = Line::through(&[[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]]).unwrap();
        assert_eq!((line.slope, line.start, line.points), (1.5, 0.5, 3));
        assert!((line.r_squared - 0.75).abs() < 1e-12);
    }

    #[test]
    fn one_place_gives_no_line() {
        assert_eq!(Line::through(&[]), None);
        assert_eq!(Line::through(&[[3.0, 1.0]]), None);
        assert_eq!(Line::through(&[[3.0, 1.0], [3.0, 2.0]]), None);
    }
}
