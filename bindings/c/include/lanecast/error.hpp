// Constants of lanecast.h as enumerations, and how calls fail.

#ifndef LANECAST_ERROR_HPP
#define LANECAST_ERROR_HPP

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "../lanecast.h"

#if !defined(LANECAST_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define LANECAST_NO_EXCEPTIONS
#endif

#ifndef LANECAST_NO_EXCEPTIONS
#include <exception>
#include <stdexcept>
#endif

// Both ways to fail are different libraries to the linker, as the same functions return different types.
#ifdef LANECAST_NO_EXCEPTIONS
#define LANECAST_BEGIN namespace lanecast { inline namespace v0_1_no_exceptions {
#else
#define LANECAST_BEGIN namespace lanecast { inline namespace v0_1 {
#endif
#define LANECAST_END } }

LANECAST_BEGIN

/// What a call came to.
enum class Result : std::int32_t {
  ok = LANECAST_OK,
  invalid_argument = LANECAST_INVALID_ARGUMENT,
  invalid_input = LANECAST_INVALID_INPUT,
  unknown_id = LANECAST_UNKNOWN_ID,
  unanswerable = LANECAST_UNANSWERABLE,
  stopped = LANECAST_STOPPED,
  file_error = LANECAST_FILE_ERROR,
  out_of_resources = LANECAST_OUT_OF_RESOURCES,
  in_use = LANECAST_IN_USE,
  panic = LANECAST_PANIC,
};

/// The status of a row: a ray or point that was not cast says why.
enum class Status : std::uint8_t {
  miss = LANECAST_MISS,
  hit = LANECAST_HIT,
  invalid_origin = LANECAST_INVALID_ORIGIN,
  invalid_direction = LANECAST_INVALID_DIRECTION,
  zero_direction = LANECAST_ZERO_DIRECTION,
  direction_out_of_range = LANECAST_DIRECTION_OUT_OF_RANGE,
  invalid_interval = LANECAST_INVALID_INTERVAL,
  empty_interval = LANECAST_EMPTY_INTERVAL,
};

/// The sides of primitives that rays do not meet.
enum class Culling : std::int32_t { none = LANECAST_CULL_NONE, back = LANECAST_CULL_BACK, front = LANECAST_CULL_FRONT };

/// Which hits of a ray are picked: all, the first of each geometry in each instance, or the first.
enum class PickLimit : std::int32_t {
  all = LANECAST_PICK_ALL,
  one_per_geometry = LANECAST_PICK_ONE_PER_GEOMETRY,
  nearest = LANECAST_PICK_NEAREST
};

/// Which returns of a pulse are kept; of the strongest that are equal the first.
enum class Keep : std::int32_t {
  strongest = LANECAST_KEEP_STRONGEST,
  first = LANECAST_KEEP_FIRST,
  last = LANECAST_KEEP_LAST,
  all = LANECAST_KEEP_ALL
};

/// Which triangles that a ray touches count, where hits are counted or listed.
enum class Contact : std::int32_t { crossing = LANECAST_CONTACT_CROSSING, touch = LANECAST_CONTACT_TOUCH };

/// What is known of the order of rays. No answer depends on it.
enum class Coherence : std::int32_t {
  detect = LANECAST_COHERENCE_DETECT,
  coherent = LANECAST_COHERENT,
  incoherent = LANECAST_INCOHERENT,
};

/// The instructions that are used. No answer depends on it.
enum class Backend : std::int32_t {
  best = LANECAST_BACKEND_BEST,
  portable = LANECAST_BACKEND_PORTABLE,
  avx2 = LANECAST_BACKEND_AVX2,
  avx512 = LANECAST_BACKEND_AVX512,
};

/// The side from which a ray meets a primitive.
enum class Side : std::int32_t { front = LANECAST_FRONT, back = LANECAST_BACK };

/// The effort of building trees.
enum class Quality : std::int32_t {
  balanced = LANECAST_QUALITY_BALANCED,
  fast = LANECAST_QUALITY_FAST,
  high = LANECAST_QUALITY_HIGH,
};

