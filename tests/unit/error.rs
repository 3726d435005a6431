use super::{MOST, excerpt, excerpt_of_name};

#[test]
fn an_excerpt_has_200_characters_at_most() {
    for kept in ["", "abc", &"é".repeat(MOST)] {
        assert_eq!(excerpt(kept), kept);
        assert_eq!(excerpt_of_name(kept), kept);
    }
    for length in [MOST + 1, 1 << 20] {
        assert_eq!(excerpt(&"é".repeat(length)), "é".repeat(MOST - 1) + "…");
        let name = "é".repeat(length) + ".ply";
        assert_eq!(excerpt_of_name(&name), format!("…{}.ply", "é".repeat(MOST - 5)));
    }
}
