// Checks of the tests, and scenes that they ask.

#ifndef CHECK_HPP
#define CHECK_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <lanecast.hpp>
#include <string>
#include <vector>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (false)

#ifdef LANECAST_NO_EXCEPTIONS

/// The value of a call that must not fail.
template <class V>
V value(lanecast::Outcome<V>&& outcome) {
  if (!outcome) std::fprintf(stderr, "%s\n", outcome.error().what());
  CHECK(outcome.ok());
  return *std::move(outcome);
}
inline void value(lanecast::Outcome<void>&& outcome) {
  if (!outcome) std::fprintf(stderr, "%s\n", outcome.error().what());
  CHECK(outcome.ok());
}

/// How a call fails that must.
template <class F>
lanecast::Error error_of(F&& call) {
  auto outcome = call();
  CHECK(!outcome);
  CHECK(outcome.result() == outcome.error().result());
  return outcome.error();
}

#else

template <class V>
V value(V&& outcome) {
  return std::forward<V>(outcome);
}

template <class F>
lanecast::Error error_of(F&& call) {
  try {
    static_cast<void>(call());
  } catch (const lanecast::Error& error) {
    return error;
  }
  std::fprintf(stderr, "a call did not fail\n");
  std::exit(1);
}

#endif

/// Does a call without a value, which must not fail.
template <class F>
void done(F&& call) {
#ifdef LANECAST_NO_EXCEPTIONS
  value(call());
#else
  call();
#endif
}

/// Whether a call fails so, with a message that has a text in it.
template <class F>
bool fails(F&& call, lanecast::Result result, const char* text) {
  const lanecast::Error error = error_of(std::forward<F>(call));
  const bool is_so = error.result() == result && std::string(error.what()).find(text) != std::string::npos;
  if (!is_so) std::fprintf(stderr, "%d: %s\n", static_cast<int>(error.result()), error.what());
  return is_so;
}

template <class T>
using Vector = std::array<T, 3>;
using Triangle = std::array<std::uint32_t, 3>;

/// The corners of the cube from -1 to 1, and its faces, whose fronts are outside.
template <class T>
std::vector<Vector<T>> cube_vertices() {
  std::vector<Vector<T>> vertices;
  for (int corner = 0; corner < 8; ++corner) {
    vertices.push_back({T(corner & 1 ? 1 : -1), T(corner & 2 ? 1 : -1), T(corner & 4 ? 1 : -1)});
  }
  return vertices;
}

inline std::vector<Triangle> cube_triangles() {
  return {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
}

template <class T>
lanecast::Scene<T> cube() {
  return value(lanecast::Scene<T>::of_triangles(cube_vertices<T>(), cube_triangles()));
}

/// A ray along +x at the cube, from x = -3.
template <class T>
lanecast::Ray<T> along_x(T y, T z) {
  return {{T(-3), y, z}, {T(1), T(0), T(0)}};
}

#endif
