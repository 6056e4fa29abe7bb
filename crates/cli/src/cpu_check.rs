//! Whether the CPU at hand has what this program was built for.
//!
//! The standard library's `is_x86_feature_detected!` answers from the build's own settings when a
//! feature is compiled in, so the instruction `cpuid` decides here.
#![allow(unsafe_code)]

/// Refuses a CPU or an operating system that lacks an instruction set this program was compiled to
/// use; without it the program would crash with an illegal instruction. The error is a sentence for the
/// user.
///
/// To be called first in `main`, before any code that may hold such instructions. For the same reason
/// everything here is plain arithmetic on single registers, and the error a literal: even moving a
/// `String` may take AVX in a build that has it. `main` should write it with
/// `std::io::stderr().write_all`. On Linux the check happens by itself even before `main`.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn check_cpu() -> Result<(), &'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    macro_rules! require {
        ($($feature:literal: $is_present:expr),* $(,)?) => {$(
            if cfg!(target_feature = $feature) && !$is_present {
                return Err(concat!(
                    "this program was built for a CPU with ",
                    $feature,
                    ", which this CPU or operating system does not support: use the build for any x86-64 CPU, or build it \
                     on this machine\n"
                ));
            }
        )*};
    }

    let bit = |register: u32, bit: u32| register >> bit & 1 == 1;
    let last_leaf = __cpuid(0).eax;
    let leaf_1 = if last_leaf >= 1 { __cpuid(1).ecx } else { 0 };
    let (leaf_7_ebx, leaf_7_ecx, leaf_7_edx, last_part) = if last_leaf >= 7 {
        let leaf = __cpuid_count(7, 0);
        (leaf.ebx, leaf.ecx, leaf.edx, leaf.eax)
    } else {
        (0, 0, 0, 0)
    };
    let leaf_7_1 = if last_part >= 1 { __cpuid_count(7, 1).eax } else { 0 };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The operating system must save the wide registers when it switches between programs; bit 27 means
    // that it reports which.
    let saved = if bit(leaf_1, 27) {
        // SAFETY: bit 27 means that the CPU has the instruction.
        unsafe { _xgetbv(0) }
    } else {
        0
    };
    let saves_avx = saved & 0b110 == 0b110;
    let saves_avx512 = saved & 0b1110_0110 == 0b1110_0110;

    // Features that a compiler uses in plain code unasked; the older ones first, so that the
    // message names the most telling one.
    require! {
        "sse3": bit(leaf_1, 0),
        "ssse3": bit(leaf_1, 9),
        "sse4.1": bit(leaf_1, 19),
        "sse4.2": bit(leaf_1, 20),
        "popcnt": bit(leaf_1, 23),
        "cmpxchg16b": bit(leaf_1, 13),
        "avx": bit(leaf_1, 28) && saves_avx,
        "avx2": bit(leaf_7_ebx, 5) && saves_avx,
        "bmi1": bit(leaf_7_ebx, 3),
        "bmi2": bit(leaf_7_ebx, 8),
        "lzcnt": bit(extended, 5),
        "movbe": bit(leaf_1, 22),
        "fma": bit(leaf_1, 12) && saves_avx,
        "f16c": bit(leaf_1, 29) && saves_avx,
        "sse4a": bit(extended, 6),
        "gfni": bit(leaf_7_ecx, 8),
        "avxvnni": bit(leaf_7_1, 4) && saves_avx,
        "avx512f": bit(leaf_7_ebx, 16) && saves_avx512,
        "avx512dq": bit(leaf_7_ebx, 17) && saves_avx512,
        "avx512ifma": bit(leaf_7_ebx, 21) && saves_avx512,
        "avx512cd": bit(leaf_7_ebx, 28) && saves_avx512,
        "avx512bw": bit(leaf_7_ebx, 30) && saves_avx512,
        "avx512vl": bit(leaf_7_ebx, 31) && saves_avx512,
        "avx512vbmi": bit(leaf_7_ecx, 1) && saves_avx512,
        "avx512vbmi2": bit(leaf_7_ecx, 6) && saves_avx512,
        "avx512vnni": bit(leaf_7_ecx, 11) && saves_avx512,
        "avx512bitalg": bit(leaf_7_ecx, 12) && saves_avx512,
        "avx512vpopcntdq": bit(leaf_7_ecx, 14) && saves_avx512,
        "avx512fp16": bit(leaf_7_edx, 23) && saves_avx512,
        "avx512bf16": bit(leaf_7_1, 5) && saves_avx512,
    }
    Ok(())
}

/// The check before `main`: link-time optimisation compiles the standard library's own start for the
/// same CPU as the program, so that it may fail before `main` begins.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod before_main {
    use std::arch::asm;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static WAS_RUN: AtomicBool = AtomicBool::new(false);

    #[used]
    #[unsafe(link_section = ".init_array")]
    static CHECK: extern "C" fn() = check;

    extern "C" fn check() {
        const WRITE: u64 = 1;
        const EXIT_GROUP: u64 = 231;
        const STANDARD_ERROR: u64 = 2;
        if let Err(message) = super::check_cpu() {
            // SAFETY: the first call reads the message, which is static; the second does not return.
            // Nothing of the standard library can be trusted to run on this CPU.
            unsafe {
                asm!(
                    "syscall",
                    inlateout("rax") WRITE => _,
                    in("rdi") STANDARD_ERROR,
                    in("rsi") message.as_ptr(),
                    in("rdx") message.len(),
                    lateout("rcx") _,
                    lateout("r11") _,
                    options(nostack)
                );
                asm!("syscall", in("rax") EXIT_GROUP, in("rdi") 1, options(noreturn, nostack));
            }
        }
        WAS_RUN.store(true, Ordering::Relaxed);
    }
}

/// Returns whether the check ran before `main`, on systems where it should: detects a linker that removed it.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) const HAPPENS_BEFORE_MAIN: Option<fn() -> bool> =
    Some(|| before_main::WAS_RUN.load(std::sync::atomic::Ordering::Relaxed));
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub(crate) const HAPPENS_BEFORE_MAIN: Option<fn() -> bool> = None;

/// Other architectures are built for their baseline CPU.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn check_cpu() -> Result<(), &'static str> {
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cpu_of_the_test_machine_passes_the_check() {
        assert_eq!(super::check_cpu(), Ok(()));
    }
}
