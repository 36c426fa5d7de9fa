//! Versions for people.

use super::super::sanitise::sanitise;
use super::VersionAnswer;

pub(super) fn text(answer: &VersionAnswer<'_>) -> String {
    let embedded: Vec<String> = answer.embedded.iter().map(ToString::to_string).collect();
    let server = match answer.server {
        Some(version) => format!("server:    {}\n", sanitise(version)),
        None => String::new(),
    };
    format!("aggctl:    {}\nbuilt in:  Kubernetes {}\n{server}", answer.client, embedded.join(", "))
}
