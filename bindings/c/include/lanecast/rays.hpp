// Rays and points that are asked about, and single rays and hits.

#ifndef LANECAST_RAYS_HPP
#define LANECAST_RAYS_HPP

#include <limits>

#include "memory.hpp"

LANECAST_BEGIN

/// A ray. The point at t is origin + t · direction, and hits count from `t_min` to `t_max`, both included.
template <class T>
struct Ray {
  static_assert(is_precision<T>, "float or double");

  std::array<T, 3> origin{};
  std::array<T, 3> direction{};
  T t_min = 0;
  T t_max = std::numeric_limits<T>::infinity();
};

/// A hit of a ray. `u` and `v` are the weights of the second and the third vertex of a triangle.
template <class T>
struct Hit {
  static_assert(is_precision<T>, "float or double");

  T t = std::numeric_limits<T>::infinity();
  T u = 0;
  T v = 0;
  std::uint32_t primitive_id = invalid_id;
  std::uint32_t geometry_id = invalid_id;
  /// `invalid_id` of what is in no instance.
  std::uint32_t instance_id = invalid_id;
};

/// The ids of a primitive.
struct PrimitiveId {
  std::uint32_t primitive_id = invalid_id;
  std::uint32_t geometry_id = invalid_id;
  /// `invalid_id` of what is in no instance.
  std::uint32_t instance_id = invalid_id;
};

namespace detail {

// The library reads and writes these as those of C: single rays and hits are never copied.
template <class T>
using RayOfC = std::conditional_t<std::is_same_v<T, float>, lanecast_ray_f32, lanecast_ray_f64>;
template <class T>
using HitOfC = std::conditional_t<std::is_same_v<T, float>, lanecast_hit_f32, lanecast_hit_f64>;

template <class T>
inline constexpr bool same_layout =
    sizeof(Ray<T>) == sizeof(RayOfC<T>) && offsetof(Ray<T>, direction) == offsetof(RayOfC<T>, direction) &&
    offsetof(Ray<T>, t_min) == offsetof(RayOfC<T>, t_min) && offsetof(Ray<T>, t_max) == offsetof(RayOfC<T>, t_max) &&
    sizeof(Hit<T>) == sizeof(HitOfC<T>) && offsetof(Hit<T>, v) == offsetof(HitOfC<T>, v) &&
    offsetof(Hit<T>, primitive_id) == offsetof(HitOfC<T>, primitive_id) &&
    offsetof(Hit<T>, geometry_id) == offsetof(HitOfC<T>, geometry_id) &&
    offsetof(Hit<T>, instance_id) == offsetof(HitOfC<T>, instance_id);
static_assert(same_layout<float> && same_layout<double>);

template <class T>
const RayOfC<T>* c_ray(const Ray<T>& ray) {
  return static_cast<const RayOfC<T>*>(static_cast<const void*>(&ray));
}
template <class T>
HitOfC<T>* c_hit(Hit<T>& hit) {
  return static_cast<HitOfC<T>*>(static_cast<void*>(&hit));
}

}  // namespace detail

template <class T>
class Maker;

/// Any number of rays, read where they lie: origins and directions as `Vectors`, a vector of `Ray`, or members of structs.
///
///     scene.closest({origins, directions});
///     scene.closest(Rays<float>(beams, &Beam::from, &Beam::along).t_max(beams, &Beam::range));
template <class T>
class Rays {
 public:
  /// One origin each, one direction each; either may be one for all.
  Rays(const Vectors<T>& origins, const Vectors<T>& directions) noexcept : origins_(origins), directions_(directions) {}

  /// A vector, span or array of `Ray`.
  template <class C, std::enable_if_t<std::is_same_v<std::remove_cv_t<detail::ElementOf<const C>>, Ray<T>>, int> = 0>
  Rays(const C& rays) noexcept
      : origins_(rays, &Ray<T>::origin),
        directions_(rays, &Ray<T>::direction),
        t_min_(rays, &Ray<T>::t_min),
        t_max_(rays, &Ray<T>::t_max) {}

  /// Rays that are made while they are cast.
  Rays(const Maker<T>& maker) noexcept : maker_(maker.c()), made_(maker.size()) {}

  /// Two members of structs.
  template <class C, class V, class W, class S, class R, class = detail::IfHolds<const C, S>,
            std::enable_if_t<detail::is_row<V, T, 3> && detail::is_row<W, T, 3>, int> = 0>
  Rays(const C& structs, V S::*origin, W R::*direction) noexcept
      : origins_(structs, origin), directions_(structs, direction) {}

  /// Where hits begin to count, 0 without it: a number for all, a container, or structs and a member.
  template <class... A>
  Rays& t_min(const A&... numbers) {
    t_min_ = Column<T>(numbers...);
    return *this;
  }
  /// Where hits cease to count, infinity without it.
  template <class... A>
  Rays& t_max(const A&... numbers) {
    t_max_ = Column<T>(numbers...);
    return *this;
  }

  /// The number of rays: one if origin and direction are one for all.
  std::size_t size() const noexcept {
    if (maker_) return made_;
    if (!origins_.is_one()) return origins_.size();
    return directions_.is_one() ? 1 : directions_.size();
  }

