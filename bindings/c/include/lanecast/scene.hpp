// Scenes: built, changed, asked, saved and opened.

#ifndef LANECAST_SCENE_HPP
#define LANECAST_SCENE_HPP

#include <map>
#include <variant>

#include "answers.hpp"
#include "geometry.hpp"
#include "makers.hpp"
#include "options.hpp"

LANECAST_BEGIN

template <class T>
class Scene;

/// A scene that is placed in another.
template <class T>
struct Instance {
  const Scene<T>* scene;
  Transform transform;
};

/// New vertices of a deformable mesh, all of them.
template <class T>
struct MovedMesh {
  std::uint32_t geometry_id;
  Rows<T, 3> vertices;
};

/// The normals at the vertices of a mesh, for `Scene::locate`.
template <class T>
struct VertexNormals {
  std::uint32_t geometry_id;
  /// The triangles with which the mesh was given.
  Rows<std::uint32_t, 3> triangles;
  /// A normal for each vertex, of any length.
  Rows<T, 3> normals;
  /// The scene that has the mesh: that of the call if null, or one that is placed in it.
  const Scene<T>* scene = nullptr;
};

/// What a scene is made of.
struct SceneFacts {
  /// Geometries that are there; ids of those that were removed are free.
  std::size_t geometry_count;
  /// Triangles, and primitives of all kinds, of the scene itself.
  std::size_t triangle_count, primitive_count;
  std::size_t instance_count;
  /// Instances, and instances in instances again for each: ids in answers are below.
  std::uint32_t instance_id_count;
  /// Infinite the other way round if there is nothing.
  Box<double> bounds;
};

namespace detail {

/// Primitives that a query found, copied out of the library.
inline Failure primitives_of(lanecast_primitive_list* list, std::vector<PrimitiveId>& primitives) {
  const Handle<lanecast_primitive_list, lanecast_primitive_list_free> handle(list);
  lanecast_primitive_list_view view{};
  if (auto failure = checked(lanecast_primitive_list_get(list, &view))) return failure;
  primitives.reserve(view.count);
  for (std::size_t row = 0; row < view.count; ++row) {
    primitives.push_back({number<std::uint32_t>(view.primitive_id, row), number<std::uint32_t>(view.geometry_id, row),
                          number<std::uint32_t>(view.instance_id, row)});
  }
  return std::nullopt;
}

/// Nobody watches.
struct NoWatch {};

/// Runs a call that takes a watcher and its user.
template <class W, class F>
Failure watched(const W& watch, F&& call) {
  if constexpr (std::is_same_v<W, NoWatch>) {
    return checked(call(lanecast_watch{}, nullptr));
  } else {
    static_assert(is_watch<W>, "a watcher takes (std::size_t done, std::size_t total), and is const");
    Call hearing(const_cast<W*>(&watch), nullptr);
    return hearing.end(call(lanecast_watch{&Call::watch<W>}, &hearing));
  }
}

}  // namespace detail

/// A scene of `float` or `double`. Const functions may be called by any number of threads at once; one that changes the scene
/// must be the only one that uses it.
template <class T>
class Scene {
  static_assert(is_precision<T>, "float or double");

 public:
  /// Collects content and builds a scene. Geometries get ids 0, 1 and so on in their order, and instances numbers in theirs.
  /// What is added must stay until `build` has returned.
  class Builder {
   public:
    Builder& geometry(const Geometry<T>& geometry) {
      geometries_.push_back(&geometry);
      return *this;
    }
    /// Places a scene, which may be freed afterwards but no longer changed.
    Builder& instance(const Scene& scene, const Transform& transform) {
      instances_.push_back({&scene, transform});
      return *this;
    }

    Outcome<Scene> build(const BuildOptions& options = {}) const {
      Scene scene;
      std::vector<const lanecast_geometry*> geometries;
      for (const Geometry<T>* geometry : geometries_) geometries.push_back(geometry->c());
      const auto instances = c_instances({instances_.data(), instances_.size()});
      auto failure = options.call([&](const lanecast_build_options* c) {
        return lanecast_build(detail::precision<T>, geometries.data(), geometries.size(), instances.data(), instances.size(),
                              c, scene.handle_.place());
      });
      if (!failure) {
        for (std::size_t id = 0; id < geometries_.size(); ++id) scene.keep(std::uint32_t(id), *geometries_[id]);
        for (std::size_t number = 0; number < instances_.size(); ++number) {
          scene.keep(std::uint32_t(number), instances_[number]);
        }
      }
      return detail::finish(std::move(failure), std::move(scene));
    }

   private:
    std::vector<const Geometry<T>*> geometries_;
    std::vector<Instance<T>> instances_;
  };

  /// Builds a scene of one geometry.
  static Outcome<Scene> build(const Geometry<T>& geometry, const BuildOptions& options = {}) {
    return Builder().geometry(geometry).build(options);
  }
  /// Builds a scene of many, by a vector, span or array of `Geometry`.
  template <class C, std::enable_if_t<std::is_same_v<std::remove_cv_t<detail::ElementOf<const C>>, Geometry<T>>, int> = 0>
  static Outcome<Scene> build(const C& geometries, const BuildOptions& options = {}) {
    Builder builder;
    for (const Geometry<T>& geometry : geometries) builder.geometry(geometry);
    return builder.build(options);
  }
  /// Builds a scene of one mesh of triangles.
  static Outcome<Scene> of_triangles(const Rows<T, 3>& vertices, const Rows<std::uint32_t, 3>& triangles,
                                     const BuildOptions& options = {}) {
    auto geometry = Geometry<T>::triangles(vertices, triangles);
#ifdef LANECAST_NO_EXCEPTIONS
    if (!geometry) return geometry.error();
    return build(*geometry, options);
#else
    return build(geometry, options);
#endif
  }

