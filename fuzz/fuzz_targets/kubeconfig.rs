//! Any bytes as a kubeconfig. `cargo fuzz run -s none kubeconfig`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::kubeconfig(bytes));
