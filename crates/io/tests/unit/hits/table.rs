use super::*;

#[test]
fn ids_keep_their_value_and_none_is_minus_one() {
    assert_eq!([u32::MAX - 1, INVALID_ID].map(primitive_id), [4_294_967_294, -1]);
    assert_eq!([i32::MAX as u32, INVALID_ID].map(signed_id), [i32::MAX, -1]);
}