  /// Opens a scene file by mapping it into memory. The file must not be changed in its place while the scene exists; to
  /// replace it by renaming is safe. Paths are in UTF-8. A file of the other precision is an error; `open_scene` takes either.
  /// A watcher hears of bytes.
  template <class W = detail::NoWatch>
  static Outcome<Scene> open(const std::string& path, const W& watch = {}) {
    return opened(path, [&](lanecast_scene** scene) {
      return detail::watched(watch, [&](lanecast_watch function, void* user) {
        return lanecast_open(path.c_str(), function, user, scene);
      });
    });
  }
  /// A scene of the bytes of a scene file, which are copied.
  template <class W = detail::NoWatch>
  static Outcome<Scene> from_bytes(span<const std::uint8_t> bytes, const W& watch = {}) {
    return opened("bytes", [&](lanecast_scene** scene) {
      return detail::watched(watch, [&](lanecast_watch function, void* user) {
        return lanecast_from_bytes(bytes.data(), bytes.size(), function, user, scene);
      });
    });
  }

  Scene(Scene&&) noexcept = default;
  Scene& operator=(Scene&&) noexcept = default;

  /// Copies a scene, so that one can be changed while the other is asked. Of the options threads and watcher count.
  Outcome<Scene> copy(const BuildOptions& options = {}) const {
    Scene scene;
    scene.kept_geometries_ = kept_geometries_;
    scene.kept_instances_ = kept_instances_;
    auto failure = options.call(
        [&](const lanecast_build_options* c) { return lanecast_copy(handle_.get(), c, scene.handle_.place()); });
    return detail::finish(std::move(failure), std::move(scene));
  }

  const lanecast_scene* c() const noexcept { return handle_.get(); }
  lanecast_scene* c() noexcept { return handle_.get(); }

  // --- What it is made of ---

