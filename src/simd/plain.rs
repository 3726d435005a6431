//! Plain values as numbers.

/// Implements `Pod` and `Zeroable` for a generic type of numbers: `bytemuck` derives them only for types without parameters.
macro_rules! plain_numbers {
    ($name:ident $(, $d:ident)?) => {
        // SAFETY: the type is `repr(C)` and made of nothing but `T`s: there is no padding, and any
        // bits are a value. `Columns` asserts at compile time that the size is that of its numbers.
        #[expect(unsafe_code, reason = "written once, here, for every such type")]
        unsafe impl<T: $crate::simd::Scalar $(, const $d: usize)?> bytemuck::Zeroable for $name<T $(, $d)?> {}
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "written once, here, for every such type")]
        unsafe impl<T: $crate::simd::Scalar $(, const $d: usize)?> bytemuck::Pod for $name<T $(, $d)?> {}
    };
}

pub(crate) use plain_numbers;
