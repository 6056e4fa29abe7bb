//! Linear least squares by normal equations: enough for a few dozen unknowns.

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
    /// No equations yet, in so many unknowns.
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

    /// The solution with the least squared error; `ridge` times its own squared length is added to that
    /// error, which settles unknowns that the equations leave open.
    pub fn solve(&self, ridge: f64) -> Vec<f64> {
        let n = self.unknowns;
        // Cholesky: products = L L', then forward and back substitution.
        let mut lower = self.products.clone();
        for row in 0..n {
            lower[row * n + row] += ridge;
        }
        for column in 0..n {
            for row in column..n {
                let mut sum = lower[row * n + column];
                for k in 0..column {
                    sum -= lower[row * n + k] * lower[column * n + k];
                }
                lower[row * n + column] =
                    if row == column { sum.max(1e-12).sqrt() } else { sum / lower[column * n + column] };
            }
        }
        let mut solution = self.targets.clone();
        for row in 0..n {
            for k in 0..row {
                solution[row] -= lower[row * n + k] * solution[k];
            }
            solution[row] /= lower[row * n + row];
        }
        for row in (0..n).rev() {
            for k in row + 1..n {
                solution[row] -= lower[k * n + row] * solution[k];
            }
            solution[row] /= lower[row * n + row];
        }
        solution
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
}
