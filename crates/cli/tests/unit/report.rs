use super::table;

#[test]
fn columns_are_aligned_and_lines_have_no_trailing_blanks() {
    let rows = [vec!["kind".into(), "rays".into()], vec!["sun".into(), "1,000,000".into()]];
    assert_eq!(table(1, &rows), "kind       rays\nsun   1,000,000\n");
    assert_eq!(table(2, &rows[..1]), "kind  rays\n");
}
