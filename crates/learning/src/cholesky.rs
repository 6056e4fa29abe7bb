//! Cholesky factorization of a symmetric positive definite matrix: linear systems, inverse, determinant.

/// The factorization of a matrix into a lower triangular matrix and its transpose.
#[derive(Clone, Debug)]
pub struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factorizes a matrix, given row by row, with `ridge` added to its diagonal; a tiny number replaces a zero pivot.
    pub fn new(matrix: &[f64], size: usize, ridge: f64) -> Self {
        let mut lower = matrix.to_vec();
        for row in 0..size {
            lower[row * size + row] += ridge;
        }
        for column in 0..size {
            for row in column..size {
                let mut sum = lower[row * size + column];
                for k in 0..column {
                    sum -= lower[row * size + k] * lower[column * size + k];
                }
                lower[row * size + column] =
                    if row == column { sum.max(1e-12).sqrt() } else { sum / lower[column * size + column] };
            }
        }
        Self { size, lower }
    }

    /// The solution of `matrix . x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (n, lower) = (self.size, &self.lower);
        let mut solution = right.to_vec();
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

    /// The inverse of the matrix, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let unit = |row: usize| (0..self.size).map(|column| f64::from(u8::from(row == column))).collect::<Vec<_>>();
        (0..self.size).flat_map(|row| self.solve(&unit(row))).collect()
    }

    /// The logarithm of the determinant of the matrix.
    pub fn log_determinant(&self) -> f64 {
        (0..self.size).map(|row| 2.0 * self.lower[row * self.size + row].ln()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_two_rows_is_inverted_as_by_hand() {
        // The determinant of (4 2; 2 3) is 8, its inverse (3 -2; -2 4) / 8.
        let factor = Cholesky::new(&[4.0, 2.0, 2.0, 3.0], 2, 0.0);
        let expected = [0.375, -0.25, -0.25, 0.5];
        assert!(factor.inverse().iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12));
        assert!((factor.log_determinant() - 8f64.ln()).abs() < 1e-12);
        let solution = factor.solve(&[8.0, 8.0]);
        assert!((solution[0] - 1.0).abs() < 1e-12 && (solution[1] - 2.0).abs() < 1e-12, "{solution:?}");
    }
}
