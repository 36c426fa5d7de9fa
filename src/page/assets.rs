//! The HTML, CSS and JavaScript of the page.

use super::response::PageResponse;

pub(super) const HTML: &str = include_str!("index.html");
pub(super) const STYLE: &str = include_str!("page.css");
/// One module in several files, which share their names.
pub(super) const SCRIPT: &str = concat!(
    include_str!("script/dom.js"),
    include_str!("script/ask.js"),
    include_str!("script/state.js"),
    include_str!("script/picture.js"),
    include_str!("script/request.js"),
    include_str!("script/services.js"),
    include_str!("script/details.js"),
    include_str!("script/changes.js"),
    include_str!("script/servers.js"),
    include_str!("script/views.js"),
    include_str!("script/export.js"),
    include_str!("script/theme.js"),
    include_str!("script/main.js"),
);
const ICON: &str = include_str!("icon.svg");

/// The header that limits the page to its own scripts, styles and requests.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the file of that name.
pub(super) fn asset(name: &str) -> Option<PageResponse> {
    let (content_type, body) = match name {
        "" => ("text/html; charset=utf-8", HTML),
        "page.css" => ("text/css; charset=utf-8", STYLE),
        "page.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => return None,
    };
    Some(PageResponse { status: 200, content_type, body: body.into() })
}
