use super::*;
use crate::random::Random;

const SIDE: usize = 256;

/// Random numbers from -1 to 1.
fn numbers() -> impl FnMut() -> f32 {
    let mut random = Random::new(1);
    move || random.between(-1.0, 1.0)
}

fn rays(mut ray: impl FnMut(usize) -> Ray) -> Vec<Ray> {
    (0..SIDE * SIDE).map(&mut ray).collect()
}

fn is_missing_in(rays: &[Ray]) -> bool {
    is_missing(&RayBatch::from_rays(rays))
}

fn camera(row: usize) -> Ray {
    let [x, y] = [row % SIDE, row / SIDE].map(|step| step as f32 / SIDE as f32 - 0.5);
    Ray::new([0.0, 0.0, 5.0], [x, y, -1.0])
}

#[test]
fn random_rays_have_no_order_even_with_constant_components() {
    let mut next = numbers();
    assert!(is_missing_in(&rays(|_| Ray::new([next(), next(), next()], [next(), next(), next()]))));
    assert!(is_missing_in(&rays(|_| Ray::new([next(), next(), 3.0], [0.0, 0.0, -1.0]))));
    let shuffled = rays(|row| camera(row.wrapping_mul(0x9e37_79b1) % (SIDE * SIDE)));
    assert!(is_missing_in(&shuffled));
}

#[test]
fn pictures_and_rays_from_what_they_show_have_an_order() {
    let mut next = numbers();
    assert!(!is_missing_in(&rays(camera)));
    // Diffuse: from where the rays of a picture meet a plane, in any direction upwards.
    let diffuse = rays(|row| {
        let Ray { direction: [x, y, _], .. } = camera(row);
        Ray::new([5.0 * x, 5.0 * y, 0.0], [next(), next(), 1.0])
    });
    assert!(!is_missing_in(&diffuse));
    assert!(!is_missing_in(&rays(|_| Ray::new([0.0; 3], [0.0, 0.0, 1.0]))));
    // Too few for it to matter.
    assert!(!is_missing_in(&rays(|_| Ray::new([0.0; 3], [next(), next(), 1.0]))[..1000]));
}
