// Filters, watchers and shapes of the caller: what they hear, what they stop, what they throw, and how long they live.

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#ifndef LANECAST_NO_EXCEPTIONS
#include <stdexcept>
#endif

#include "check.hpp"

using namespace lanecast;

namespace {

template <class T>
void filters_choose_hits() {
  const Scene<T> scene = cube<T>();
  const std::vector<Ray<T>> rays(1000, along_x<T>(T(0.5), T(0.25)));
  // All hits on fronts are left out, with as many arguments as the caller wants.
  const auto t_of = [&](const Options& options) { return value(scene.closest(rays, options)).t[999]; };
  CHECK(t_of(Options().filter([](std::size_t, const Hit<double>&, Side side) { return side == Side::back; })) == 4);
  CHECK(t_of(Options().filter([](const auto& hit) { return hit.t > 3; })) == 4);
  CHECK(t_of(Options().filter([](const Hit<float>& hit) { return hit.t > 3; })) == 4);
  CHECK(t_of(Options().filter([](std::size_t row, const Hit<float>&, Side) { return row != 999; })) ==
        std::numeric_limits<T>::infinity());
  CHECK(t_of(Options().filter([](std::size_t row, const auto&) { return row == 999; })) == 2);

  std::atomic<int> calls{0};
  Hit<T> hit;
  const Options counting = Options().filter([&](const Hit<double>& found) { return ++calls, found.t > 3; });
  CHECK(value(scene.closest(rays[0], hit, counting)) == Status::hit && hit.t == 4 && calls >= 2);
  // Options keep their callables, and so do copies.
  Options copied;
  {
    const std::vector<int> wanted(1, 3);
    const Options first = Options().filter([wanted](const Hit<double>& found) { return found.t > wanted[0]; });
    copied = first;
  }
  CHECK(t_of(copied) == 4);
}

void watchers_hear_and_stop() {
  const Scene<float> scene = cube<float>();
  const std::vector<Ray<float>> rays(300000, along_x<float>(0.5f, 0.25f));
  std::atomic<std::size_t> last{0}, total{0};
  static_cast<void>(value(scene.closest(rays, Options().watch([&](std::size_t done, std::size_t all) {
    for (std::size_t seen = last; done > seen && !last.compare_exchange_weak(seen, done);) {
    }
    total = all;
  }))));
  CHECK(total == rays.size() && last > 0 && last <= total);
  const Options stop = Options().watch([](std::size_t, std::size_t) { return false; });
  CHECK(fails([&] { return scene.closest(rays, stop); }, Result::stopped, ""));
  CHECK(fails([&] { return Scene<float>::of_triangles(cube_vertices<float>(), cube_triangles(),
                                                      BuildOptions().watch([](std::size_t, std::size_t) { return false; })); },
              Result::stopped, ""));
}

void builds_and_changes_tell_progress() {
  const auto vertices = cube_vertices<float>();
  const auto triangles = cube_triangles();
  std::atomic<std::size_t> most{0}, total{0};
  const auto hear = BuildOptions().watch([&](std::size_t done, std::size_t all) {
    for (std::size_t seen = most; done > seen && !most.compare_exchange_weak(seen, done);) {
    }
    total = all;
  });
  const auto heard = [&](std::size_t all) { return most.exchange(0) == all && total.exchange(0) == all; };
  const std::size_t count = triangles.size();
  Scene<float> scene = value(Scene<float>::build(value(Geometry<float>::deformable_triangles(vertices, triangles)), hear));
  CHECK(heard(count));
  done([&] { return scene.refit(0, vertices, hear); });
  CHECK(heard(count));
  done([&] { return scene.rebuild(hear); });
  CHECK(heard(count));
  const std::uint32_t id = value(scene.add(value(Geometry<float>::triangles(vertices, triangles)), hear));
  CHECK(heard(2 * count));
  done([&] { return scene.replace(id, value(Geometry<float>::triangles(vertices, triangles)), hear); });
  CHECK(heard(2 * count));
  done([&] { return scene.remove(id, hear); });
  CHECK(heard(count));
  static_cast<void>(value(scene.copy(hear)));
  CHECK(heard(count));
  // A change that is stopped has not been made.
  const auto stop = BuildOptions().watch([](std::size_t, std::size_t) { return false; });
  CHECK(fails([&] { return scene.remove(0, stop); }, Result::stopped, ""));
  CHECK(fails([&] { return scene.copy(stop); }, Result::stopped, ""));
  CHECK(value(scene.facts()).triangle_count == count);
}

#ifndef LANECAST_NO_EXCEPTIONS
struct Thrown {
  int number;
};

void what_callbacks_throw_arrives() {
  const Scene<float> scene = cube<float>();
  const std::vector<Ray<float>> rays(300000, along_x<float>(0.5f, 0.25f));
  std::atomic<std::size_t> calls{0};
  const auto throws = [&](std::size_t row, const Hit<double>&) -> bool {
    ++calls;
    if (row == 5000) throw Thrown{7};
    return true;
  };
  for (const std::size_t count : {1u, 3u}) {
    const Threads threads = Threads::make(count);
    calls = 0;
    int caught = 0;
    try {
      static_cast<void>(scene.closest(rays, Options().threads(threads).filter(throws)));
    } catch (const Thrown& thrown) {
      caught = thrown.number;
    }
    CHECK(caught == 7);
    // It was stopped: one hit is tested at least for each ray otherwise.
    CHECK(calls < rays.size());
  }
  // Of a single ray, with lists, and together with a watcher.
  const auto caught = [](auto&& call) {
    try {
      call();
    } catch (const Thrown&) {
      return true;
    }
    return false;
  };
  const Options always = Options().filter([](const Hit<double>&) -> bool { throw Thrown{1}; });
  Hit<float> hit;
  CHECK(caught([&] { scene.closest(rays[0], hit, always); }));
  CHECK(caught([&] { scene.any_status(rays[0], always); }));
  CHECK(caught([&] { scene.all(rays, always); }));
  CHECK(caught([&] { scene.any(rays, Options(always).watch([](std::size_t, std::size_t) {})); }));
  CHECK(caught([&] { scene.closest(rays, Options().watch([](std::size_t, std::size_t) { throw Thrown{2}; })); }));
  CHECK(caught([&] {
    const std::vector<std::array<float, 3>> points(100000);
    scene.distance(points, Options().watch([](std::size_t, std::size_t) { throw Thrown{2}; }));
  }));
  CHECK(caught([&] {
    Scene<float>::of_triangles(cube_vertices<float>(), cube_triangles(),
                               BuildOptions().watch([](std::size_t, std::size_t) { throw Thrown{3}; }));
  }));
  // The scene answers as before, and the same options serve several threads, each with its own exception.
  CHECK(value(scene.closest(rays[0]))->t == 2);
  std::atomic<int> arrived{0};
  const auto rows = [&](std::size_t row, const Hit<double>&) -> bool {
    if (row == 100) throw Thrown{9};
    return true;
  };
  const Options shared = Options().filter(rows);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      const std::size_t count = caller % 2 == 0 ? 50 : 200;
      const bool is_thrown = caught([&] { scene.closest(span<const Ray<float>>(rays.data(), count), shared); });
      if (is_thrown == (count == 200)) ++arrived;
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(arrived == 4);
}
#endif

/// A ball by its distance, which counts how many of it there are.
struct Ball {
  std::shared_ptr<int> alive;
  double operator()(const std::array<double, 3>& at) const {
    return std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) - 1;
  }
};

