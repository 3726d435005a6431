use super::start_of_run;

#[test]
fn only_rows_that_follow_each_other_are_a_run() {
    assert_eq!(start_of_run(&[5, 6, 7, 8, 9, 10, 11, 12]), Some(5));
    assert_eq!(start_of_run(&[5, 512, 513, 514, 515, 516, 517, 12]), None);
    assert_eq!(start_of_run(&[5, 6, 7, 8, 9, 11, 10, 12]), None);
    assert_eq!(start_of_run(&[5, 6, 7, 8, 9, 10, 11, 13]), None);
}
