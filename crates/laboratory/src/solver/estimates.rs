//! Estimates from samples of numbers that spread over powers of ten: geometric means and growth factors, with the range
//! that contains the true figure with a probability of 95%.

/// The half width of a 95% interval in standard errors, by degrees of freedom from 1 on (Student's t).
const STUDENT: [f64; 9] = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Estimate {
    /// The figure whose logarithm was estimated with this standard error.
    fn of_logarithm(value: f64, error: f64, degrees_of_freedom: usize) -> Self {
        let width = match degrees_of_freedom {
            0 => f64::INFINITY,
            // Beyond the table the approximation is within 1%.
            many => STUDENT.get(many - 1).copied().unwrap_or(1.96 + 2.5 / many as f64) * error,
        };
        Self { value: value.exp(), low: (value - width).exp(), high: (value + width).exp() }
    }

    /// The geometric mean of numbers above zero; `None` if there are none.
    pub(super) fn geometric_mean(numbers: &[f64]) -> Option<Self> {
        let degrees_of_freedom = numbers.len().checked_sub(1)?;
        let count = numbers.len() as f64;
        let mean = numbers.iter().map(|number| number.ln()).sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number.ln() - mean).powi(2)).sum();
        let error = (squares / degrees_of_freedom.max(1) as f64 / count).sqrt();
        Some(Self::of_logarithm(mean, error, degrees_of_freedom))
    }

    /// The ends of the interval with this number of digits, if there is one.
    pub(super) fn interval(&self, digits: usize) -> String {
        let Self { low, high, .. } = self;
        if high.is_finite() { format!("{low:.digits$} to {high:.digits$}") } else { "-".to_owned() }
    }
}

/// Exponential growth: a curve through points whose second coordinates are above zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Growth {
    /// The factor for each unit of the first coordinate.
    pub(super) factor: Estimate,
    center: (f64, f64),
}

impl Growth {
    /// The curve with the least squares of the errors of the logarithm; `None` unless three points determine it.
    pub(super) fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let degrees_of_freedom = points.len().checked_sub(2).filter(|&degrees| degrees > 0)?;
        let count = points.len() as f64;
        let mean = |coordinate: fn(&(f64, f64)) -> f64| points.iter().map(coordinate).sum::<f64>() / count;
        let center @ (x, y) = (mean(|point| point.0), mean(|point| point.1.ln()));
        let width: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        if width <= 0.0 {
            return None;
        }
        let slope = points.iter().map(|point| (point.0 - x) * (point.1.ln() - y)).sum::<f64>() / width;
        let squares: f64 = points.iter().map(|point| (point.1.ln() - y - slope * (point.0 - x)).powi(2)).sum();
        let error = (squares / degrees_of_freedom as f64 / width).sqrt();
        Some(Self { factor: Estimate::of_logarithm(slope, error, degrees_of_freedom), center })
    }

    /// The second coordinate of the curve.
    pub(super) fn at(&self, x: f64) -> f64 {
        (self.center.1 + self.factor.value.ln() * (x - self.center.0)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-9
    }

    #[test]
    fn a_geometric_mean_and_its_interval_are_those_computed_by_hand() {
        // The logarithms are 0, 1 and 2 times ln 10: their deviation is ln 10, their standard error ln 10 / sqrt 3.
        let mean = Estimate::geometric_mean(&[1.0, 10.0, 100.0]).unwrap();
        assert!(is_near(mean.value, 10.0) && is_near(mean.high, 10f64.powf(1.0 + 4.30 / 3f64.sqrt())), "{mean:?}");
        assert!(is_near(mean.low * mean.high, 100.0), "{mean:?}");
        assert_eq!(Estimate::geometric_mean(&[]), None);
        let one = Estimate::geometric_mean(&[7.0]).unwrap();
        assert!(is_near(one.value, 7.0) && one.low == 0.0 && one.high == f64::INFINITY, "{one:?}");
    }

    #[test]
    fn the_growth_of_powers_is_their_base() {
        let powers: Vec<(f64, f64)> = (14..20).map(|x| (f64::from(x), 5.0 * 2.5f64.powi(x))).collect();
        let growth = Growth::fit(&powers).unwrap();
        assert!(is_near(growth.factor.value, 2.5) && is_near(growth.factor.high, 2.5), "{growth:?}");
        assert!(is_near(growth.at(24.0), 5.0 * 2.5f64.powi(24)));
        // Logarithms 0, 1, 0 to the base e above -1, 0, 1: slope 0, squares 2/3, one degree of freedom.
        let growth = Growth::fit(&[(-1.0, 1.0), (0.0, 1f64.exp()), (1.0, 1.0)]).unwrap();
        assert!(is_near(growth.factor.value, 1.0) && is_near(growth.factor.high, (12.71 / 3f64.sqrt()).exp()));
    }

    #[test]
    fn points_that_determine_no_growth_give_none() {
        assert_eq!(Growth::fit(&[(1.0, 1.0), (2.0, 3.0)]), None);
        assert_eq!(Growth::fit(&[(1.0, 1.0), (1.0, 3.0), (1.0, 4.0)]), None);
    }
}
