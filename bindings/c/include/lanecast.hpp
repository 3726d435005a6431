// lanecast for C++17: lanecast.h with handles that free themselves, scenes of float or double that cannot be mixed, and memory
// of the caller read and written where it lies.
//
//     std::vector<glm::vec3> vertices = ...;
//     std::vector<std::array<std::uint32_t, 3>> triangles = ...;
//     auto scene = lanecast::Scene<float>::of_triangles(vertices, triangles);
//     lanecast::Hits<float> hits = scene.closest({origins, directions});
//
// Containers. What takes `Rows`, `Vectors` or `Rays` takes vectors, spans and arrays of std::array, of plain structs that
// begin with x, y and z, of vectors of GLM and Eigen, and members of structs: `RowTraits` in memory.hpp. They are views:
// one that is kept must not outlive its container.
//
// Errors are exceptions of type `lanecast::Error`. With LANECAST_NO_EXCEPTIONS, or where exceptions are switched off, calls
// return an `Outcome` that has a value or an error. Bad rays are no errors: their rows have a `Status`.
//
// Threads. Const functions of scenes may be called by any number of threads at once. Callbacks are called by all threads of
// a call at once.

#ifndef LANECAST_HPP
#define LANECAST_HPP

#include "lanecast/answers.hpp"
#include "lanecast/error.hpp"
#include "lanecast/geometry.hpp"
#include "lanecast/makers.hpp"
#include "lanecast/memory.hpp"
#include "lanecast/options.hpp"
#include "lanecast/rays.hpp"
#include "lanecast/scene.hpp"

#undef LANECAST_BEGIN
#undef LANECAST_END

#endif
