// Content of scenes: meshes, boxes, spheres and others, and shapes of the caller.

#ifndef LANECAST_GEOMETRY_HPP
#define LANECAST_GEOMETRY_HPP

#include <memory>

#include "rays.hpp"

LANECAST_BEGIN

/// A box by its least and its greatest corner.
template <class T>
struct Box {
  std::array<T, 3> min, max;
};

/// A box by its center, three orthonormal axes, and half extents along those.
template <class T>
struct OrientedBox {
  std::array<T, 3> center;
  std::array<T, 3> axis_x, axis_y, axis_z;
  std::array<T, 3> half_extents;
};

/// A ball's surface.
template <class T>
struct Sphere {
  std::array<T, 3> center;
  T radius;
};

/// The hull of two balls.
template <class T>
struct RoundCone {
  std::array<T, 3> center_a, center_b;
  T radius_a, radius_b;
};

/// A capped cylinder by the centers of its caps.
template <class T>
struct Cylinder {
  std::array<T, 3> cap_a, cap_b;
  T radius;
};

namespace detail {

template <class V, class T, std::size_t N>
struct NumbersOf {
  using scalar = T;
  static constexpr std::size_t count = N;
  static_assert(sizeof(V) == N * sizeof(T), "numbers without gaps");
};

}  // namespace detail

template <class T>
struct RowTraits<Box<T>> : detail::NumbersOf<Box<T>, T, 6> {};
template <class T>
struct RowTraits<OrientedBox<T>> : detail::NumbersOf<OrientedBox<T>, T, 15> {};
template <class T>
struct RowTraits<Sphere<T>> : detail::NumbersOf<Sphere<T>, T, 4> {};
template <class T>
struct RowTraits<RoundCone<T>> : detail::NumbersOf<RoundCone<T>, T, 8> {};
template <class T>
struct RowTraits<Cylinder<T>> : detail::NumbersOf<Cylinder<T>, T, 7> {};

/// A point of a primitive of the caller: `t`, `u`, `v` and `normal[3]` where a line meets it; `point[3]`, `u`, `v` and
/// `normal[3]` where it is closest.
using SurfacePoint = lanecast_surface_point;

namespace detail {

template <class P, class = void>
inline constexpr bool has_nearest = false;
template <class P>
inline constexpr bool has_nearest<
    P, std::void_t<decltype(std::declval<const P&>().nearest(
           std::uint32_t{}, std::declval<const std::array<double, 3>&>(), std::declval<const Transform&>()))>> = true;

template <class P, class = void>
inline constexpr bool has_is_closed = false;
template <class P>
inline constexpr bool has_is_closed<P, std::void_t<decltype(std::declval<const P&>().is_closed())>> = true;

/// A callable of the caller as functions of C. A throw would have to pass through Rust, and ends the program instead.
template <class F>
double call_distance(void* user, const double* point) noexcept {
  return static_cast<double>((*static_cast<const F*>(user))(std::array<double, 3>{point[0], point[1], point[2]}));
}

template <class P>
void call_bounds(void* user, std::uint32_t primitive_id, double* bounds) noexcept {
  const Box<double> box = static_cast<const P*>(user)->bounds(primitive_id);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds[axis] = box.min[axis];
    bounds[axis + 3] = box.max[axis];
  }
}

template <class P>
void call_intersect(void* user, std::uint32_t primitive_id, const double* ray, lanecast_meet meet, void* context) noexcept {
  const Ray<double> line{{ray[0], ray[1], ray[2]}, {ray[3], ray[4], ray[5]}, ray[6], ray[7]};
  static_cast<const P*>(user)->intersect(primitive_id, line, [=](const SurfacePoint& point) { meet(context, &point); });
}

template <class P>
bool call_nearest(void* user, std::uint32_t primitive_id, const double* point, const double* placed,
                  SurfacePoint* nearest) noexcept {
  Transform transform;
  for (std::size_t place = 0; place < 12; ++place) transform.rows[place] = placed[place];
  const std::optional<SurfacePoint> found =
      static_cast<const P*>(user)->nearest(primitive_id, std::array<double, 3>{point[0], point[1], point[2]}, transform);
  if (found) *nearest = *found;
  return found.has_value();
}

}  // namespace detail

