//! Reads a health endpoint, and fetches the failure reasons that it withholds.

use futures_util::future::join_all;

use super::client::Client;
use super::failure::RequestFailure;
use super::request::Get;
use aggctl_diagnose::health;

/// The maximum number of failed checks to query for reasons. Servers have about forty checks.
const MAX_CHECKS: usize = 64;

/// The maximum size of a response.
const MAX_BYTES: usize = 1 << 20;

/// Returns the body of an endpoint, with the reason of each failed check. Access to the reasons may
/// be denied even if the endpoint is readable. Then they stay withheld.
pub(super) async fn body(client: &Client, get: &Get) -> Result<String, RequestFailure> {
    let body = client.get_text(get, MAX_BYTES).await?;
    let asking = health::withheld(&body).into_iter().take(MAX_CHECKS).map(|name| async move {
        let path = format!("{}/{name}", get.path);
        let get = Get { path, query: String::new(), ..get.clone() };
        let answer = client.get_text(&get, MAX_BYTES).await.ok()?;
        Some((name, health::reason(&answer)?))
    });
    let reasons: Vec<_> = join_all(asking).await.into_iter().flatten().collect();
    Ok(health::with_reasons(&body, &reasons))
}