/// Flat squares of unit half side at x = 0, 1, ..., facing -x.
struct Squares {
  std::size_t number;
  std::shared_ptr<int> alive;

  std::size_t count() const { return number; }
  Box<double> bounds(std::uint32_t id) const { return {{double(id), -1, -1}, {double(id), 1, 1}}; }
  template <class M>
  void intersect(std::uint32_t id, const Ray<double>& ray, M meet) const {
    const double t = (double(id) - ray.origin[0]) / ray.direction[0];
    const double y = ray.origin[1] + t * ray.direction[1], z = ray.origin[2] + t * ray.direction[2];
    if (!(std::fabs(y) <= 1 && std::fabs(z) <= 1)) return;
    SurfacePoint point{};
    point.t = t;
    point.normal[0] = -1;
    meet(point);
  }
  std::optional<SurfacePoint> nearest(std::uint32_t id, const std::array<double, 3>& at, const Transform& placed) const {
    if (placed.rows != Transform().rows) return std::nullopt;
    SurfacePoint point{};
    point.point[0] = double(id);
    for (std::size_t axis : {1u, 2u}) point.point[axis] = std::fmin(std::fmax(at[axis], -1), 1);
    point.normal[0] = -1;
    return point;
  }
};

template <class T>
void shapes_of_the_caller_live_as_long_as_scenes_with_them() {
  const auto alive = std::make_shared<int>(0);
  const Ray<T> ray = along_x<T>(0, 0);
  {
    std::optional<Scene<T>> scene, copy, around;
    {
      const Geometry<T> ball =
          value(Geometry<T>::signed_distance_field(Ball{alive}, {{-1, -1, -1}, {1, 1, 1}}, 1, 1e-6));
      scene.emplace(value(Scene<T>::build(ball)));
    }
    CHECK(alive.use_count() == 2);
    CHECK(std::fabs(double(value(scene->closest(ray))->t) - 2) < 1e-5);
    copy.emplace(value(scene->copy()));
    around.emplace(value(typename Scene<T>::Builder().instance(*scene, Transform::translation(3, 0, 0)).build()));
    scene.reset();
    CHECK(alive.use_count() == 2);
    CHECK(std::fabs(double(value(copy->closest(ray))->t) - 2) < 1e-5);
    copy.reset();
    CHECK(std::fabs(double(value(around->closest(ray))->t) - 5) < 1e-5 && alive.use_count() == 2);
    Scene<T> moved = std::move(*around);
    around.reset();
    CHECK(std::fabs(double(value(moved.closest(ray))->t) - 5) < 1e-5);
    const std::vector<std::uint32_t> first{0};
    done([&] { return moved.remove_instances(first); });
    CHECK(alive.use_count() == 1);

    const Geometry<T> squares = value(Geometry<T>::own_primitives(Squares{3, alive}));
    CHECK(alive.use_count() == 2);
    const std::uint32_t id = value(moved.add(squares));
    CHECK(value(moved.closest(ray))->t == 3 && value(moved.count(std::vector<Ray<T>>{ray})).hits[0] == 3);
    const std::vector<Vector<T>> points{{T(-2), 3, 0}};
    const ClosestPoints<T> closest = value(moved.closest_points(points));
    CHECK(closest.point[0][0] == 0 && closest.point[0][1] == 1 && closest.primitive_id[0] == 0);
    const auto vertices = cube_vertices<T>();
    const auto triangles = cube_triangles();
    const Geometry<T> mesh = value(Geometry<T>::triangles(vertices, triangles));
    done([&] { return moved.replace(id, mesh); });
    CHECK(alive.use_count() == 2 && value(moved.closest(ray))->t == 2);
    done([&] { return moved.replace(id, squares); });
    CHECK(value(moved.closest(ray))->t == 3);
    done([&] { return moved.remove(id); });
    CHECK(!value(moved.any(ray)));
  }
  CHECK(alive.use_count() == 1);
}

}  // namespace

int main() {
  filters_choose_hits<float>();
  filters_choose_hits<double>();
  watchers_hear_and_stop();
  builds_and_changes_tell_progress();
#ifndef LANECAST_NO_EXCEPTIONS
  what_callbacks_throw_arrives();
#endif
  shapes_of_the_caller_live_as_long_as_scenes_with_them<float>();
  shapes_of_the_caller_live_as_long_as_scenes_with_them<double>();
}
