//! Fetching memory into the cache before it is needed.
#![allow(unsafe_code)]

/// Starts to fetch what a reference refers to into the cache, where the CPU has an instruction for it. A program that
/// fetches several places before it reads the first of them waits only once.
#[inline(always)]
pub fn prefetch<T>(memory: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has the instruction. It does not change anything but the cache.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(memory).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}
