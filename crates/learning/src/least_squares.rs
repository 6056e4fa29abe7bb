//! Linear least squares by normal equations, for a few dozen unknowns.

use crate::cholesky::Cholesky;

/// Equations collected one by one; only their sums are kept.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    unknowns: usize,
    /// Sums of products of coefficients, row by row.
    products: Vec<f64>,
    /// Sums of coefficient times right-hand side.
    targets: Vec<f64>,
}

impl LeastSquares {
    /// No equations yet, with this number of unknowns.
    pub fn new(unknowns: usize) -> Self {
        Self { unknowns, products: vec![0.0; unknowns * unknowns], targets: vec![0.0; unknowns] }
    }

    /// Adds the equation `coefficients . x = target`.
    pub fn add(&mut self, coefficients: &[f64], target: f64) {
        for (row, &left) in coefficients.iter().enumerate() {
            for (column, &right) in coefficients.iter().enumerate() {
                self.products[row * self.unknowns + column] += left * right;
            }
            self.targets[row] += left * target;
        }
    }

    /// Adds an equation with sparse coefficients, each with the index of its unknown; an index may occur several times.
    pub fn add_sparse(&mut self, coefficients: &[(usize, f64)], target: f64) {
        for &(row, left) in coefficients {
            for &(column, right) in coefficients {
                self.products[row * self.unknowns + column] += left * right;
            }
            self.targets[row] += left * target;
        }
    }

    /// Adds all equations of another system with the same unknowns.
    pub fn merge(&mut self, other: &Self) {
        self.products.iter_mut().zip(&other.products).for_each(|(sum, part)| *sum += part);
        self.targets.iter_mut().zip(&other.targets).for_each(|(sum, part)| *sum += part);
    }

    /// The system for the remaining unknowns when this one is known.
    #[must_use]
    pub fn with_known(&self, unknown: usize, value: f64) -> Self {
        let (n, mut rest) = (self.unknowns, self.clone());
        for row in 0..n {
            rest.targets[row] -= self.products[row * n + unknown] * value;
            rest.products[row * n + unknown] = 0.0;
            rest.products[unknown * n + row] = 0.0;
        }
        rest.products[unknown * n + unknown] = 1.0;
        rest.targets[unknown] = value;
        rest
    }

    /// The least-squares solution; `ridge` times its squared length is added, which determines unknowns left open.
    pub fn solve(&self, ridge: f64) -> Vec<f64> {
        Cholesky::new(&self.products, self.unknowns, ridge).solve(&self.targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_three_points_is_found_as_by_hand() {
        // y = a + b x through (0, 1), (1, 2), (2, 4): by hand a = 5/6, b = 3/2.
        let mut equations = LeastSquares::new(2);
        for (x, y) in [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)] {
            equations.add(&[1.0, x], y);
        }
        let solution = equations.solve(0.0);
        assert!((solution[0] - 5.0 / 6.0).abs() < 1e-9 && (solution[1] - 1.5).abs() < 1e-9, "{solution:?}");
    }
    #[test]
    fn fixing_one_unknown_leaves_the_problem_for_the_others() {
        // The same three points with a = 1: by hand b = ((2 - 1) 1 + (4 - 1) 2) / (1 + 4) = 7/5.
        let (mut first, mut rest) = (LeastSquares::new(2), LeastSquares::new(2));
        first.add(&[1.0, 0.0], 1.0);
        rest.add(&[1.0, 1.0], 2.0);
        rest.add_sparse(&[(1, 1.5), (0, 1.0), (1, 0.5)], 4.0);
        first.merge(&rest);
        let solution = first.with_known(0, 1.0).solve(0.0);
        assert!((solution[0] - 1.0).abs() < 1e-9 && (solution[1] - 1.4).abs() < 1e-9, "{solution:?}");
        let free = first.solve(0.0);
        assert!((free[0] - 5.0 / 6.0).abs() < 1e-9 && (free[1] - 1.5).abs() < 1e-9, "{free:?}");
    }
}
