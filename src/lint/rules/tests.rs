use super::ALL;

#[test]
fn the_table_is_sorted() {
    for pair in ALL.windows(2) {
        assert!(pair[0].name < pair[1].name, "{} comes before {}", pair[1].name, pair[0].name);
    }
}
