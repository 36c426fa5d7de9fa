//! Tests of names that CRDs request, get and lose.

use super::*;

/// Expects a new CRD to get its names, or to be rejected because this name is in use. Carts exist.
fn check_names(new: Crd, want: Option<&str>) {
    let before = world(vec![kept("shop.test/v1")], vec![established(carts())]);
    let after = apply_crd(&before, new.clone());
    let got = crd_of(&after, &new.name);
    assert_eq!(got.refusal, want.map(|name| format!("{name:?} is already in use")));
    assert_eq!((got.established, got.names_accepted), (want.is_none(), want.is_none()));
}

#[test]
fn names_must_be_free_in_their_space() {
    check_names(crd("goods", "good", "Good", "GoodList", &["g"]), None);
    check_names(crd("goods", "cart", "Good", "GoodList", &[]), Some("cart"));
    check_names(crd("goods", "carts", "Good", "GoodList", &[]), Some("carts"));
    check_names(crd("goods", "good", "Good", "GoodList", &["carts"]), Some("carts"));
    check_names(crd("ca", "good", "Good", "GoodList", &[]), Some("ca"));
    check_names(crd("goods", "good", "Cart", "GoodList", &[]), Some("Cart"));
    check_names(crd("goods", "good", "CartList", "GoodList", &[]), Some("CartList"));
    check_names(crd("goods", "good", "Good", "CartList", &[]), Some("CartList"));
    check_names(crd("goods", "good", "Good", "Cart", &[]), Some("Cart"));
    // Names of resources and of kinds do not conflict with each other.
    check_names(crd("goods", "Cart", "cart", "carts", &[]), None);
}

#[test]
fn of_two_rivals_the_first_in_the_file_wins() {
    let first = crd("zebras", "same", "Zebra", "ZebraList", &[]);
    let second = crd("apes", "same", "Ape", "ApeList", &[]);
    let order = vec![ObjectName::Crd(first.name.clone()), ObjectName::Crd(second.name.clone())];
    let after = apply(&world(vec![], vec![]), &manifests(vec![], vec![second, first], order));
    assert!(crd_of(&after, "zebras.shop.test").established);
    let loser = crd_of(&after, "apes.shop.test");
    assert!(
        !loser.established && loser.accepted.plural == "apes" && loser.accepted.singular.is_empty()
    );
    // Registration does not depend on whether the CRD is established.
    assert!(service(&after, "v1.shop.test").is_some());
}

#[test]
fn names_that_a_refused_crd_got_are_taken() {
    let half = CrdNames {
        singular: String::new(),
        ..crd("goods", "cart", "Good", "GoodList", &[]).requested
    };
    let rival = refused(crd("goods", "cart", "Good", "GoodList", &[]), half);
    let before = world(vec![kept("shop.test/v1")], vec![established(carts()), rival]);
    let new = crd("wares", "ware", "Good", "WareList", &[]);
    let after = apply_crd(&before, new);
    assert_eq!(
        crd_of(&after, "wares.shop.test").refusal.as_deref(),
        Some("\"Good\" is already in use")
    );
}

#[test]
fn a_crd_that_goes_frees_its_names() {
    let waiting = crd("goods", "cart", "Good", "GoodList", &[]);
    let half = CrdNames { singular: String::new(), ..waiting.requested.clone() };
    let before =
        world(vec![kept("shop.test/v1")], vec![established(carts()), refused(waiting, half)]);
    let after = remove(&before, "crd/carts.shop.test");
    assert!(crd_of(&after, "goods.shop.test").established);
    says(&after, "CRD goods.shop.test gets the names that it claims");
    assert!(service(&after, "v1.shop.test").is_some());
}

#[test]
fn an_established_crd_keeps_the_names_that_it_has() {
    let goods = established(crd("goods", "good", "Good", "GoodList", &["g"]));
    let before = world(vec![kept("shop.test/v1")], vec![established(carts()), goods]);
    let new = crd("goods", "good", "Good", "GoodList", &["ca"]);
    let after = apply_crd(&before, new);
    let got = crd_of(&after, "goods.shop.test");
    assert!(got.established && !got.names_accepted);
    assert_eq!(got.short_names, ["g"]);
    says(&after, "CRD goods.shop.test keeps its names");
}
