use super::*;

#[test]
fn a_written_header_reads_back_and_ends_on_a_multiple_of_64() {
    for rows in [0, 9, 10, 12_345_678, u64::MAX] {
        let bytes = NpyHeader::of_column("<f4", rows);
        assert_eq!(bytes.len() % 64, 0);
        let header = NpyHeader::read(&FileName::named("x"), &mut &bytes[..]).unwrap();
        let expected =
            NpyHeader { descr: "<f4".to_owned(), fortran_order: false, shape: vec![rows] };
        assert_eq!(header, expected);
    }
}

#[test]
fn a_header_is_read_as_python_reads_it() {
    let expected = NpyHeader { descr: "<f4".to_owned(), fortran_order: true, shape: vec![3, 6] };
    for text in [
        "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 6), }  \n",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 6)}",
        r#" { "shape" :( 3L ,6 , ) ,"fortran_order":True,'descr':"<f4" }"#,
    ] {
        assert_eq!(NpyHeader::parse(text), Ok(expected.clone()), "{text}");
    }
    for (shape, sizes) in [("()", vec![]), ("(7,)", vec![7])] {
        let text = format!("{{'descr': '<f4', 'fortran_order': True, 'shape': {shape}}}");
        assert_eq!(NpyHeader::parse(&text).map(|header| header.shape), Ok(sizes));
    }
}
