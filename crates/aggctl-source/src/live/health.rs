//! What a health endpoint answers, with the reasons that it withholds.

use futures_util::future::join_all;

use super::client::{Client, Get};
use super::failure::RequestFailure;
use aggctl_diagnose::health;

/// How many failed checks are asked for their reasons: servers have some forty.
const MOST: usize = 64;

/// As much of an answer is read.
const MOST_BYTES: usize = 1 << 20;

/// The body of an endpoint. Each check that failed is asked for its reason; who may ask for the endpoint
/// may not always ask for that, and then it stays withheld.
pub(super) async fn body(client: &Client, get: &Get) -> Result<String, RequestFailure> {
    let body = client.get_text(get, MOST_BYTES).await?;
    let asking = health::withheld(&body).into_iter().take(MOST).map(|name| async move {
        let path = format!("{}/{name}", get.path);
        let get = Get { path, query: String::new(), ..get.clone() };
        let answer = client.get_text(&get, MOST_BYTES).await.ok()?;
        Some((name, health::reason(&answer)?.to_owned()))
    });
    let reasons: Vec<_> = join_all(asking).await.into_iter().flatten().collect();
    Ok(health::with_reasons(&body, &reasons))
}
