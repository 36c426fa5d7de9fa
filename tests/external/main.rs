//! Tests that need something outside this repository: kubectl, bash, tar, a network address, or the
//! maintainers' recordings. What a machine lacks is reported as ignored, with the reason.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../serve/client.rs"]
mod client;
#[path = "../harness/decisions.rs"]
mod decisions;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/health.rs"]
mod health;
#[path = "../harness/needs.rs"]
mod needs;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../harness/recorded.rs"]
mod recorded;

mod client_cases;
mod explain_cases;
mod kubectl;
mod network;
mod openapi_index;
mod openapi_merge;
mod pipes;
mod policy;
mod shared;
mod transitions;

use std::process::ExitCode;

use needs::{Need, REQUIRE, runs, tests};

const KUBECTL: Need = Need {
    name: "kubectl",
    hint: "install it (Debian: kubernetes-client), or name it with KUBECTL",
    required_by: REQUIRE,
    is_met: || runs(&kubectl::program(), &["version", "--client"]),
};

const BASH: Need = Need {
    name: "bash",
    hint: "install it",
    required_by: REQUIRE,
    is_met: || runs("bash", &["--version"]),
};

const TAR: Need = Need {
    name: "tar",
    hint: "install it",
    required_by: REQUIRE,
    is_met: || runs("tar", &["--version"]),
};

const NETWORK: Need = Need {
    name: "a network address besides loopback",
    hint: "connect this machine to a network",
    required_by: REQUIRE,
    is_met: || network::reachable().is_some(),
};

const API_SERVER: Need = Need {
    name: "a throwaway API server",
    hint: "AGGCTL_POLICY_KUBECONFIG names its kubeconfig",
    required_by: "AGGCTL_REQUIRE_API_SERVER",
    is_met: || policy::server().is_some(),
};

const SHARED: Need = Need {
    name: "the maintainers' recordings",
    hint: "they are in ../shared, or where AGGCTL_SHARED says",
    required_by: "AGGCTL_REQUIRE_SHARED",
    is_met: || shared::folder("oracle").is_dir(),
};

fn main() -> ExitCode {
    let trials = [
        API_SERVER.of(tests![policy::admission_and_lint_agree]),
        KUBECTL.of(tests![
            kubectl::prints_objects_as_the_server_does,
            kubectl::gets_the_routing_of_the_cluster,
            kubectl::watches_files_change,
            kubectl::connects_over_tls,
            kubectl::sees_injected_faults,
            client_cases::generated_caches_and_servers_agree,
            client_cases::dumps_agree,
        ]),
        BASH.of(tests![pipes::bash_process_substitution_is_read]),
        TAR.of(tests![pipes::tar_unpacks_a_dump]),
        NETWORK.of(tests![network::other_machines_need_tls_and_the_token]),
        SHARED.of(tests![
            shared::authorization_decisions_agree,
            shared::health_is_predicted,
            openapi_index::indexes_have_the_right_publishers,
            openapi_merge::merged_documents_have_the_servers_etag,
            openapi_merge::random_documents_merge_as_on_the_server,
            transitions::what_if_predicts_the_state_after,
            explain_cases::the_cause_is_among_the_first_three,
            explain_cases::answers_are_short_and_harmless,
        ]),
    ];
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}
