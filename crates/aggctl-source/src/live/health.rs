//! Reads a health endpoint, and the reasons that it withholds.

use futures_util::future::join_all;

use super::client::Client;
use super::failure::RequestFailure;
use super::request::Get;
use aggctl_diagnose::health;

/// The most failed checks that are asked for their reasons. Servers have about forty checks.
const MAX_CHECKS: usize = 64;

/// The largest answer.
const MAX_BYTES: usize = 1 << 20;

/// Returns the body of an endpoint, with the reason of each failed check. A caller that may read
/// the endpoint may be denied the reasons; they stay withheld then.
pub(super) async fn body(client: &Client, get: &Get) -> Result<String, RequestFailure> {
    let body = client.get_text(get, MAX_BYTES).await?;
    let asking = health::withheld(&body).into_iter().take(MAX_CHECKS).map(|name| async move {
        let path = format!("{}/{name}", get.path);
        let get = Get { path, query: String::new(), ..get.clone() };
        let answer = client.get_text(&get, MAX_BYTES).await.ok()?;
        Some((name, health::reason(&answer)?.to_owned()))
    });
    let reasons: Vec<_> = join_all(asking).await.into_iter().flatten().collect();
    Ok(health::with_reasons(&body, &reasons))
}