  Outcome<SceneFacts> facts() const {
    lanecast_scene_facts c{};
    auto failure = read(c);
    const double* b = c.bounds;
    return detail::finish(std::move(failure),
                          SceneFacts{c.geometry_count, c.triangle_count, c.primitive_count, c.instance_count,
                                     c.instance_id_count, {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}}});
  }
  Outcome<std::uint32_t> mask(std::uint32_t geometry_id) const {
    std::uint32_t mask = 0;
    auto failure = detail::checked(lanecast_scene_get_geometry(c(), geometry_id, &mask, nullptr));
    return detail::finish(std::move(failure), std::move(mask));
  }
  /// The number that a geometry carries for the caller.
  Outcome<std::uint64_t> user_data(std::uint32_t geometry_id) const {
    std::uint64_t user_data = 0;
    auto failure = detail::checked(lanecast_scene_get_geometry(c(), geometry_id, nullptr, &user_data));
    return detail::finish(std::move(failure), std::move(user_data));
  }
  Outcome<Transform> transform(std::uint32_t instance) const {
    Transform transform;
    auto failure = detail::checked(lanecast_scene_get_transform(c(), instance, transform.rows.data()));
    return detail::finish(std::move(failure), std::move(transform));
  }
  /// Through which instances a hit with this instance id went: their numbers, outermost first, each in the scene of the one
  /// before.
  Outcome<std::vector<std::uint32_t>> instance_path(std::uint32_t instance_id) const {
    std::vector<std::uint32_t> path(1);
    std::size_t depth = 0;
    auto failure = detail::checked(lanecast_scene_get_instance_path(c(), instance_id, path.data(), path.size(), &depth));
    const bool is_whole = depth <= path.size();
    path.resize(depth);
    if (!failure && !is_whole) {
      failure = detail::checked(lanecast_scene_get_instance_path(c(), instance_id, path.data(), path.size(), &depth));
    }
    return detail::finish(std::move(failure), std::move(path));
  }

  // --- Changes ---

  /// 0 hides a geometry from all queries.
  Outcome<void> set_mask(std::uint32_t geometry_id, std::uint32_t mask) {
    return detail::finish(detail::checked(lanecast_scene_set_mask(c(), geometry_id, mask)));
  }
  Outcome<void> set_instance_mask(std::uint32_t instance, std::uint32_t mask) {
    return detail::finish(detail::checked(lanecast_scene_set_instance_mask(c(), instance, mask)));
  }
  Outcome<void> set_user_data(std::uint32_t geometry_id, std::uint64_t user_data) {
    return detail::finish(detail::checked(lanecast_scene_set_user_data(c(), geometry_id, user_data)));
  }
  /// Moves an instance.
  Outcome<void> set_transform(std::uint32_t instance, const Transform& transform) {
    return set_transforms({&instance, 1}, {&transform, 1});
  }
  Outcome<void> set_transforms(span<const std::uint32_t> instances, span<const Transform> transforms) {
    static_assert(sizeof(Transform) == 12 * sizeof(double));
    if (instances.size() != transforms.size()) {
      return detail::finish(detail::refused("transforms: there are not as many as instances"));
    }
    const double* numbers = transforms.empty() ? nullptr : transforms.data()->rows.data();
    return detail::finish(detail::checked(lanecast_set_transforms(c(), instances.data(), numbers, instances.size())));
  }

  /// Adds a geometry, and returns its id: the lowest that is free.
  Outcome<std::uint32_t> add(const Geometry<T>& geometry, const BuildOptions& options = {}) {
    std::uint32_t id = invalid_id;
    auto failure = add(span<const Geometry<T>>(&geometry, 1), options, &id);
    return detail::finish(std::move(failure), std::move(id));
  }
  /// Adds many, and returns their ids.
  Outcome<std::vector<std::uint32_t>> add(span<const Geometry<T>> geometries, const BuildOptions& options = {}) {
    std::vector<std::uint32_t> ids(geometries.size());
    auto failure = add(geometries, options, ids.data());
    return detail::finish(std::move(failure), std::move(ids));
  }
  /// Replaces a geometry by another of any kind. Its id, mask and user data stay.
  Outcome<void> replace(std::uint32_t geometry_id, const Geometry<T>& geometry, const BuildOptions& options = {}) {
    return replace(span<const std::uint32_t>(&geometry_id, 1), span<const Geometry<T>>(&geometry, 1), options);
  }
  Outcome<void> replace(span<const std::uint32_t> geometry_ids, span<const Geometry<T>> geometries,
                        const BuildOptions& options = {}) {
    if (geometry_ids.size() != geometries.size()) {
      return detail::finish(detail::refused("geometries: there are not as many as ids"));
    }
    const auto handles = c_geometries(geometries);
    auto failure = options.call([&](const lanecast_build_options* c) {
      return lanecast_replace(handle_.get(), geometry_ids.data(), handles.data(), handles.size(), c);
    });
    for (std::size_t row = 0; row < geometry_ids.size() && !failure; ++row) keep(geometry_ids[row], geometries[row]);
    return detail::finish(std::move(failure));
  }
  /// Removes geometries. The ids of all others stay.
  Outcome<void> remove(std::uint32_t geometry_id, const BuildOptions& options = {}) {
    return remove(span<const std::uint32_t>(&geometry_id, 1), options);
  }
  Outcome<void> remove(span<const std::uint32_t> geometry_ids, const BuildOptions& options = {}) {
    auto failure = options.call([&](const lanecast_build_options* c) {
      return lanecast_remove(handle_.get(), geometry_ids.data(), geometry_ids.size(), c);
    });
    for (std::size_t row = 0; row < geometry_ids.size() && !failure; ++row) kept_geometries_.erase(geometry_ids[row]);
    return detail::finish(std::move(failure));
  }

  /// Moves the vertices of a deformable mesh. The tree keeps its structure: rays get slower the farther neighbours part,
  /// until `rebuild`.
  Outcome<void> refit(std::uint32_t geometry_id, const Rows<T, 3>& vertices, const BuildOptions& options = {}) {
    const MovedMesh<T> moved{geometry_id, vertices};
    return refit(span<const MovedMesh<T>>(&moved, 1), options);
  }
  Outcome<void> refit(span<const MovedMesh<T>> meshes, const BuildOptions& options = {}) {
    std::vector<lanecast_moved_mesh> moved;
    for (const MovedMesh<T>& mesh : meshes) moved.push_back({mesh.geometry_id, mesh.vertices.c()});
    return detail::finish(options.call([&](const lanecast_build_options* c) {
      return lanecast_refit(handle_.get(), moved.data(), moved.size(), c);
    }));
  }
  /// Builds the tree over the triangles anew.
  Outcome<void> rebuild(const BuildOptions& options = {}) {
    return detail::finish(
        options.call([&](const lanecast_build_options* c) { return lanecast_rebuild(handle_.get(), c); }));
  }

  /// Places a scene, and returns the number of the instance: the lowest that fits. The placed scene may be freed but no
  /// longer changed.
  Outcome<std::uint32_t> add_instance(const Scene& scene, const Transform& transform) {
    const Instance<T> instance{&scene, transform};
    std::uint32_t number = invalid_id;
    auto failure = add_instances({&instance, 1}, &number);
    return detail::finish(std::move(failure), std::move(number));
  }
  Outcome<std::vector<std::uint32_t>> add_instances(span<const Instance<T>> instances) {
    std::vector<std::uint32_t> numbers(instances.size());
    auto failure = add_instances(instances, numbers.data());
    return detail::finish(std::move(failure), std::move(numbers));
  }
  /// Removes instances. The numbers of all others stay.
  Outcome<void> remove_instances(span<const std::uint32_t> instances) {
    auto failure = detail::checked(lanecast_remove_instances(c(), instances.data(), instances.size()));
    for (std::size_t row = 0; row < instances.size() && !failure; ++row) kept_instances_.erase(instances[row]);
    return detail::finish(std::move(failure));
  }

  // --- Files ---

  /// Saves a scene to a file, which replaces one of that name as a whole. A watcher hears of bytes.
  template <class W = detail::NoWatch>
  Outcome<void> save(const std::string& path, const W& watch = {}) const {
    return detail::finish(detail::watched(
        watch, [&](lanecast_watch function, void* user) { return lanecast_save(c(), path.c_str(), function, user); }));
  }
  /// The bytes of that file, to keep a scene where there are no files, or to send it. A watcher hears of bytes.
  template <class W = detail::NoWatch>
  Outcome<std::vector<std::uint8_t>> to_bytes(const W& watch = {}) const {
    detail::Handle<lanecast_bytes, lanecast_bytes_free> bytes;
    auto failure = detail::watched(watch, [&](lanecast_watch function, void* user) {
      return lanecast_to_bytes(c(), function, user, bytes.place());
    });
    lanecast_bytes_view view{};
    if (!failure) failure = detail::checked(lanecast_bytes_get(bytes.get(), &view));
    return detail::finish(std::move(failure), std::vector<std::uint8_t>(view.data, view.data + view.count));
  }
  /// Reads a scene through that was opened from a file, and fails if anything in it is not what was built. A watcher hears
  /// of bytes.
  template <class W = detail::NoWatch>
  Outcome<void> check(const W& watch = {}) const {
    return detail::finish(
        detail::watched(watch, [&](lanecast_watch function, void* user) { return lanecast_check(c(), function, user); }));
  }

  // --- Single rays, for recursion: no memory is allocated, and nothing is copied ---

  /// The first hit of a ray, written to `hit` if there is one. A ray that cannot be cast has a status that says why.
  Outcome<Status> closest(const Ray<T>& ray, Hit<T>& hit) const { return status_of(closest1(ray, nullptr, hit)); }
  Outcome<Status> closest(const Ray<T>& ray, Hit<T>& hit, const Options& options) const {
    return single(options, [&](const lanecast_options* c) { return closest1(ray, c, hit); });
  }
  /// The same with the normal of the hit: (v1 - v0) x (v2 - v0) of triangles. It takes longer.
  Outcome<Status> closest(const Ray<T>& ray, Hit<T>& hit, std::array<T, 3>& normal) const {
    return status_of(closest1(ray, nullptr, hit, normal));
  }
  Outcome<Status> closest(const Ray<T>& ray, Hit<T>& hit, std::array<T, 3>& normal, const Options& options) const {
    return single(options, [&](const lanecast_options* c) { return closest1(ray, c, hit, normal); });
  }
  /// Whether a ray hits anything. A ray that cannot be cast has a status that says why.
  Outcome<Status> any_status(const Ray<T>& ray) const { return status_of(any1(ray, nullptr)); }
  Outcome<Status> any_status(const Ray<T>& ray, const Options& options) const {
    return single(options, [&](const lanecast_options* c) { return any1(ray, c); });
  }
  /// The same in short: a ray that cannot be cast hits nothing.
  Outcome<std::optional<Hit<T>>> closest(const Ray<T>& ray) const {
    Hit<T> hit;
    const std::int32_t result = closest1(ray, nullptr, hit);
    if (result < 0) return detail::finish(detail::checked(result), std::optional<Hit<T>>());
    return result == LANECAST_HIT ? std::optional<Hit<T>>(hit) : std::nullopt;
  }
  Outcome<bool> any(const Ray<T>& ray) const {
    const std::int32_t result = any1(ray, nullptr);
    if (result < 0) return detail::finish(detail::checked(result), false);
    return result == LANECAST_HIT;
  }

  // --- Rays ---

  /// The first hit of each ray. At equal t the lowest ids win.
  Outcome<Hits<T>> closest(const Rays<T>& rays, const Options& options = {}) const {
    return owned<Hits<T>>(rays.size(), [&](Hits<T>& hits) { return cast(lanecast_closest_hit, rays, hits.columns(), options); });
  }
  /// The same to columns of the caller, or to `Hits` that are reused.
  Outcome<void> closest_into(const Rays<T>& rays, HitColumns<T> columns, const Options& options = {}) const {
    return detail::finish(cast(lanecast_closest_hit, rays, columns, options));
  }
  Outcome<void> closest_into(const Rays<T>& rays, Hits<T>& hits, const Options& options = {}) const {
    hits.resize(rays.size());
    return closest_into(rays, hits.columns(), options);
  }

  /// The last hit of each ray.
  Outcome<Hits<T>> farthest(const Rays<T>& rays, const Options& options = {}) const {
    return owned<Hits<T>>(rays.size(), [&](Hits<T>& hits) { return cast(lanecast_farthest_hit, rays, hits.columns(), options); });
  }
  Outcome<void> farthest_into(const Rays<T>& rays, HitColumns<T> columns, const Options& options = {}) const {
    return detail::finish(cast(lanecast_farthest_hit, rays, columns, options));
  }
  Outcome<void> farthest_into(const Rays<T>& rays, Hits<T>& hits, const Options& options = {}) const {
    hits.resize(rays.size());
    return farthest_into(rays, hits.columns(), options);
  }

  /// The hits nearest to the origin of each line on either side: of the least t from 0 on, and of the greatest t up to 0, both
  /// within the interval. That is all of the line by default, but `Ray` has a `t_min` of 0.
  Outcome<LineHits<T>> line_hits(const Rays<T>& lines, const Options& options = {}) const {
    return owned<LineHits<T>>(lines.size(), [&](LineHits<T>& hits) {
      return both_of(lines, hits.ahead.columns(), hits.behind.columns(), options);
    });
  }
  Outcome<void> line_hits_into(const Rays<T>& lines, HitColumns<T> ahead, HitColumns<T> behind,
                               const Options& options = {}) const {
    return detail::finish(both_of(lines, ahead, behind, options));
  }

  /// The points and normals of hits of `closest` or `farthest`. With `unit_normals` normals have length 1.
  Outcome<Surface<T>> locate(const Rays<T>& rays, const Hits<T>& hits, bool unit_normals = false,
                             span<const VertexNormals<T>> normals = {}, const Options& options = {}) const {
    return owned<Surface<T>>(rays.size(), [&](Surface<T>& surface) {
      // They are places for answers to other calls, and are only read here.
      return located(rays, const_cast<Hits<T>&>(hits).columns(), unit_normals, normals, surface.columns(), options);
    });
  }
  /// The same of hits in columns of the caller, all but `normal`.
  Outcome<void> locate_into(const Rays<T>& rays, HitColumns<T> hits, bool unit_normals, span<const VertexNormals<T>> normals,
                            SurfaceColumns<T> columns, const Options& options = {}) const {
    return detail::finish(located(rays, hits, unit_normals, normals, columns, options));
  }

  /// Whether each ray hits anything.
  Outcome<std::vector<Status>> any(const Rays<T>& rays, const Options& options = {}) const {
    std::vector<Status> status(rays.size());
    auto failure = any_of(rays, status, options);
    return detail::finish(std::move(failure), std::move(status));
  }
  Outcome<void> any_into(const Rays<T>& rays, const Answers<Status>& status, const Options& options = {}) const {
    return detail::finish(any_of(rays, status, options));
  }

  /// The number of hits of each ray: of crossings, unless the options ask for touches.
  Outcome<Counts> count(const Rays<T>& rays, const Options& options = {}) const {
    return owned<Counts>(rays.size(), [&](Counts& counts) { return cast(lanecast_count_hits, rays, counts.columns(), options); });
  }
  Outcome<void> count_into(const Rays<T>& rays, CountColumns columns, const Options& options = {}) const {
    return detail::finish(cast(lanecast_count_hits, rays, columns, options));
  }

  /// How much deeper each ray is inside at its end than at its start.
  Outcome<Values<std::int32_t>> signed_count(const Rays<T>& rays, const Options& options = {}) const {
    return owned<Values<std::int32_t>>(rays.size(), [&](Values<std::int32_t>& values) {
      return cast(lanecast_signed_count, rays, values.columns(), options);
    });
  }
  Outcome<void> signed_count_into(const Rays<T>& rays, ValueColumns<std::int32_t> columns, const Options& options = {}) const {
    return detail::finish(cast(lanecast_signed_count, rays, columns, options));
  }

  /// What the search for the closest hit of each ray costs.
  Outcome<Costs> cost(const Rays<T>& rays, const Options& options = {}) const {
    return owned<Costs>(rays.size(), [&](Costs& costs) { return cast(lanecast_cost, rays, costs.columns(), options); });
  }
  Outcome<void> cost_into(const Rays<T>& rays, CostColumns columns, const Options& options = {}) const {
    return detail::finish(cast(lanecast_cost, rays, columns, options));
  }

  /// All hits of each ray, nearest first: crossings, unless the options ask for touches.
  Outcome<HitLists<T>> all(const Rays<T>& rays, const Options& options = {}) const {
    return lists_of<HitLists<T>>(rays, options, [](auto... arguments) { return lanecast_all_hits(arguments...); });
  }
  /// The nearest `limit` hits of each ray.
  Outcome<HitLists<T>> nearest(const Rays<T>& rays, std::uint32_t limit, const Options& options = {}) const {
    return lists_of<HitLists<T>>(rays, options, [limit](auto scene, auto rays_of_c, auto c, auto place) {
      return lanecast_nearest_hits(scene, rays_of_c, limit, c, place);
    });
  }

  /// The hits of one ray, nearest first, each with points and normals. A ray that cannot be cast is an error.
  Outcome<std::vector<Pick>> pick(const Rays<T>& ray, PickLimit limit = PickLimit::all, const Options& options = {}) const {
    std::vector<Pick> picks;
    // Freed also where a callback throws.
    detail::Handle<lanecast_picks, lanecast_picks_free> list;
    auto failure = ray.check();
    if (!failure) {
      const lanecast_rays c_ray = ray.c();
      failure = options.call(1, [&](const lanecast_options* c) {
        return lanecast_pick_hits(this->c(), &c_ray, static_cast<lanecast_pick_limit>(limit), c, list.place());
      });
    }
    if (!failure) failure = detail::picks_of(list.get(), picks);
    return detail::finish(std::move(failure), std::move(picks));
  }

  /// What a scanner measures: the returns of pulses, whose rays have directions of length 1.
  Outcome<ReturnLists<T>> lidar_returns(const Rays<T>& rays, const Receiver& receiver = {}, const Options& options = {}) const {
    const lanecast_receiver c_receiver = receiver.c();
    return lists_of<ReturnLists<T>>(rays, options, [&](auto scene, auto rays_of_c, auto c, auto place) {
      return lanecast_lidar_returns(scene, rays_of_c, &c_receiver, c, place);
    });
  }

  /// Which targets each observer sees.
  Outcome<Visibility> sight(const SightLines<T>& lines, const Options& options = {}) const {
    Visibility seen(lines.observers(), lines.targets());
    auto failure = lines.check();
    if (!failure) {
      const lanecast_sight_lines c_lines = lines.c();
      failure = options.call(lines.observers() * lines.targets(), [&](const lanecast_options* c) {
        return lanecast_sight(this->c(), &c_lines, c, seen.words().data(), seen.words().size());
      });
    }
    return detail::finish(std::move(failure), std::move(seen));
  }

  /// What hides a target from an observer, with the part of the line's length as t; nothing if it is seen.
  Outcome<std::optional<Hit<double>>> first_obstacle(const SightLines<T>& lines, std::size_t observer, std::size_t target,
                                                     const Options& options = {}) const {
    lanecast_hit_f64 c_hit{};
    std::optional<Hit<double>> hit;
    auto failure = lines.check();
    if (!failure) {
      const lanecast_sight_lines c_lines = lines.c();
      failure = options.call(lines.observers() * lines.targets(), [&](const lanecast_options* c) {
        const std::int32_t result = lanecast_first_obstacle(this->c(), &c_lines, observer, target, c, &c_hit);
        if (result == LANECAST_HIT) {
          hit = Hit<double>{c_hit.t, c_hit.u, c_hit.v, c_hit.primitive_id, c_hit.geometry_id, c_hit.instance_id};
        }
        return result;
      });
    }
    return detail::finish(std::move(failure), std::move(hit));
  }

  // --- Points ---

  /// The point of all surfaces that is closest to each point, within a radius: one for all, one each, or none.
  Outcome<ClosestPoints<T>> closest_points(const Vectors<T>& points, const Column<T>& radius = {},
                                           const Options& options = {}) const {
    return owned<ClosestPoints<T>>(rows_of(points), [&](ClosestPoints<T>& closest) {
      return closest_point(points, radius, closest.columns(), options);
    });
  }
  Outcome<void> closest_points_into(const Vectors<T>& points, const Column<T>& radius, ClosestPointColumns<T> columns,
                                    const Options& options = {}) const {
    return detail::finish(closest_point(points, radius, columns, options));
  }
  Outcome<void> closest_points_into(const Vectors<T>& points, const Column<T>& radius, ClosestPoints<T>& closest,
                                    const Options& options = {}) const {
    closest.resize(rows_of(points));
    return closest_points_into(points, radius, closest.columns(), options);
  }

  /// The nearest `count` primitives of each point, one point of each, nearest first, within a radius.
  Outcome<PointLists<T>> nearest_points(const Vectors<T>& points, std::uint32_t count, const Column<T>& radius = {},
                                        const Options& options = {}) const {
    return point_lists(points, radius, options, [count](auto scene, auto points_of_c, auto radius_of_c, auto c, auto place) {
      return lanecast_nearest_points(scene, points_of_c, count, radius_of_c, c, place);
    });
  }
  /// All primitives within a radius of each point.
  Outcome<PointLists<T>> points_within(const Vectors<T>& points, const Column<T>& radius, const Options& options = {}) const {
    return point_lists(points, radius, options, [](auto... arguments) { return lanecast_points_within(arguments...); });
  }

  /// The distance of each point from the nearest surface.
  Outcome<Values<T>> distance(const Vectors<T>& points, const Options& options = {}) const {
    return owned<Values<T>>(rows_of(points), [&](Values<T>& values) {
      return values_of(lanecast_distance, points, values.columns(), options);
    });
  }
  Outcome<void> distance_into(const Vectors<T>& points, ValueColumns<T> columns, const Options& options = {}) const {
    return detail::finish(values_of(lanecast_distance, points, columns, options));
  }

  /// The same, negative inside. The surfaces must be closed, or the options ask for generalised winding numbers.
  Outcome<Values<T>> signed_distance(const Vectors<T>& points, const Options& options = {}) const {
    return owned<Values<T>>(rows_of(points), [&](Values<T>& values) {
      return values_of(lanecast_signed_distance, points, values.columns(), options);
    });
  }
  Outcome<void> signed_distance_into(const Vectors<T>& points, ValueColumns<T> columns, const Options& options = {}) const {
    return detail::finish(values_of(lanecast_signed_distance, points, columns, options));
  }

  /// Whether each point is inside: `Status::hit`, and as value how often surfaces go around it. The surfaces must be closed,
  /// or the options ask for generalised winding numbers.
  Outcome<Values<std::int32_t>> contains(const Vectors<T>& points, const Options& options = {}) const {
    return owned<Values<std::int32_t>>(rows_of(points), [&](Values<std::int32_t>& values) {
      return values_of(lanecast_contains, points, values.columns(), options);
    });
  }
  Outcome<void> contains_into(const Vectors<T>& points, ValueColumns<std::int32_t> columns,
                              const Options& options = {}) const {
    return detail::finish(values_of(lanecast_contains, points, columns, options));
  }

  /// The generalised winding number of each point; 2 is a good accuracy.
  Outcome<Values<float>> winding_number(const Vectors<T>& points, double accuracy = 2, const Options& options = {}) const {
    return owned<Values<float>>(rows_of(points), [&](Values<float>& values) {
      return values_of(winding_of(accuracy), points, values.columns(), options);
    });
  }
  Outcome<void> winding_number_into(const Vectors<T>& points, double accuracy, ValueColumns<float> columns,
                                    const Options& options = {}) const {
    return detail::finish(values_of(winding_of(accuracy), points, columns, options));
  }

  /// Whether each point of a grid is inside, 0 or 1; z changes fastest, then y.
  Outcome<std::vector<std::uint8_t>> occupancy(const Grid& grid, const Options& options = {}) const {
    std::vector<std::uint8_t> occupied(grid.counts[0] * grid.counts[1] * grid.counts[2]);
    auto failure = occupied_of(grid, {occupied.data(), occupied.size()}, options);
    return detail::finish(std::move(failure), std::move(occupied));
  }
  Outcome<void> occupancy_into(const Grid& grid, span<std::uint8_t> occupied, const Options& options = {}) const {
    return detail::finish(occupied_of(grid, occupied, options));
  }

  // --- Regions ---

  /// Whether anything overlaps with a region.
  Outcome<bool> overlaps(const Region& region, const Options& options = {}) const {
    bool any = false;
    auto failure = region.check();
    if (!failure) {
      failure = options.call(1, [&](const lanecast_options* c) {
        const std::int32_t result = lanecast_overlaps_any(this->c(), region.kind(), region.numbers(), region.count(), c);
        any = result == 1;
        return result;
      });
    }
    return detail::finish(std::move(failure), std::move(any));
  }
  /// The primitives that overlap with a region, by ascending ids.
  Outcome<std::vector<PrimitiveId>> overlapping(const Region& region, const Options& options = {}) const {
    std::vector<PrimitiveId> primitives;
    lanecast_primitive_list* list = nullptr;
    auto failure = region.check();
    if (!failure) {
      failure = options.call(1, [&](const lanecast_options* c) {
        return lanecast_overlap(this->c(), region.kind(), region.numbers(), region.count(), c, &list);
      });
    }
    if (!failure) failure = detail::primitives_of(list, primitives);
    return detail::finish(std::move(failure), std::move(primitives));
  }

 private:
  template <class>
  friend class Scene;
  friend Outcome<std::variant<Scene<float>, Scene<double>>> open_scene(const std::string& path);

  using Kept = std::shared_ptr<const void>;

  Scene() = default;

  // `name` stands for the scene in a message.
  template <class Open>
  static Outcome<Scene> opened(const std::string& name, Open&& open) {
    Scene scene;
    auto failure = open(scene.handle_.place());
    lanecast_scene_facts facts{};
    if (!failure) failure = scene.read(facts);
    if (!failure && facts.precision != detail::precision<T>) failure = detail::refused(name + ": it is of the other precision");
    return detail::finish(std::move(failure), std::move(scene));
  }

  detail::Failure read(lanecast_scene_facts& facts) const {
    facts.size = sizeof facts;
    return detail::checked(lanecast_scene_get_facts(c(), &facts));
  }

  // Callbacks of geometries live as long as a scene with them.
  void keep(std::uint32_t geometry_id, const Geometry<T>& geometry) {
    if (geometry.kept()) {
      kept_geometries_[geometry_id] = geometry.kept();
    } else {
      kept_geometries_.erase(geometry_id);
    }
  }
  void keep(std::uint32_t number, const Instance<T>& instance) {
    const Scene& placed = *instance.scene;
    if (placed.kept_geometries_.empty() && placed.kept_instances_.empty()) return;
    kept_instances_[number] = std::make_shared<std::pair<std::map<std::uint32_t, Kept>, std::map<std::uint32_t, Kept>>>(
        placed.kept_geometries_, placed.kept_instances_);
  }

  static std::vector<const lanecast_geometry*> c_geometries(span<const Geometry<T>> geometries) {
    std::vector<const lanecast_geometry*> handles;
    for (const Geometry<T>& geometry : geometries) handles.push_back(geometry.c());
    return handles;
  }
  static std::vector<lanecast_instance> c_instances(span<const Instance<T>> instances) {
    std::vector<lanecast_instance> placed(instances.size());
    for (std::size_t number = 0; number < instances.size(); ++number) {
      placed[number].scene = instances[number].scene->c();
      for (std::size_t place = 0; place < 12; ++place) {
        placed[number].transform[place] = instances[number].transform.rows[place];
      }
    }
    return placed;
  }

  detail::Failure add(span<const Geometry<T>> geometries, const BuildOptions& options, std::uint32_t* ids) {
    const auto handles = c_geometries(geometries);
    auto failure = options.call([&](const lanecast_build_options* c) {
      return lanecast_add(handle_.get(), handles.data(), handles.size(), c, ids);
    });
    for (std::size_t row = 0; row < geometries.size() && !failure; ++row) keep(ids[row], geometries[row]);
    return failure;
  }
  detail::Failure add_instances(span<const Instance<T>> instances, std::uint32_t* numbers) {
    const auto placed = c_instances(instances);
    auto failure = detail::checked(lanecast_add_instances(c(), placed.data(), placed.size(), numbers));
    for (std::size_t row = 0; row < instances.size() && !failure; ++row) keep(numbers[row], instances[row]);
    return failure;
  }

  std::int32_t closest1(const Ray<T>& ray, const lanecast_options* options, Hit<T>& hit) const {
    if constexpr (std::is_same_v<T, float>) {
      return lanecast_closest1_f32(c(), detail::c_ray(ray), options, detail::c_hit(hit));
    } else {
      return lanecast_closest1_f64(c(), detail::c_ray(ray), options, detail::c_hit(hit));
    }
  }
  std::int32_t closest1(const Ray<T>& ray, const lanecast_options* options, Hit<T>& hit, std::array<T, 3>& normal) const {
    if constexpr (std::is_same_v<T, float>) {
      return lanecast_closest1_with_normal_f32(c(), detail::c_ray(ray), options, detail::c_hit(hit), normal.data());
    } else {
      return lanecast_closest1_with_normal_f64(c(), detail::c_ray(ray), options, detail::c_hit(hit), normal.data());
    }
  }
  std::int32_t any1(const Ray<T>& ray, const lanecast_options* options) const {
    if constexpr (std::is_same_v<T, float>) {
      return lanecast_any1_f32(c(), detail::c_ray(ray), options);
    } else {
      return lanecast_any1_f64(c(), detail::c_ray(ray), options);
    }
  }
  static Outcome<Status> status_of(std::int32_t result) {
    if (result < 0) return detail::finish(detail::checked(result), Status::miss);
    return static_cast<Status>(result);
  }
  template <class F>
  static Outcome<Status> single(const Options& options, F&& ask) {
    Status status = Status::miss;
    auto failure = options.call(1, [&](const lanecast_options* c) {
      const std::int32_t result = ask(c);
      if (result >= 0) status = static_cast<Status>(result);
      return result;
    });
    return detail::finish(std::move(failure), std::move(status));
  }

  /// Answers in columns of their own.
  template <class A, class F>
  static Outcome<A> owned(std::size_t rows, F&& ask) {
    A answers;
    answers.resize(rows);
    auto failure = ask(answers);
    return detail::finish(std::move(failure), std::move(answers));
  }

  template <class F, class C>
  detail::Failure cast(F query, const Rays<T>& rays, C&& columns, const Options& options) const {
    if (auto failure = rays.check()) return failure;
    if (auto failure = columns.check()) return failure;
    const lanecast_rays c_rays = rays.c();
    return options.call(rays.size(), [&](const lanecast_options* c) {
      return query(this->c(), &c_rays, c, columns.c(rays.size()));
    });
  }
  detail::Failure any_of(const Rays<T>& rays, const Answers<Status>& status, const Options& options) const {
    if (auto failure = rays.check()) return failure;
    const lanecast_rays c_rays = rays.c();
    return options.call(rays.size(), [&](const lanecast_options* c) {
      return lanecast_any_hit(this->c(), &c_rays, c, status.size(), status.c());
    });
  }
  detail::Failure both_of(const Rays<T>& lines, HitColumns<T> ahead, HitColumns<T> behind, const Options& options) const {
    if (auto failure = behind.check()) return failure;
    const auto query = [&](auto scene, auto lines_of_c, auto c, auto ahead_of_c) {
      return lanecast_line_hits(scene, lines_of_c, c, ahead_of_c, behind.c(lines.size()));
    };
    return cast(query, lines, ahead, options);
  }
  detail::Failure located(const Rays<T>& rays, HitColumns<T> hits, bool unit_normals, span<const VertexNormals<T>> normals,
                          SurfaceColumns<T> columns, const Options& options) const {
    if (auto failure = hits.check()) return failure;
    std::vector<lanecast_vertex_normals> meshes;
    for (const VertexNormals<T>& mesh : normals) {
      meshes.push_back({mesh.scene ? mesh.scene->c() : nullptr, mesh.geometry_id, mesh.triangles.c(), mesh.normals.c()});
    }
    const auto query = [&](auto scene, auto rays_of_c, auto c, auto surface) {
      return lanecast_locate(scene, rays_of_c, hits.c(rays.size()), unit_normals, meshes.data(), meshes.size(), c, surface);
    };
    return cast(query, rays, columns, options);
  }
  template <class L, class F>
  Outcome<L> lists_of(const Rays<T>& rays, const Options& options, F&& query) const {
    L lists;
    auto failure = rays.check();
    if (!failure) {
      const lanecast_rays c_rays = rays.c();
      failure = lists.fill([&](auto place) {
        return options.call(rays.size(), [&](const lanecast_options* c) { return query(this->c(), &c_rays, c, place); });
      });
    }
    return detail::finish(std::move(failure), std::move(lists));
  }

  static std::size_t rows_of(const Vectors<T>& points) { return points.is_one() ? 1 : points.size(); }
  static detail::Failure check(const Vectors<T>& points, const Column<T>& radius) {
    if (points.is_unequal()) return detail::refused("points: the columns are of different lengths");
    if (!radius.fits(rows_of(points))) return detail::refused("radius: it is not one a point");
    return std::nullopt;
  }
  detail::Failure closest_point(const Vectors<T>& points, const Column<T>& radius, ClosestPointColumns<T> columns,
                                const Options& options) const {
    if (auto failure = check(points, radius)) return failure;
    if (auto failure = columns.check()) return failure;
    const lanecast_points c_points = detail::c_points(points);
    return options.call(c_points.count, [&](const lanecast_options* c) {
      return lanecast_closest_point(this->c(), &c_points, radius.c(), c, columns.c(c_points.count));
    });
  }
  template <class F>
  Outcome<PointLists<T>> point_lists(const Vectors<T>& points, const Column<T>& radius, const Options& options,
                                     F&& query) const {
    PointLists<T> lists;
    auto failure = check(points, radius);
    if (!failure) {
      const lanecast_points c_points = detail::c_points(points);
      failure = lists.fill([&](lanecast_point_lists** place) {
        return options.call(c_points.count, [&](const lanecast_options* c) {
          return query(this->c(), &c_points, radius.c(), c, place);
        });
      });
    }
    return detail::finish(std::move(failure), std::move(lists));
  }
  static auto winding_of(double accuracy) {
    return [accuracy](auto scene, auto points, auto options, auto values) {
      return lanecast_winding_number(scene, points, accuracy, options, values);
    };
  }
  template <class F, class V>
  detail::Failure values_of(F query, const Vectors<T>& points, ValueColumns<V> columns, const Options& options) const {
    if (auto failure = check(points, {})) return failure;
    if (auto failure = columns.check()) return failure;
    const lanecast_points c_points = detail::c_points(points);
    return options.call(c_points.count, [&](const lanecast_options* c) {
      return query(this->c(), &c_points, c, columns.c(c_points.count));
    });
  }
  detail::Failure occupied_of(const Grid& grid, span<std::uint8_t> occupied, const Options& options) const {
    lanecast_grid c_grid{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      c_grid.origin[axis] = grid.origin[axis];
      c_grid.spacing[axis] = grid.spacing[axis];
      c_grid.counts[axis] = grid.counts[axis];
    }
    return options.call(occupied.size(), [&](const lanecast_options* c) {
      return lanecast_occupancy(this->c(), &c_grid, c, occupied.data(), occupied.size());
    });
  }

  // Freed last.
  std::map<std::uint32_t, Kept> kept_geometries_, kept_instances_;
  detail::Handle<lanecast_scene, lanecast_scene_free> handle_;
};

/// Opens a scene file of either precision.
inline Outcome<std::variant<Scene<float>, Scene<double>>> open_scene(const std::string& path) {
  using Either = std::variant<Scene<float>, Scene<double>>;
  Scene<float> narrow;
  auto failure = detail::checked(lanecast_open(path.c_str(), nullptr, nullptr, narrow.handle_.place()));
  lanecast_scene_facts facts{};
  if (!failure) failure = narrow.read(facts);
  if (failure || facts.precision == LANECAST_F32) return detail::finish(std::move(failure), Either(std::move(narrow)));
  Scene<double> wide;
  wide.handle_.swap(narrow.handle_);
  return Either(std::move(wide));
}

LANECAST_END

#endif