namespace detail {

/// Containers that a call would outlive, as it only keeps where their rows lie: not spans, and not what is already a view.
template <class C>
inline constexpr bool is_temporary = !std::is_reference_v<C> && !std::is_trivially_destructible_v<C>;

}  // namespace detail

/// Content for scenes. Meshes are read where they lie whenever the geometry is given to a scene: their vertices and indices
/// must stay until the last such call has returned. All else is copied.
template <class T>
class Geometry {
  static_assert(is_precision<T>, "float or double");

 public:
  /// A mesh of triangles. Its fronts are where vertices run counter-clockwise.
  static Outcome<Geometry> triangles(const Rows<T, 3>& vertices, const Rows<std::uint32_t, 3>& triangles) {
    return made([&](auto place) { return lanecast_triangles(detail::precision<T>, vertices.c(), triangles.c(), place); });
  }
  /// A mesh whose vertices `Scene::refit` moves.
  static Outcome<Geometry> deformable_triangles(const Rows<T, 3>& vertices, const Rows<std::uint32_t, 3>& triangles) {
    return made([&](auto place) {
      return lanecast_deformable_triangles(detail::precision<T>, vertices.c(), triangles.c(), place);
    });
  }
  /// A mesh of quads. Quad q of vertices a, b, c, d has the primitive ids 2q (a, b, d) and 2q + 1 (c, d, b).
  static Outcome<Geometry> quads(const Rows<T, 3>& vertices, const Rows<std::uint32_t, 4>& quads) {
    return made([&](auto place) { return lanecast_quads(detail::precision<T>, vertices.c(), quads.c(), place); });
  }
  /// Temporary containers would be gone when the scene is built.
  template <class V, class I, std::enable_if_t<detail::is_temporary<V> || detail::is_temporary<I>, int> = 0>
  static Outcome<Geometry> triangles(V&& vertices, I&& triangles) = delete;
  template <class V, class I, std::enable_if_t<detail::is_temporary<V> || detail::is_temporary<I>, int> = 0>
  static Outcome<Geometry> deformable_triangles(V&& vertices, I&& triangles) = delete;
  template <class V, class I, std::enable_if_t<detail::is_temporary<V> || detail::is_temporary<I>, int> = 0>
  static Outcome<Geometry> quads(V&& vertices, I&& quads) = delete;

  /// `Box`, or six numbers each.
  static Outcome<Geometry> boxes(const Rows<T, 6>& boxes) {
    return made([&](auto place) { return lanecast_boxes(detail::precision<T>, boxes.c(), place); });
  }
  /// `OrientedBox`, or fifteen numbers each.
  static Outcome<Geometry> oriented_boxes(const Rows<T, 15>& boxes) {
    return made([&](auto place) { return lanecast_oriented_boxes(detail::precision<T>, boxes.c(), place); });
  }
  /// `Sphere`, or four numbers each.
  static Outcome<Geometry> spheres(const Rows<T, 4>& spheres) {
    return made([&](auto place) { return lanecast_spheres(detail::precision<T>, spheres.c(), place); });
  }
  /// `RoundCone`, or eight numbers each.
  static Outcome<Geometry> round_cones(const Rows<T, 8>& round_cones) {
    return made([&](auto place) { return lanecast_round_cones(detail::precision<T>, round_cones.c(), place); });
  }
  /// `Cylinder`, or seven numbers each.
  static Outcome<Geometry> cylinders(const Rows<T, 7>& cylinders) {
    return made([&](auto place) { return lanecast_cylinders(detail::precision<T>, cylinders.c(), place); });
  }

