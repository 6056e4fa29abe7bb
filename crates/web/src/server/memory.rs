//! Memory that clients have left behind goes back to the system.
//!
//! The allocator of glibc has a heap for every few threads, and keeps what was freed at its end until there is as much of it as
//! the largest block that it has ever requested from the system separately. The first hash table that is freed makes that 64 MB
//! a heap: after a thousand clients, several hundred unused megabytes. With fixed thresholds,
//! tables go back immediately, and everything else when clients have gone. Other systems need none of this.
#![allow(unsafe_code, reason = "the standard library does not have these functions of the allocator")]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::ffi::c_int;

    // As `malloc.h` has them.
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;

    /// Larger blocks are requested from the system separately, and free memory of this size at the end of a heap goes back.
    const THRESHOLD: c_int = 1 << 20;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
        fn malloc_trim(pad: usize) -> c_int;
    }

    /// Prepares the allocator for clients that come and go.
    pub(crate) fn prepare() {
        // SAFETY: both may be called at any time from any thread, and touch no memory that is in use.
        unsafe {
            mallopt(M_MMAP_THRESHOLD, THRESHOLD);
            mallopt(M_TRIM_THRESHOLD, THRESHOLD);
        }
    }

    /// Returns free memory to the system; that takes some milliseconds if there is much of it.
    pub(crate) fn return_to_system() {
        // SAFETY: as above.
        unsafe {
            malloc_trim(0);
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use glibc::{prepare, return_to_system};

/// There is nothing to prepare.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn prepare() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn return_to_system() {}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::fs;
    use std::hint::black_box;
    use std::thread;

    use super::*;

    fn memory() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches("kB").trim().parse().unwrap()
    }

    /// Allocates as jobs do, in a few parallel threads: fills a table and frees it, then many small blocks.
    fn work() {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    drop(black_box(vec![1_u8; 31 << 20]));
                    let blocks: Vec<_> = (0..400).map(|size| black_box(vec![1_u8; 100_000 + size])).collect();
                    drop(blocks);
                });
            }
        });
    }

    #[test]
    fn what_jobs_have_used_goes_back_to_the_system() {
        prepare();
        let before = memory();
        for _ in 0..4 {
            work();
        }
        return_to_system();
        // Each thread has freed 40 MB of small blocks. Other tests of this process need a little meanwhile.
        let kept = memory().saturating_sub(before);
        assert!(kept < 48 << 10, "{kept} KB are kept");
    }
}
