// Answers: columns that are owned, columns and members of the caller, and lists.

#ifndef LANECAST_ANSWERS_HPP
#define LANECAST_ANSWERS_HPP

#include <memory>
#include <vector>

#include "rays.hpp"

LANECAST_BEGIN

namespace detail {

/// Counts the rows of places that are set one after another.
template <class Self, class C>
class Places {
 public:
  std::size_t size() const noexcept { return count_; }
  /// As C has them, for a call of so many rows.
  const C* c(std::size_t rows) noexcept {
    c_.count = is_set_ ? count_ : rows;
    return &c_;
  }
  Failure check() const {
    if (unequal_) return refused(std::string("answers: ") + unequal_ + " has not as many rows as the other columns");
    return std::nullopt;
  }

 protected:
  Places() noexcept { c_.size = sizeof c_; }

  template <class T, std::size_t N>
  Self& set(const char* name, lanecast_answers& place, const Answers<T, N>& answers) noexcept {
    place = answers.c();
    if (is_set_ && count_ != answers.size()) unequal_ = name;
    count_ = answers.size();
    is_set_ = true;
    return static_cast<Self&>(*this);
  }

  C c_{};

 private:
  std::size_t count_ = 0;
  bool is_set_ = false;
  const char* unequal_ = nullptr;
};

}  // namespace detail

