//! How well a measure goes together with the score: the figures of Table 4 (Brockington 1997).

/// Two numbers of many positions, and how they go together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    count: f64,
    sums: [f64; 2],
    products: [f64; 3],
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.sums[0] += x;
        self.sums[1] += y;
        self.products[0] += x * x;
        self.products[1] += x * y;
        self.products[2] += y * y;
    }

    /// The correlation of the pairs; 0 if one of the numbers never changed.
    pub fn coefficient(&self) -> f64 {
        let [x, y] = self.sums.map(|sum| sum / self.count.max(1.0));
        let [xx, xy, yy] = self.products.map(|sum| sum / self.count.max(1.0));
        let variance = (xx - x * x) * (yy - y * y);
        if variance > 0.0 { (xy - x * y) / variance.sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correlation_is_the_one_worked_out_by_hand() {
        // (1, 2), (2, 1), (3, 3): covariance 1/3, variances 2/3 each, so one half.
        let mut correlation = Correlation::default();
        [(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)].into_iter().for_each(|(x, y)| correlation.add(x, y));
        assert!((correlation.coefficient() - 0.5).abs() < 1e-12);
        assert_eq!(Correlation::default().coefficient(), 0.0);
    }
}
