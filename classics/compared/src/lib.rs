//! Experiments on several of the classic programs.
