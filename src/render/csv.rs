//! CSV for spreadsheets and databases (RFC 4180).

use super::sanitize;

/// Returns a header line and a line per row.
pub(super) fn csv<R: IntoIterator<Item = String>>(
    headers: impl IntoIterator<Item = String>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut text = String::new();
    line(&mut text, headers);
    rows.into_iter().for_each(|row| line(&mut text, row));
    text
}

fn line(text: &mut String, cells: impl IntoIterator<Item = String>) {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        let cell = sanitize(&cell);
        // A spreadsheet would run a cell that looks like a formula.
        let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
        if formula || cell.contains([',', '"']) {
            let mark = if formula { "'" } else { "" };
            text.push_str(&format!("\"{mark}{}\"", cell.replace('"', "\"\"")));
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must() {
        let row = ["a b", "c,d", "e\"f", "=1+1", "-1.5", "\u{1b}[31m\n"].map(str::to_owned);
        let want = "h\na b,\"c,d\",\"e\"\"f\",\"'=1+1\",-1.5,\u{fffd}[31m \n";
        assert_eq!(csv(["h".to_owned()], [row]), want);
    }
}