/// Where hits are written: for each column that is wanted a container, or structs and a member. `status` takes `Status` or
/// `std::uint8_t`, ids 32-bit integers, `t`, `u` and `v` the scene's T, and `normal` vectors of three T.
///
///     scene.closest_into(rays, HitColumns<float>().t(pixels, &Pixel::depth).primitive_id(ids));
template <class T>
class HitColumns : public detail::Places<HitColumns<T>, lanecast_hits> {
 public:
  template <class... A>
  HitColumns& status(A&&... places) {
    return this->set("status", this->c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& t(A&&... places) {
    return this->set("t", this->c_.t, Answers<T>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& primitive_id(A&&... places) {
    return this->set("primitive_id", this->c_.primitive_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& geometry_id(A&&... places) {
    return this->set("geometry_id", this->c_.geometry_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& instance_id(A&&... places) {
    return this->set("instance_id", this->c_.instance_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& u(A&&... places) {
    return this->set("u", this->c_.u, Answers<T>(std::forward<A>(places)...));
  }
  template <class... A>
  HitColumns& v(A&&... places) {
    return this->set("v", this->c_.v, Answers<T>(std::forward<A>(places)...));
  }
  /// (v1 - v0) x (v2 - v0) of triangles, not of unit length.
  template <class... A>
  HitColumns& normal(A&&... places) {
    return this->set("normal", this->c_.normal, Answers<T, 3>(std::forward<A>(places)...));
  }
};

/// Hits, a row a ray, in columns of their own. Rays that hit nothing have `Status::miss`, infinite `t` and `invalid_id`.
template <class T>
struct Hits {
  std::vector<Status> status;
  std::vector<T> t;
  std::vector<std::uint32_t> primitive_id;
  std::vector<std::uint32_t> geometry_id;
  std::vector<std::uint32_t> instance_id;
  std::vector<T> u;
  std::vector<T> v;
  /// Empty unless `with_normals` is set before the call.
  std::vector<std::array<T, 3>> normal;
  bool with_normals = false;

  std::size_t size() const noexcept { return status.size(); }
  bool is_hit(std::size_t row) const { return status[row] == Status::hit; }
  Hit<T> operator[](std::size_t row) const {
    return {t[row], u[row], v[row], primitive_id[row], geometry_id[row], instance_id[row]};
  }

  void resize(std::size_t rows) {
    status.resize(rows);
    t.resize(rows);
    primitive_id.resize(rows);
    geometry_id.resize(rows);
    instance_id.resize(rows);
    u.resize(rows);
    v.resize(rows);
    normal.resize(with_normals ? rows : 0);
  }

  /// All of them as places for answers.
  HitColumns<T> columns() {
    HitColumns<T> columns;
    columns.status(status).t(t).primitive_id(primitive_id).geometry_id(geometry_id).instance_id(instance_id).u(u).v(v);
    if (with_normals) columns.normal(normal);
    return columns;
  }
};

/// The hits nearest to the origin of each line on either side.
template <class T>
struct LineHits {
  Hits<T> ahead, behind;

  std::size_t size() const noexcept { return ahead.size(); }
  void resize(std::size_t rows) {
    ahead.resize(rows);
    behind.resize(rows);
  }
};

/// Where points and normals of hits are written: `status`, and all else as vectors of three T.
template <class T>
class SurfaceColumns : public detail::Places<SurfaceColumns<T>, lanecast_surface> {
 public:
  template <class... A>
  SurfaceColumns& status(A&&... places) {
    return this->set("status", this->c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  SurfaceColumns& point(A&&... places) {
    return this->set("point", this->c_.point, Answers<T, 3>(std::forward<A>(places)...));
  }
  template <class... A>
  SurfaceColumns& geometric_normal(A&&... places) {
    return this->set("geometric_normal", this->c_.geometric_normal, Answers<T, 3>(std::forward<A>(places)...));
  }
  template <class... A>
  SurfaceColumns& shading_normal(A&&... places) {
    return this->set("shading_normal", this->c_.shading_normal, Answers<T, 3>(std::forward<A>(places)...));
  }
};

/// Points and normals of hits, a row a ray. The shading normal is interpolated between the normals of vertices, and geometric
/// where there are none.
template <class T>
struct Surface {
  std::vector<Status> status;
  std::vector<std::array<T, 3>> point, geometric_normal, shading_normal;

  std::size_t size() const noexcept { return status.size(); }
  void resize(std::size_t rows) {
    status.resize(rows);
    for (auto* column : {&point, &geometric_normal, &shading_normal}) column->resize(rows);
  }
  SurfaceColumns<T> columns() {
    return SurfaceColumns<T>().status(status).point(point).geometric_normal(geometric_normal).shading_normal(shading_normal);
  }
};

/// Where numbers of hits are written: `status`, and `hits` as 32-bit integers.
class CountColumns : public detail::Places<CountColumns, lanecast_counts> {
 public:
  template <class... A>
  CountColumns& status(A&&... places) {
    return set("status", c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  CountColumns& hits(A&&... places) {
    return set("hits", c_.hits, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
};

/// Numbers of hits, a row a ray.
struct Counts {
  std::vector<Status> status;
  std::vector<std::uint32_t> hits;

  std::size_t size() const noexcept { return status.size(); }
  void resize(std::size_t rows) {
    status.resize(rows);
    hits.resize(rows);
  }
  CountColumns columns() { return CountColumns().status(status).hits(hits); }
};

/// Where costs are written: `status`, and all else as 32-bit integers.
class CostColumns : public detail::Places<CostColumns, lanecast_costs> {
 public:
  template <class... A>
  CostColumns& status(A&&... places) {
    return set("status", c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  CostColumns& nodes(A&&... places) {
    return set("nodes", c_.nodes, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  CostColumns& boxes(A&&... places) {
    return set("boxes", c_.boxes, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  CostColumns& leaves(A&&... places) {
    return set("leaves", c_.leaves, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  CostColumns& primitives(A&&... places) {
    return set("primitives", c_.primitives, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
};

/// Costs, a row a ray: tests of nodes and boxes in those, of leaves and primitives in those.
struct Costs {
  std::vector<Status> status;
  std::vector<std::uint32_t> nodes, boxes, leaves, primitives;

  std::size_t size() const noexcept { return status.size(); }
  void resize(std::size_t rows) {
    status.resize(rows);
    for (auto* column : {&nodes, &boxes, &leaves, &primitives}) column->resize(rows);
  }
  CostColumns columns() {
    return CostColumns().status(status).nodes(nodes).boxes(boxes).leaves(leaves).primitives(primitives);
  }
};

/// Where closest points are written: as `HitColumns`, with `distance` of T and `point` and `normal` of three T.
template <class T>
class ClosestPointColumns : public detail::Places<ClosestPointColumns<T>, lanecast_closest_points> {
 public:
  template <class... A>
  ClosestPointColumns& status(A&&... places) {
    return this->set("status", this->c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& distance(A&&... places) {
    return this->set("distance", this->c_.distance, Answers<T>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& point(A&&... places) {
    return this->set("point", this->c_.point, Answers<T, 3>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& primitive_id(A&&... places) {
    return this->set("primitive_id", this->c_.primitive_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& geometry_id(A&&... places) {
    return this->set("geometry_id", this->c_.geometry_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& instance_id(A&&... places) {
    return this->set("instance_id", this->c_.instance_id, Answers<std::uint32_t>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& u(A&&... places) {
    return this->set("u", this->c_.u, Answers<T>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& v(A&&... places) {
    return this->set("v", this->c_.v, Answers<T>(std::forward<A>(places)...));
  }
  template <class... A>
  ClosestPointColumns& normal(A&&... places) {
    return this->set("normal", this->c_.normal, Answers<T, 3>(std::forward<A>(places)...));
  }
};

/// Closest points, a row a point. Those without any within the radius have `Status::miss`.
template <class T>
struct ClosestPoints {
  std::vector<Status> status;
  std::vector<T> distance;
  std::vector<std::array<T, 3>> point;
  std::vector<std::uint32_t> primitive_id, geometry_id, instance_id;
  std::vector<T> u, v;
  /// Empty unless `with_normals` is set before the call.
  std::vector<std::array<T, 3>> normal;
  bool with_normals = false;

  std::size_t size() const noexcept { return status.size(); }
  bool is_hit(std::size_t row) const { return status[row] == Status::hit; }
  void resize(std::size_t rows) {
    status.resize(rows);
    point.resize(rows);
    for (auto* column : {&distance, &u, &v}) column->resize(rows);
    for (auto* column : {&primitive_id, &geometry_id, &instance_id}) column->resize(rows);
    normal.resize(with_normals ? rows : 0);
  }
  ClosestPointColumns<T> columns() {
    ClosestPointColumns<T> columns;
    columns.status(status).distance(distance).point(point).u(u).v(v);
    columns.primitive_id(primitive_id).geometry_id(geometry_id).instance_id(instance_id);
    if (with_normals) columns.normal(normal);
    return columns;
  }
};

/// Where one number a point is written: distances of the scene's T, windings of `std::int32_t` or `float`.
template <class V>
class ValueColumns : public detail::Places<ValueColumns<V>, lanecast_values> {
 public:
  template <class... A>
  ValueColumns& status(A&&... places) {
    return this->set("status", this->c_.status, Answers<Status>(std::forward<A>(places)...));
  }
  template <class... A>
  ValueColumns& value(A&&... places) {
    return this->set("value", this->c_.value, Answers<V>(std::forward<A>(places)...));
  }
};

/// One number a point.
template <class V>
struct Values {
  std::vector<Status> status;
  std::vector<V> value;

  std::size_t size() const noexcept { return status.size(); }
  void resize(std::size_t rows) {
    status.resize(rows);
    value.resize(rows);
  }
  ValueColumns<V> columns() { return ValueColumns<V>().status(status).value(value); }
};

/// The hits of one ray, nearest first. Valid for as long as the lists exist.
template <class T>
class HitList {
 public:
  HitList(const lanecast_hit_lists_view& view, std::size_t begin, std::size_t end) noexcept
      : view_(&view), begin_(begin), size_(end - begin) {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  Hit<T> operator[](std::size_t place) const {
    const std::size_t row = begin_ + place;
    return {detail::number<T>(view_->t, row),
            detail::number<T>(view_->u, row),
            detail::number<T>(view_->v, row),
            detail::number<std::uint32_t>(view_->primitive_id, row),
            detail::number<std::uint32_t>(view_->geometry_id, row),
            detail::number<std::uint32_t>(view_->instance_id, row)};
  }
  detail::Iterator<HitList> begin() const { return {*this, 0}; }
  detail::Iterator<HitList> end() const { return {*this, size_}; }

 private:
  const lanecast_hit_lists_view* view_;
  std::size_t begin_, size_;
};

/// A point of a surface near a point.
template <class T>
struct NearPoint {
  T distance;
  std::array<T, 3> point;
  T u, v;
  std::uint32_t primitive_id, geometry_id, instance_id;
};

/// The points near one point, nearest first. Valid for as long as the lists exist.
template <class T>
class PointList {
 public:
  PointList(const lanecast_point_lists_view& view, std::size_t begin, std::size_t end) noexcept
      : view_(&view), begin_(begin), size_(end - begin) {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  NearPoint<T> operator[](std::size_t place) const {
    const std::size_t row = begin_ + place;
    const T* point = &detail::number<T>(view_->point, row);
    return {detail::number<T>(view_->distance, row),
            {point[0], point[1], point[2]},
            detail::number<T>(view_->u, row),
            detail::number<T>(view_->v, row),
            detail::number<std::uint32_t>(view_->primitive_id, row),
            detail::number<std::uint32_t>(view_->geometry_id, row),
            detail::number<std::uint32_t>(view_->instance_id, row)};
  }
  detail::Iterator<PointList> begin() const { return {*this, 0}; }
  detail::Iterator<PointList> end() const { return {*this, size_}; }

 private:
  const lanecast_point_lists_view* view_;
  std::size_t begin_, size_;
};

/// What a scanner measures of a pulse.
template <class T>
struct Return {
  /// Along the axis of the pulse, and the point there.
  T distance;
  std::array<T, 3> point;
  /// Which of the returns that are received it is, from 1, and how many these are: more than are kept, perhaps.
  std::uint32_t number, count;
  /// What the hit with the greatest part in it met.
  std::uint32_t primitive_id, geometry_id, instance_id;
};

/// The returns of one pulse, nearest first before noise. Valid for as long as the lists exist.
template <class T>
class ReturnList {
 public:
  ReturnList(const lanecast_return_lists_view& view, std::size_t begin, std::size_t end) noexcept
      : view_(&view), begin_(begin), size_(end - begin) {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  Return<T> operator[](std::size_t place) const {
    const std::size_t row = begin_ + place;
    const T* point = &detail::number<T>(view_->point, row);
    return {detail::number<T>(view_->distance, row),
            {point[0], point[1], point[2]},
            detail::number<std::uint32_t>(view_->number, row),
            detail::number<std::uint32_t>(view_->count, row),
            detail::number<std::uint32_t>(view_->primitive_id, row),
            detail::number<std::uint32_t>(view_->geometry_id, row),
            detail::number<std::uint32_t>(view_->instance_id, row)};
  }
  detail::Iterator<ReturnList> begin() const { return {*this, 0}; }
  detail::Iterator<ReturnList> end() const { return {*this, size_}; }

 private:
  const lanecast_return_lists_view* view_;
  std::size_t begin_, size_;
};

/// A hit with points and normals in both frames, and the instances around it, outermost first. Normals have length 1, or are
/// zero where a primitive has none.
struct Pick {
  Hit<double> hit;
  std::array<double, 3> point, normal, local_point, local_normal;
  std::vector<std::uint32_t> instance_path;
};

namespace detail {

inline std::array<double, 3> vector_of(const double (&numbers)[3]) { return {numbers[0], numbers[1], numbers[2]}; }

/// The picks of a list.
inline Failure picks_of(const lanecast_picks* list, std::vector<Pick>& picks) {
  lanecast_picks_view view{};
  auto failure = checked(lanecast_picks_get(list, &view));
  for (std::size_t row = 0; !failure && row < view.count; ++row) {
    const lanecast_pick& pick = view.picks[row];
    picks.push_back({{pick.hit.t, pick.hit.u, pick.hit.v, pick.hit.primitive_id, pick.hit.geometry_id, pick.hit.instance_id},
                     vector_of(pick.point), vector_of(pick.normal), vector_of(pick.local_point), vector_of(pick.local_normal),
                     std::vector<std::uint32_t>(pick.instance_path, pick.instance_path + pick.depth)});
  }
  return failure;
}

/// Lists that the library made, a list a row.
template <class H, class View, class List, lanecast_result (*Get)(const H*, View*), void (*Free)(H*)>
class Lists {
 public:
  /// The number of rays or points.
  std::size_t size() const noexcept { return view_ ? view_->rows : 0; }
  /// The list of a row.
  List operator[](std::size_t row) const { return List(*view_, view_->offsets[row], view_->offsets[row + 1]); }
  Status status(std::size_t row) const { return statuses()[row]; }
  span<const Status> statuses() const noexcept {
    return {view_ ? static_cast<const Status*>(static_cast<const void*>(view_->status)) : nullptr, size()};
  }
  /// As C has them: all columns.
  const View& view() const noexcept { return *view_; }
  /// Whether there are none: these were made by nothing, or moved away.
  bool is_empty() const noexcept { return !view_; }

  Iterator<Lists> begin() const { return {*this, 0}; }
  Iterator<Lists> end() const { return {*this, size()}; }

 protected:
  /// Makes them by a call that gets a place for the handle.
  template <class F>
  Failure fill(F&& call) {
    if (auto failure = call(handle_.place())) return failure;
    view_ = std::make_unique<View>();
    return checked(Get(handle_.get(), view_.get()));
  }

 private:
  Handle<H, Free> handle_;
  // By itself, so that lists stay where they are when this is moved.
  std::unique_ptr<View> view_;
};

}  // namespace detail

/// A list of hits for each ray.
template <class T>
class HitLists : public detail::Lists<lanecast_hit_lists, lanecast_hit_lists_view, HitList<T>, lanecast_hit_lists_get,
                                      lanecast_hit_lists_free> {
 public:
  /// The number of hits of all rays.
  std::size_t hits() const noexcept { return this->is_empty() ? 0 : this->view().hits; }

 private:
  template <class>
  friend class Scene;
};

/// A list of points of surfaces for each point.
template <class T>
class PointLists : public detail::Lists<lanecast_point_lists, lanecast_point_lists_view, PointList<T>,
                                        lanecast_point_lists_get, lanecast_point_lists_free> {
 public:
  /// The number of points of all lists.
  std::size_t points() const noexcept { return this->is_empty() ? 0 : this->view().points; }

 private:
  template <class>
  friend class Scene;
};

/// A list of returns for each pulse. What they say of a row is said of a pulse, but statuses are those of rays.
template <class T>
class ReturnLists : public detail::Lists<lanecast_return_lists, lanecast_return_lists_view, ReturnList<T>,
                                         lanecast_return_lists_get, lanecast_return_lists_free> {
 public:
  /// The number of returns of all pulses.
  std::size_t returns() const noexcept { return this->is_empty() ? 0 : this->view().returns; }
  /// Of rays, of which a pulse has one or many.
  span<const Status> statuses() const noexcept {
    if (this->is_empty()) return {nullptr, 0};
    return {static_cast<const Status*>(static_cast<const void*>(this->view().status)), this->view().rays};
  }
  Status status(std::size_t ray) const { return statuses()[ray]; }

 private:
  template <class>
  friend class Scene;
};

/// Which targets each observer sees.
class Visibility {
 public:
  Visibility() = default;
  Visibility(std::size_t observers, std::size_t targets)
      : observers_(observers), targets_(targets), words_(observers * ((targets + 63) / 64)) {}

  std::size_t observers() const noexcept { return observers_; }
  std::size_t targets() const noexcept { return targets_; }
  bool sees(std::size_t observer, std::size_t target) const {
    return (words_[observer * ((targets_ + 63) / 64) + target / 64] >> (target % 64) & 1) != 0;
  }
  /// Target t of observer o is bit t % 64 of word o · ((targets + 63) / 64) + t / 64.
  span<std::uint64_t> words() noexcept { return {words_.data(), words_.size()}; }
  span<const std::uint64_t> words() const noexcept { return {words_.data(), words_.size()}; }

 private:
  std::size_t observers_ = 0, targets_ = 0;
  std::vector<std::uint64_t> words_;
};

LANECAST_END

#endif
