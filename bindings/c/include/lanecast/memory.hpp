// Memory of the caller: rows of numbers, vectors, columns and places for answers, all where they lie.

#ifndef LANECAST_MEMORY_HPP
#define LANECAST_MEMORY_HPP

#include <array>
#include <cstddef>
#include <iterator>
#if defined(__has_include) && __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

#include "error.hpp"

LANECAST_BEGIN

#ifdef __cpp_lib_span
using std::span;
#else
/// A pointer and a length: that of C++20, as far as it is needed here.
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr span() noexcept = default;
  constexpr span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<std::is_convertible_v<
                         std::remove_pointer_t<decltype(std::data(std::declval<C&>()))> (*)[], T (*)[]>>>
  constexpr span(C&& container) : data_(std::data(container)), size_(std::size(container)) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](std::size_t place) const { return data_[place]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

/// Scenes and what goes to them are of `float` or of `double`.
template <class T>
inline constexpr bool is_precision = std::is_same_v<T, float> || std::is_same_v<T, double>;

namespace detail {

template <class T>
inline constexpr lanecast_precision precision = std::is_same_v<T, float> ? LANECAST_F32 : LANECAST_F64;

template <class V>
inline constexpr bool is_number = std::is_arithmetic_v<V> && !std::is_same_v<V, bool>;

/// Where a type is no row of numbers.
struct NoRow {
  using scalar = NoRow*;
  static constexpr std::size_t count = 0;
};

template <class V>
inline constexpr bool is_plain = std::is_standard_layout_v<V> && std::is_trivially_destructible_v<V>;

/// Classes of linear algebra with a fixed size, as those of Eigen.
template <class V, class = void>
struct OfFixedSize : NoRow {};
template <class V>
struct OfFixedSize<V, std::enable_if_t<(V::RowsAtCompileTime > 0 && V::ColsAtCompileTime > 0)>> {
  using scalar = typename V::Scalar;
  static constexpr std::size_t count =
      static_cast<std::size_t>(V::RowsAtCompileTime) * static_cast<std::size_t>(V::ColsAtCompileTime);
  static_assert(sizeof(V) == count * sizeof(scalar), "numbers without gaps");
};

template <class V, class = void>
inline constexpr bool is_algebra = false;
template <class V>
inline constexpr bool is_algebra<V, std::void_t<decltype(V::RowsAtCompileTime), decltype(V::ColsAtCompileTime)>> = true;

/// Structs with an operator [] that gives references to numbers, and nothing but those. What has a size is a container, the
/// numbers of which may lie elsewhere.
template <class V, class = void>
inline constexpr bool has_size = false;
template <class V>
inline constexpr bool has_size<V, std::void_t<decltype(std::declval<const V&>().size())>> = true;

template <class V, class = void>
struct Indexed : NoRow {};
template <class V>
struct Indexed<V, std::enable_if_t<std::is_class_v<V> && is_plain<V> && !has_size<V> &&
                                   std::is_lvalue_reference_v<decltype(std::declval<V&>()[0])> &&
                                   is_number<std::decay_t<decltype(std::declval<V&>()[0])>>>> {
  using scalar = std::decay_t<decltype(std::declval<V&>()[0])>;
  static constexpr std::size_t count = sizeof(V) % sizeof(scalar) == 0 ? sizeof(V) / sizeof(scalar) : 0;
};

/// Structs that begin with x, y and z, side by side, and maybe w.
template <class V, class = void>
inline constexpr bool has_xyz = false;
template <class V>
inline constexpr bool has_xyz<V, std::enable_if_t<is_plain<V> && is_number<decltype(V::x)> &&
                                                  std::is_same_v<decltype(V::x), decltype(V::y)> &&
                                                  std::is_same_v<decltype(V::x), decltype(V::z)>>> =
    offsetof(V, x) == 0 && offsetof(V, y) == sizeof(V::x) && offsetof(V, z) == 2 * sizeof(V::x);

template <class V, class = void>
inline constexpr bool has_w = false;
template <class V>
inline constexpr bool has_w<V, std::enable_if_t<std::is_same_v<decltype(V::x), decltype(V::w)>>> =
    offsetof(V, w) == 3 * sizeof(V::x);

template <class V, class = void>
struct Detected : std::conditional_t<is_algebra<V>, OfFixedSize<V>, Indexed<V>> {};
template <class V>
struct Detected<V, std::enable_if_t<has_xyz<V>>> {
  using scalar = std::decay_t<decltype(V::x)>;
  static constexpr std::size_t count = has_w<V> ? 4 : 3;
  /// What lies behind the numbers that are asked for does not matter.
  static constexpr bool more_may_follow = true;
};
template <class S, std::size_t N>
struct Detected<S[N], std::enable_if_t<is_number<S>>> {
  using scalar = S;
  static constexpr std::size_t count = N;
};
template <class S, std::size_t N>
struct Detected<std::array<S, N>, std::enable_if_t<is_number<S>>> {
  using scalar = S;
  static constexpr std::size_t count = N;
};

}  // namespace detail

/// Says that a type is a row of numbers of type `scalar`, `count` of them side by side from its first byte on. Known are
/// arrays, std::array, structs that begin with x, y, z (and w), structs with an operator [] and nothing but numbers, and
/// vectors of GLM and Eigen. Specialise it for others:
///
///     template <> struct lanecast::RowTraits<Ball> { using scalar = float; static constexpr std::size_t count = 4; };
template <class V>
struct RowTraits : detail::Detected<V> {};

namespace detail {

/// Indices may be of `int`, as those of Eigen are; statuses may be bytes.
template <class A, class B>
inline constexpr bool same_number =
    std::is_same_v<A, B> || (std::is_integral_v<A> && std::is_integral_v<B> && is_number<A> && sizeof(A) == sizeof(B)) ||
    (std::is_same_v<B, Status> && std::is_same_v<A, std::uint8_t>);

template <class Traits, class = void>
inline constexpr bool more_may_follow = false;
template <class Traits>
inline constexpr bool more_may_follow<Traits, std::enable_if_t<Traits::more_may_follow>> = true;

/// Whether a `V` is a row of `N` numbers of type T.
template <class V, class T, std::size_t N>
inline constexpr bool is_row =
    same_number<typename RowTraits<std::remove_cv_t<V>>::scalar, T> &&
    (RowTraits<std::remove_cv_t<V>>::count == N ||
     (RowTraits<std::remove_cv_t<V>>::count > N && more_may_follow<RowTraits<std::remove_cv_t<V>>>));

/// The values of a container, const or not as they can be reached. Matrices are no containers.
template <class C>
using ElementOf = std::enable_if_t<!is_algebra<std::remove_cv_t<std::remove_reference_t<C>>>,
                                   std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>;

/// Members of what a container holds, or of a base.
template <class C, class S>
using IfHolds = std::enable_if_t<std::is_base_of_v<S, std::remove_cv_t<ElementOf<C>>>>;

/// Matrices as those of Eigen whose rows or columns are vectors of `N` numbers.
template <class C, class T, int N, class = void>
inline constexpr bool is_matrix = false;
template <class C, class T, int N>
inline constexpr bool
    is_matrix<C, T, N, std::void_t<decltype(std::declval<const C&>().outerStride()), decltype(C::IsRowMajor)>> =
        same_number<typename C::Scalar, T> && C::InnerStrideAtCompileTime == 1 && (C::IsRowMajor ? int(C::ColsAtCompileTime) : int(C::RowsAtCompileTime)) == N;

/// Those that lie the other way round, each coordinate a column.
template <class C, class T, class = void>
inline constexpr bool is_columns = false;
template <class C, class T>
inline constexpr bool
    is_columns<C, T, std::void_t<decltype(std::declval<const C&>().outerStride()), decltype(C::IsRowMajor)>> =
        std::is_same_v<typename C::Scalar, T> && C::InnerStrideAtCompileTime == 1 && !is_matrix<C, T, 3> &&
        (C::IsRowMajor ? int(C::RowsAtCompileTime) : int(C::ColsAtCompileTime)) == 3;

/// The member of the first of a container, null if it is empty.
template <class C, class V, class S>
auto first_member(C& container, V S::*member) {
  return std::size(container) == 0 ? nullptr : &(std::data(container)->*member);
}

template <class V>
const void* first_number(const V* value) {
  return static_cast<const void*>(value);
}

}  // namespace detail

/// Any number of rows of `N` numbers that lie side by side, such as vertices of a mesh. Neither copied nor kept: the memory
/// must stay for as long as that of the call says.
template <class T, std::size_t N>
class Rows {
 public:
  constexpr Rows() noexcept = default;
  /// Rows `stride` bytes from each other.
  Rows(const T* first, std::size_t count, std::size_t stride = N * sizeof(T)) noexcept : rows_{first, count, stride} {}

  /// A vector, span or array of rows.
  template <class C, std::enable_if_t<detail::is_row<detail::ElementOf<const C>, T, N>, int> = 0>
  Rows(const C& rows) noexcept : rows_{std::data(rows), std::size(rows), sizeof(*std::data(rows))} {}

  /// A member of structs.
  template <class C, class V, class S, class = detail::IfHolds<const C, S>,
            std::enable_if_t<detail::is_row<V, T, N>, int> = 0>
  Rows(const C& structs, V S::*member) noexcept
      : rows_{detail::first_member(structs, member), std::size(structs), sizeof(*std::data(structs))} {}

  /// A matrix of Eigen: (n, N) row by row, or (N, n) column by column.
  template <class M, std::enable_if_t<detail::is_matrix<M, T, int(N)>, int> = 0>
  Rows(const M& matrix) noexcept
      : rows_{matrix.data(), static_cast<std::size_t>(M::IsRowMajor ? matrix.rows() : matrix.cols()),
              static_cast<std::size_t>(matrix.outerStride()) * sizeof(T)} {}

  /// A vector or span of numbers, `N` a row.
  static Rows flat(span<const T> numbers) noexcept { return Rows(numbers.data(), numbers.size() / N); }

  std::size_t size() const noexcept { return rows_.count; }
  /// As C has them.
  const lanecast_rows& c() const noexcept { return rows_; }

 private:
  lanecast_rows rows_{nullptr, 0, N * sizeof(T)};
};

/// Any number of vectors, such as origins of rays: rows of three numbers, members of structs, columns, or one for all.
template <class T>
class Vectors {
  static_assert(is_precision<T>, "float or double");

 public:
  constexpr Vectors() noexcept = default;
  Vectors(const Rows<T, 3>& rows) noexcept : Vectors(rows.c()) {}

  /// A vector, span or array of vectors, or a matrix of Eigen.
  template <class C, std::enable_if_t<std::is_constructible_v<Rows<T, 3>, const C&> && !std::is_same_v<C, Rows<T, 3>>, int> = 0>
  Vectors(const C& vectors) noexcept : Vectors(Rows<T, 3>(vectors).c()) {}

  /// A member of structs that is a vector.
  template <class C, class V, class S, class = detail::IfHolds<const C, S>,
            std::enable_if_t<detail::is_row<V, T, 3>, int> = 0>
  Vectors(const C& structs, V S::*member) noexcept : Vectors(Rows<T, 3>(structs, member).c()) {}

  /// Three members of structs.
  template <class C, class S, class = detail::IfHolds<const C, S>>
  Vectors(const C& structs, T S::*x, T S::*y, T S::*z) noexcept
      : vectors_{detail::first_member(structs, x), detail::first_member(structs, y), detail::first_member(structs, z),
                 sizeof(*std::data(structs))},
        count_(std::size(structs)) {}

  /// A matrix of Eigen that has a column a coordinate: (n, 3) column by column.
  template <class M, std::enable_if_t<detail::is_columns<M, T>, int> = 0, class = void>
  Vectors(const M& matrix) noexcept
      : vectors_{matrix.data(), matrix.data() + matrix.outerStride(), matrix.data() + 2 * matrix.outerStride(), sizeof(T)},
        count_(static_cast<std::size_t>(M::IsRowMajor ? matrix.cols() : matrix.rows())) {}

  /// Three columns of equal length.
  static Vectors columns(span<const T> x, span<const T> y, span<const T> z) noexcept {
    Vectors vectors;
    vectors.vectors_ = {x.data(), y.data(), z.data(), sizeof(T)};
    vectors.is_unequal_ = x.size() != y.size() || y.size() != z.size();
    vectors.count_ = vectors.is_unequal_ ? 0 : x.size();
    return vectors;
  }

  /// The same vector for all rays; it is copied.
  static Vectors all(T x, T y, T z) noexcept {
    Vectors vectors;
    vectors.one_ = {x, y, z};
    vectors.is_one_ = true;
    return vectors;
  }
  template <class V, std::enable_if_t<detail::is_row<V, T, 3>, int> = 0>
  static Vectors all(const V& vector) noexcept {
    const T* numbers = static_cast<const T*>(static_cast<const void*>(&vector));
    return all(numbers[0], numbers[1], numbers[2]);
  }

  /// The number of vectors, 0 for one of all and for columns of unequal lengths, which calls refuse.
  std::size_t size() const noexcept { return count_; }
  bool is_one() const noexcept { return is_one_; }
  bool is_unequal() const noexcept { return is_unequal_; }
  /// As C has them, for as long as this exists.
  lanecast_vectors c() const noexcept {
    return is_one_ ? lanecast_vectors{&one_[0], &one_[1], &one_[2], 0} : vectors_;
  }

 private:
  explicit Vectors(const lanecast_rows& rows) noexcept : count_(rows.count) {
    const T* first = static_cast<const T*>(rows.data);
    if (rows.count > 0) vectors_ = {first, first + 1, first + 2, rows.stride};
  }

  lanecast_vectors vectors_{nullptr, nullptr, nullptr, 0};
  std::size_t count_ = 0;
  std::array<T, 3> one_{};
  bool is_one_ = false, is_unequal_ = false;
};

/// One number a row: a container, a member of structs, or the same for all. None at all is the default.
template <class T>
class Column {
 public:
  constexpr Column() noexcept = default;
  /// The same number for all rows; it is copied.
  Column(T number) noexcept : one_(number), kind_(Kind::one) {}

  template <class C, std::enable_if_t<std::is_same_v<std::remove_cv_t<detail::ElementOf<const C>>, T>, int> = 0>
  Column(const C& numbers) noexcept : column_{std::data(numbers), sizeof(T)}, count_(std::size(numbers)), kind_(Kind::each) {}

  /// A member of structs.
  template <class C, class S, class = detail::IfHolds<const C, S>>
  Column(const C& structs, T S::*member) noexcept
      : column_{detail::first_member(structs, member), sizeof(*std::data(structs))},
        count_(std::size(structs)),
        kind_(Kind::each) {}

  /// Whether it goes with so many rows.
  bool fits(std::size_t rows) const noexcept { return kind_ != Kind::each || count_ == rows; }
  std::size_t size() const noexcept { return count_; }
  /// As C has it, for as long as this exists.
  lanecast_column c() const noexcept {
    if (kind_ == Kind::one) return {&one_, 0};
    return count_ == 0 ? lanecast_column{nullptr, 0} : column_;
  }

 private:
  enum class Kind { none, one, each };

  lanecast_column column_{nullptr, 0};
  std::size_t count_ = 0;
  T one_{};
  Kind kind_ = Kind::none;
};

/// Places for answers of `N` numbers a row: a container of the caller, or a member of its structs.
template <class T, std::size_t N = 1>
class Answers {
 public:
  constexpr Answers() noexcept = default;
  Answers(T* first, std::size_t count, std::size_t stride = N * sizeof(T)) noexcept
      : answers_{first, stride}, count_(count) {}

  /// A vector, span or array.
  template <class C, class V = detail::ElementOf<C>, std::enable_if_t<!std::is_const_v<V>, int> = 0,
            std::enable_if_t<(N == 1 && detail::same_number<V, T>) || detail::is_row<V, T, N>, int> = 0>
  Answers(C&& places) noexcept : answers_{std::data(places), sizeof(V)}, count_(std::size(places)) {}

  /// A member of structs.
  template <class C, class V, class S, class = detail::IfHolds<C, S>,
            std::enable_if_t<!std::is_const_v<detail::ElementOf<C>>, int> = 0,
            std::enable_if_t<(N == 1 && detail::same_number<V, T>) || detail::is_row<V, T, N>, int> = 0>
  Answers(C&& structs, V S::*member) noexcept
      : answers_{detail::first_member(structs, member), sizeof(*std::data(structs))}, count_(std::size(structs)) {}

  std::size_t size() const noexcept { return count_; }
  const lanecast_answers& c() const noexcept { return answers_; }

 private:
  lanecast_answers answers_{nullptr, 0};
  std::size_t count_ = 0;
};

/// A map from the frame of a placed scene to that of the scene around it: three rows of four numbers.
struct Transform {
  std::array<double, 12> rows{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  static Transform translation(double x, double y, double z) { return {{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}}; }

  /// Of a matrix whose element in row r and column c is `matrix(r, c)`, as in Eigen.
  template <class M>
  static Transform of_matrix(const M& matrix) {
    Transform made;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        made.rows[static_cast<std::size_t>(4 * row + column)] = static_cast<double>(matrix(row, column));
      }
    }
    return made;
  }

  /// Of a matrix whose element in row r and column c is `matrix[c][r]`, as in GLM.
  template <class M>
  static Transform of_columns(const M& matrix) {
    Transform made;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        made.rows[static_cast<std::size_t>(4 * row + column)] = static_cast<double>(matrix[column][row]);
      }
    }
    return made;
  }
};

namespace detail {

/// Iterates over what gives values by a number.
template <class L>
class Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::decay_t<decltype(std::declval<const L&>()[std::size_t{}])>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = value_type;

  Iterator() = default;
  Iterator(const L& list, std::size_t place) : list_(&list), place_(place) {}
  value_type operator*() const { return (*list_)[place_]; }
  Iterator& operator++() { return ++place_, *this; }
  Iterator operator++(int) {
    Iterator before = *this;
    ++place_;
    return before;
  }
  bool operator==(const Iterator& other) const { return place_ == other.place_; }
  bool operator!=(const Iterator& other) const { return place_ != other.place_; }

 private:
  const L* list_ = nullptr;
  std::size_t place_ = 0;
};

/// A number of a column of the library.
template <class V>
const V& number(const lanecast_column& column, std::size_t row) {
  const char* first = static_cast<const char*>(column.data);
  return *static_cast<const V*>(static_cast<const void*>(first + row * column.stride));
}

}  // namespace detail

LANECAST_END

#endif