  /// Heights over a regular grid, row by row along x: vertex (row, column) is (origin[0] + column · spacing[0],
  /// origin[1] + row · spacing[1], height). A height that is NaN is a hole.
  static Outcome<Geometry> height_field(span<const T> heights, std::size_t rows, std::size_t columns,
                                        const std::array<double, 2>& origin, const std::array<double, 2>& spacing) {
    if (columns == 0 ? heights.size() != 0 : heights.size() % columns != 0 || heights.size() / columns != rows) {
      return detail::finish(detail::refused("heights: there are " + std::to_string(heights.size()) + ", not " +
                                            std::to_string(rows) + " rows of " + std::to_string(columns)),
                            Geometry());
    }
    return made([&](auto place) {
      return lanecast_height_field(detail::precision<T>, heights.data(), rows, columns, origin.data(), spacing.data(), place);
    });
  }

  /// The solid where `distance(const std::array<double, 3>& point)` is negative, within a box. The function changes by at
  /// most `lipschitz` times the way between two points, and a line meets the surface where it is below `tolerance`. It is
  /// called by all threads at once and must not throw: that ends the program.
  template <class F>
  static Outcome<Geometry> signed_distance_field(F&& distance, const Box<double>& bounds, double lipschitz,
                                                 double tolerance) {
    using Kept = std::decay_t<F>;
    static_assert(std::is_invocable_r_v<double, const Kept&, const std::array<double, 3>&>, "double(point), const");
    auto kept = std::make_shared<Kept>(std::forward<F>(distance));
    const std::array<double, 6> corners{bounds.min[0], bounds.min[1], bounds.min[2],
                                        bounds.max[0], bounds.max[1], bounds.max[2]};
    return made(
        [&](auto place) {
          return lanecast_signed_distance_field(detail::precision<T>, detail::call_distance<Kept>, kept.get(),
                                                corners.data(), lipschitz, tolerance, place);
        },
        kept);
  }

  /// Shapes of the caller, by an object with these functions, all of them const. They are called by all threads at once, give
  /// the same answer each time, and must not throw: that ends the program.
  ///
  ///     std::size_t count() const;
  ///     Box<double> bounds(std::uint32_t primitive_id) const;
  ///     // Calls meet(const SurfacePoint&) wherever the line of the ray meets the primitive, in any order.
  ///     template <class M> void intersect(std::uint32_t primitive_id, const Ray<double>& ray, M meet) const;
  ///     // May be missing. `placed` carries the primitive to the frame of the point and of the answer.
  ///     std::optional<SurfacePoint> nearest(std::uint32_t primitive_id, const std::array<double, 3>& point,
  ///                                         const Transform& placed) const;
  ///     // May be missing: whether lines meet each primitive as often from its front as from its back.
  ///     bool is_closed() const;
  template <class P>
  static Outcome<Geometry> own_primitives(P&& primitives) {
    using Kept = std::decay_t<P>;
    auto kept = std::make_shared<Kept>(std::forward<P>(primitives));
    lanecast_primitives c{};
    c.size = sizeof c;
    c.count = static_cast<const Kept&>(*kept).count();
    c.user = kept.get();
    c.bounds = detail::call_bounds<Kept>;
    c.intersect = detail::call_intersect<Kept>;
    if constexpr (detail::has_nearest<Kept>) c.nearest = detail::call_nearest<Kept>;
    if constexpr (detail::has_is_closed<Kept>) c.is_closed = static_cast<const Kept&>(*kept).is_closed();
    return made([&](auto place) { return lanecast_own_primitives(detail::precision<T>, &c, place); }, kept);
  }

  const lanecast_geometry* c() const noexcept { return handle_.get(); }
  /// What callbacks need, which scenes keep; null if there are none.
  const std::shared_ptr<const void>& kept() const noexcept { return kept_; }

 private:
  Geometry() = default;

  template <class F>
  static Outcome<Geometry> made(F&& make, std::shared_ptr<const void> kept = nullptr) {
    Geometry geometry;
    geometry.kept_ = std::move(kept);
    auto failure = detail::checked(make(geometry.handle_.place()));
    return detail::finish(std::move(failure), std::move(geometry));
  }

  // Freed last.
  std::shared_ptr<const void> kept_;
  detail::Handle<lanecast_geometry, lanecast_geometry_free> handle_;
};

LANECAST_END

#endif
