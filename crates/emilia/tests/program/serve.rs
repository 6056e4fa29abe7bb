//! `emilia serve`: what it says when it starts, and when it cannot.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use crate::run::{fails, start};

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server, and returns it with its first lines up to the one that has these words.
fn started(address: &str, last_words: &str) -> (Server, String) {
    let arguments = ["serve", "--address", address, "--hash", "1", "--threads", "1"];
    let mut server = Server(start(&arguments, Stdio::piped()));
    let mut output = BufReader::new(server.0.stdout.take().expect("its output"));
    let mut said = String::new();
    while !said.contains(last_words) {
        assert_ne!(output.read_line(&mut said).expect("text"), 0, "it has ended: {said}");
    }
    (server, said)
}

#[test]
fn only_this_machine_is_served_unless_another_address_is_given_which_is_explained() {
    let (_server, said) = started("127.0.0.1:0", "Ctrl-C");
    assert!(said.starts_with("Emilia is at http://127.0.0.1:") && said.lines().count() == 1, "{said}");
    let (_server, said) = started("0.0.0.0:0", "encrypted");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Everybody who can reach 0.0.0.0:"), "{said}");
    assert!(words.contains("no passwords, and nothing is encrypted"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("its address").to_string();
    fails(&["serve", "--address", &address], &address);
}
