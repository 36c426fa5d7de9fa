//! Versions for people.

use super::super::answer::Page;
use super::super::table::Table;
use crate::priority::version_words;

/// Versions in order with the reason for each place.
pub(super) fn table(versions: &[String], page: Page) -> String {
    let mut table = Table::new(&["#", "VERSION", "WHY"], page);
    for (index, version) in versions.iter().enumerate() {
        table.row([(index + 1).to_string(), version.clone(), version_words(version)]);
    }
    table.render()
}