  /// Whether all columns have as many rows.
  detail::Failure check() const {
    if (origins_.is_unequal() || directions_.is_unequal()) {
      return detail::refused("rays: the columns of vectors are of different lengths");
    }
    if (!maker_ && !directions_.is_one() && directions_.size() != size()) {
      return detail::refused("rays: there are " + std::to_string(size()) + " origins and " +
                             std::to_string(directions_.size()) + " directions");
    }
    if (!t_min_.fits(size()) || !t_max_.fits(size())) {
      return detail::refused("rays: t_min or t_max is not one a ray");
    }
    return std::nullopt;
  }

  /// As C has them, for as long as this exists.
  lanecast_rays c() const noexcept {
    return {sizeof(lanecast_rays), detail::precision<T>, size(), origins_.c(), directions_.c(), t_min_.c(), t_max_.c(), maker_};
  }

 private:
  Vectors<T> origins_, directions_;
  Column<T> t_min_, t_max_;
  const lanecast_maker* maker_ = nullptr;
  std::size_t made_ = 0;
};

namespace detail {

template <class T>
lanecast_points c_points(const Vectors<T>& points) {
  const std::size_t count = points.is_one() ? 1 : points.size();
  return {sizeof(lanecast_points), precision<T>, count, points.c()};
}

}  // namespace detail

/// The points of a regular grid: point (x, y, z) is origin + (x, y, z) · spacing, for x from 0 to `counts[0]` - 1 and so on.
struct Grid {
  std::array<double, 3> origin{};
  std::array<double, 3> spacing{1, 1, 1};
  std::array<std::size_t, 3> counts{};
};

/// A box, a ball or what lies between planes, to ask what overlaps with it.
class Region {
 public:
  static Region box(const std::array<double, 3>& min, const std::array<double, 3>& max) noexcept {
    return Region(LANECAST_REGION_BOX, 6, {min[0], min[1], min[2], max[0], max[1], max[2]});
  }
  static Region sphere(const std::array<double, 3>& center, double radius) noexcept {
    return Region(LANECAST_REGION_SPHERE, 4, {center[0], center[1], center[2], radius, 0, 0});
  }
  /// What is a·x + b·y + c·z + d >= 0 for all planes (a, b, c, d), which are read where they lie.
  static Region planes(const Rows<double, 4>& planes) {
    Region region(LANECAST_REGION_PLANES, 4 * planes.size(), {});
    region.planes_ = static_cast<const double*>(planes.c().data);
    region.is_apart_ = planes.c().stride != 4 * sizeof(double);
    return region;
  }

  lanecast_region kind() const noexcept { return kind_; }
  const double* numbers() const noexcept { return kind_ == LANECAST_REGION_PLANES ? planes_ : own_.data(); }
  std::size_t count() const noexcept { return count_; }
  detail::Failure check() const {
    if (is_apart_) return detail::refused("region: planes must lie side by side");
    return std::nullopt;
  }

 private:
  Region(lanecast_region kind, std::size_t count, const std::array<double, 6>& own) noexcept
      : kind_(kind), count_(count), own_(own) {}

  lanecast_region kind_;
  std::size_t count_;
  std::array<double, 6> own_;
  const double* planes_ = nullptr;
  bool is_apart_ = false;
};

/// Lines from each observer to each target.
template <class T>
class SightLines {
 public:
  SightLines(const Rows<T, 3>& observers, const Rows<T, 3>& targets) noexcept : observers_(observers), targets_(targets) {}

  /// Leaves out a part of each line at both ends: from 0 to below 0.5.
  SightLines& shortened(double part) {
    shortened_ = part;
    return *this;
  }
  /// The primitives on which observers lie, which hide nothing.
  SightLines& observers_on(span<const std::uint32_t> geometry_ids, span<const std::uint32_t> primitive_ids) {
    return on(observer_ids_, observers_.size(), geometry_ids, primitive_ids);
  }
  /// The primitives on which targets lie, which hide nothing.
  SightLines& targets_on(span<const std::uint32_t> geometry_ids, span<const std::uint32_t> primitive_ids) {
    return on(target_ids_, targets_.size(), geometry_ids, primitive_ids);
  }

  std::size_t observers() const noexcept { return observers_.size(); }
  std::size_t targets() const noexcept { return targets_.size(); }
  detail::Failure check() const {
    if (!fits_) return detail::refused("lines: ids are not one for each point");
    return std::nullopt;
  }
  lanecast_sight_lines c() const noexcept {
    return {sizeof(lanecast_sight_lines), detail::precision<T>, observers_.c(), targets_.c(), shortened_,
            observer_ids_[0], observer_ids_[1], target_ids_[0], target_ids_[1]};
  }

 private:
  using Ids = std::array<const std::uint32_t*, 2>;

  SightLines& on(Ids& ids, std::size_t points, span<const std::uint32_t> geometry_ids,
                 span<const std::uint32_t> primitive_ids) {
    ids = {geometry_ids.data(), primitive_ids.data()};
    fits_ = fits_ && geometry_ids.size() == points && primitive_ids.size() == points;
    return *this;
  }

  Rows<T, 3> observers_, targets_;
  double shortened_ = 0;
  Ids observer_ids_{}, target_ids_{};
  bool fits_ = true;
};

LANECAST_END

#endif
