//! Size of chunks: as many items as a worker does in about ten seconds.

/// The time that a chunk should take. Half and double of it are fine: workers differ.
pub(crate) const CHUNK_SECONDS: f64 = 10.0;

/// The size of the results of a chunk in bytes, at most.
const RESULT_BYTES: f64 = 400_000.0;

/// Maximum growth of a chunk over the largest one so far, as a factor.
const GROWTH: u64 = 8;

/// The weight of a new measurement.
const NEW: f64 = 0.3;

/// Measures the speed of items, and derives the size of chunks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pace {
    fixed: Option<u64>,
    seconds: Option<f64>,
    bytes: f64,
    largest: u64,
}

impl Pace {
    /// No measurements yet; or chunks of a fixed size.
    pub(crate) fn new(fixed: Option<u64>) -> Self {
        Self { fixed, seconds: None, bytes: 1.0, largest: 0 }
    }

    /// Items that took this long, with results of this length.
    pub(crate) fn measured(&mut self, items: u64, seconds: f64, bytes: usize) {
        let each = seconds / items.max(1) as f64;
        self.seconds = Some(self.seconds.map_or(each, |before| before + NEW * (each - before)));
        self.bytes = self.bytes.max(bytes as f64 / items.max(1) as f64);
        self.largest = self.largest.max(items);
    }

    /// The number of items of the next chunk, with this many left and this many workers.
    pub(crate) fn size(&self, left: u64, workers: u64) -> u64 {
        if let Some(fixed) = self.fixed {
            return fixed.max(1);
        }
        let Some(seconds) = self.seconds else { return 1 };
        let wanted = (CHUNK_SECONDS / seconds.max(1e-9)).min(RESULT_BYTES / self.bytes).max(1.0) as u64;
        // The last chunks are small, so that all workers end at about the same time.
        let fair = left.div_ceil(2 * workers.max(1));
        wanted.min(self.largest.max(1).saturating_mul(GROWTH)).min(fair.max(1)).min(crate::message::MAX_ITEMS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_grow_until_they_take_ten_seconds_and_shrink_at_the_end() {
        let mut pace = Pace::new(None);
        let mut sizes = Vec::new();
        for _ in 0..6 {
            let size = pace.size(1_000_000, 4);
            sizes.push(size);
            pace.measured(size, size as f64 * 0.01, size as usize * 100);
        }
        assert_eq!(sizes, [1, 8, 64, 512, 1000, 1000]);
        assert_eq!(pace.size(800, 4), 100);
        assert_eq!(pace.size(3, 4), 1);
        // Slower items make smaller chunks, large results too.
        (0..50).for_each(|_| pace.measured(10, 50.0, 1000));
        assert_eq!(pace.size(1_000_000, 4), 2);
        pace.measured(1, 0.001, 500_000);
        (0..50).for_each(|_| pace.measured(10, 0.001, 1000));
        assert_eq!(pace.size(1_000_000, 4), 1);
        assert_eq!(Pace::new(Some(7)).size(1, 100), 7);
    }
}