/// A number that is no id.
inline constexpr std::uint32_t invalid_id = LANECAST_INVALID_ID;

/// The version of the library, such as "0.1.0".
inline const char* version() noexcept { return lanecast_version(); }

#ifdef LANECAST_NO_EXCEPTIONS

/// Why a call failed.
class Error {
 public:
  Error(Result result, std::string message) : result_(result), message_(std::move(message)) {}

  Result result() const noexcept { return result_; }
  /// Names the argument and the place.
  const char* what() const noexcept { return message_.c_str(); }

 private:
  Result result_;
  std::string message_;
};

/// What a call returns that may fail: a value, or an error.
template <class V>
class [[nodiscard]] Outcome {
 public:
  Outcome(V value) : value_(std::move(value)) {}
  Outcome(Error error) : error_(std::move(error)) {}

  bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  /// The value. The program ends if there is none.
  V& value() & { return need(), *value_; }
  const V& value() const& { return need(), *value_; }
  V&& value() && { return need(), *std::move(value_); }
  V& operator*() & { return value(); }
  const V& operator*() const& { return value(); }
  V&& operator*() && { return std::move(*this).value(); }
  V* operator->() { return &value(); }
  const V* operator->() const { return &value(); }

  /// The error. The program ends if there is none.
  const Error& error() const {
    if (!error_) std::abort();
    return *error_;
  }
  Result result() const noexcept { return error_ ? error_->result() : Result::ok; }

 private:
  void need() const {
    if (!value_) std::abort();
  }

  std::optional<V> value_;
  std::optional<Error> error_;
};

/// The same for a call without a value.
template <>
class [[nodiscard]] Outcome<void> {
 public:
  Outcome() = default;
  Outcome(Error error) : error_(std::move(error)) {}

  bool ok() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return ok(); }
  const Error& error() const {
    if (!error_) std::abort();
    return *error_;
  }
  Result result() const noexcept { return error_ ? error_->result() : Result::ok; }

 private:
  std::optional<Error> error_;
};

#else

/// Why a call failed. `what` names the argument and the place.
class Error : public std::runtime_error {
 public:
  Error(Result result, const std::string& message) : std::runtime_error(message), result_(result) {}

  Result result() const noexcept { return result_; }

 private:
  Result result_;
};

/// What a call returns that may fail. It throws an `Error`; with LANECAST_NO_EXCEPTIONS this is a class that has a value or
/// an error.
template <class V>
using Outcome = V;

#endif

namespace detail {

/// An error, if a call failed.
using Failure = std::optional<Error>;

/// What the C function came to on this thread.
inline Failure checked(std::int32_t result) {
  if (result >= 0) return std::nullopt;
  return Error(static_cast<Result>(result), lanecast_last_error());
}

inline Failure refused(const std::string& message) { return Error(Result::invalid_argument, message); }

/// Ends a call: throws its error, or returns it or the value.
template <class V>
Outcome<V> finish(Failure&& failure, V&& value) {
  static_assert(!std::is_reference_v<V>);
#ifdef LANECAST_NO_EXCEPTIONS
  if (failure) return *std::move(failure);
#else
  if (failure) throw *std::move(failure);
#endif
  return std::forward<V>(value);
}

inline Outcome<void> finish(Failure&& failure) {
#ifdef LANECAST_NO_EXCEPTIONS
  if (failure) return *std::move(failure);
  return {};
#else
  if (failure) throw *std::move(failure);
#endif
}

/// A handle of C, freed by `Free`.
template <class H, void (*Free)(H*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(H* handle) noexcept : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    Handle(std::move(other)).swap(*this);
    return *this;
  }
  ~Handle() { Free(handle_); }

  void swap(Handle& other) noexcept { std::swap(handle_, other.handle_); }
  H* get() const noexcept { return handle_; }
  /// Where a call writes a handle; there must be none yet.
  H** place() noexcept { return &handle_; }

 private:
  H* handle_ = nullptr;
};

}  // namespace detail

LANECAST_END

#endif
