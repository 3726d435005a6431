// Scenes of all content, their changes, instances, files, and handles that move.

#include <cstdio>
#include <fstream>
#include <iterator>

#include "check.hpp"

using namespace lanecast;

namespace {

static_assert(!std::is_copy_constructible_v<Scene<float>> && std::is_nothrow_move_constructible_v<Scene<float>>);
static_assert(std::is_nothrow_move_assignable_v<Scene<double>> && !std::is_copy_assignable_v<Scene<double>>);
static_assert(!std::is_copy_constructible_v<Geometry<float>> && std::is_nothrow_move_constructible_v<Geometry<float>>);
static_assert(!std::is_copy_constructible_v<Threads> && std::is_nothrow_move_constructible_v<HitLists<float>>);
static_assert(!std::is_copy_constructible_v<Maker<float>> && std::is_nothrow_move_constructible_v<PointLists<double>>);

/// Meshes of temporary vectors are refused, as the scene is built later.
template <class V, class = void>
inline constexpr bool makes_mesh = false;
template <class V>
inline constexpr bool makes_mesh<V, std::void_t<decltype(Geometry<float>::triangles(std::declval<V>(), cube_triangles()))>> = true;
template <class V>
inline constexpr bool makes_mesh<V&, std::void_t<decltype(Geometry<float>::triangles(
                                         std::declval<V&>(), std::declval<std::vector<Triangle>&>()))>> = true;
static_assert(makes_mesh<const std::vector<Vector<float>>&> && !makes_mesh<std::vector<Vector<float>>>);
static_assert(!std::is_convertible_v<const Geometry<float>&, const Geometry<double>&>);

template <class T>
Ray<T> down(T x) {
  return {{x, 0, 10}, {0, 0, -1}};
}

template <class T>
void scenes_of_all_content() {
  const std::vector<Box<T>> boxes{{{-1, -1, -1}, {1, 1, 1}}};
  const std::vector<OrientedBox<T>> oriented{{{10, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 2}}};
  const std::vector<Sphere<T>> spheres{{{20, 0, 0}, 3}};
  const std::vector<RoundCone<T>> cones{{{30, 0, -1}, {30, 0, 2}, 1, 2}};
  const std::vector<Cylinder<T>> cylinders{{{40, 0, -1}, {40, 0, 5}, 1}};
  const std::vector<Vector<T>> corners{{49, -1, 6}, {51, -1, 6}, {51, 1, 6}, {49, 1, 6}};
  const std::vector<std::array<std::uint32_t, 4>> quads{{0, 1, 2, 3}};
  const std::vector<T> heights{7, 7, 7, 7, 7, 7};

  std::vector<Geometry<T>> geometries;
  geometries.push_back(value(Geometry<T>::boxes(boxes)));
  geometries.push_back(value(Geometry<T>::oriented_boxes(oriented)));
  geometries.push_back(value(Geometry<T>::spheres(spheres)));
  geometries.push_back(value(Geometry<T>::round_cones(cones)));
  geometries.push_back(value(Geometry<T>::cylinders(cylinders)));
  geometries.push_back(value(Geometry<T>::quads(corners, quads)));
  geometries.push_back(value(Geometry<T>::height_field(heights, 2, 3, {58, -1}, {2, 2})));

  const Threads threads = value(Threads::make(2));
  const auto scene = value(
      Scene<T>::build(geometries, BuildOptions().threads(threads).quality(Quality::high).backend(Backend::portable)));
  std::vector<Ray<T>> rays;
  for (int place = 0; place < 7; ++place) rays.push_back(down<T>(T(10 * place)));
  const Hits<T> hits = value(scene.closest(rays));
  const std::vector<T> expected{9, 8, 7, 6, 5, 4, 3};
  for (std::size_t row = 0; row < 7; ++row) {
    CHECK(std::fabs(hits.t[row] - expected[row]) < T(1e-5) && hits.geometry_id[row] == row);
  }
  const SceneFacts facts = value(scene.facts());
  CHECK(facts.geometry_count == 7 && facts.bounds.max[0] == 62 && facts.bounds.min[0] == -1 && facts.instance_count == 0);

  CHECK(fails([&] { return Geometry<T>::height_field(heights, 3, 3, {0, 0}, {1, 1}); }, Result::invalid_argument, "heights"));
  const std::vector<Triangle> wrong{{0, 1, 99}};
  CHECK(fails([&] { return Scene<T>::of_triangles(corners, wrong); }, Result::invalid_input, ""));
}

template <class T>
void vertices_are_welded() {
  // Two triangles whose shared edge is apart by a hair: a ray through the crack meets them only if it is closed.
  const T hair = T(0.001);
  const std::vector<Vector<T>> vertices{{-1, -1, 0}, {1, -1, 0}, {0, 0, 0}, {0, hair, 0}, {-1, -1 + hair, 0}, {-1, 1, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {4, 3, 5}};
  const Ray<T> crack{{T(-0.5), T(-0.5) + hair / 2, 1}, {0, 0, -1}};
  CHECK(!value(value(Scene<T>::of_triangles(vertices, triangles)).any(crack)));
  CHECK(value(value(Scene<T>::of_triangles(vertices, triangles, BuildOptions().weld(0.01))).any(crack)));
}

template <class T>
void scenes_change() {
  std::vector<Vector<T>> vertices = cube_vertices<T>();
  const auto triangles = cube_triangles();
  Scene<T> scene = value(Scene<T>::build(value(Geometry<T>::deformable_triangles(vertices, triangles))));
  const Ray<T> ray = along_x<T>(T(0.5), T(0.25));
  for (Vector<T>& vertex : vertices) vertex[0] += 4;
  done([&] { return scene.refit(0, vertices); });
  CHECK(value(scene.closest(ray))->t == 6);
  done([&] { return scene.rebuild(); });
  CHECK(value(scene.closest(ray))->t == 6);

  const Scene<T> before = value(scene.copy());
  const std::vector<Sphere<T>> balls{{{0, T(0.5), T(0.25)}, 1}};
  const std::uint32_t id = value(scene.add(value(Geometry<T>::spheres(balls))));
  CHECK(id == 1 && value(scene.closest(ray))->t == 2 && value(before.closest(ray))->t == 6);
  done([&] { return scene.set_mask(id, 4); });
  done([&] { return scene.set_user_data(id, 77); });
  CHECK(value(scene.mask(id)) == 4 && value(scene.user_data(id)) == 77);
  Hit<T> hit;
  CHECK(value(scene.closest(ray, hit, Options().mask(8))) == Status::hit && hit.t == 6 && hit.geometry_id == 0);
  const std::vector<Vector<T>> others = cube_vertices<T>();
  done([&] { return scene.replace(id, value(Geometry<T>::triangles(others, triangles))); });
  CHECK(value(scene.user_data(id)) == 77 && value(scene.closest(ray))->t == 2);
  const std::vector<std::uint32_t> both{0, 1};
  done([&] { return scene.remove(both); });
  CHECK(!value(scene.any(ray)) && value(scene.facts()).geometry_count == 0);
  std::vector<Geometry<T>> more;
  more.push_back(value(Geometry<T>::spheres(balls)));
  more.push_back(value(Geometry<T>::spheres(balls)));
  CHECK((value(scene.add(more)) == std::vector<std::uint32_t>{0, 1}));
  CHECK(fails([&] { return scene.set_mask(9, 1); }, Result::unknown_id, ""));
  CHECK(fails([&] { return scene.replace(both, span<const Geometry<T>>(more.data(), 1)); }, Result::invalid_argument, ""));
}

template <class T>
void instances_are_placed_and_moved() {
  std::optional<Scene<T>> placed(cube<T>());
  Scene<T> scene = value(typename Scene<T>::Builder().instance(*placed, Transform::translation(5, 0, 0)).build());
  const std::uint32_t second = value(scene.add_instance(*placed, Transform::translation(20, 0, 0)));
  CHECK(second == 1 && value(scene.facts()).instance_count == 2);
  CHECK(fails([&] { return placed->set_mask(0, 1); }, Result::in_use, ""));
  placed.reset();
  const Ray<T> ray = along_x<T>(T(0.5), T(0.25));
  CHECK(value(scene.closest(ray))->t == 7 && value(scene.closest(ray))->instance_id == 0);
  done([&] { return scene.set_transform(0, Transform::translation(30, 0, 0)); });
  CHECK(value(scene.closest(ray))->t == 22 && value(scene.closest(ray))->instance_id == second);
  CHECK(value(scene.transform(0)).rows[3] == 30);
  done([&] { return scene.set_instance_mask(second, 0); });
  CHECK(value(scene.closest(ray))->t == 32);

  const Scene<T> outer = value(typename Scene<T>::Builder().instance(scene, Transform()).build());
  const Hit<T> hit = *value(outer.closest(ray));
  CHECK((value(outer.instance_path(hit.instance_id)) == std::vector<std::uint32_t>{0, 0}));
  CHECK(value(outer.instance_path(invalid_id)).empty());
  CHECK(fails([&] { return outer.instance_path(99); }, Result::unknown_id, ""));
}

template <class T>
void files_are_saved_and_opened() {
  const std::string path = std::string("lanecast-scenes-") + (sizeof(T) == 4 ? "f32" : "f64") + ".scene";
  std::size_t calls = 0;
  done([&] { return cube<T>().save(path); });
  done([&] { return cube<T>().save(path, [&calls](std::size_t, std::size_t) { ++calls; }); });
  {
    const Scene<T> opened = value(Scene<T>::open(path));
    done([&] { return opened.check(); });
    CHECK(value(opened.closest(along_x<T>(T(0.5), T(0.25))))->t == 2);
    CHECK(std::holds_alternative<Scene<T>>(value(open_scene(path))));
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    CHECK(fails([&] { return Scene<Other>::open(path); }, Result::invalid_argument, "precision"));
    const auto stop = [](std::size_t, std::size_t) { return false; };
    CHECK(fails([&] { return Scene<T>::open(path, stop); }, Result::stopped, ""));
  }
  const std::vector<std::uint8_t> bytes = value(cube<T>().to_bytes());
  {
    std::ifstream file(path, std::ios::binary);
    CHECK((bytes == std::vector<std::uint8_t>(std::istreambuf_iterator<char>(file), {})));
    const Scene<T> scene = value(Scene<T>::from_bytes(bytes));
    CHECK(value(scene.closest(along_x<T>(T(0.5), T(0.25))))->t == 2);
    const auto stop = [](std::size_t, std::size_t) { return false; };
    CHECK(fails([&] { return cube<T>().to_bytes(stop); }, Result::stopped, ""));
    const span<const std::uint8_t> some(bytes.data(), bytes.size() - 1);
    CHECK(fails([&] { return Scene<T>::from_bytes(some); }, Result::file_error, "truncated"));
  }
  std::remove(path.c_str());
  CHECK(fails([&] { return Scene<T>::open(path); }, Result::file_error, path.c_str()));
  CHECK(fails([&] { return open_scene(path); }, Result::file_error, path.c_str()));
}

void handles_move() {
  Scene<float> scene = cube<float>();
  const lanecast_scene* handle = std::as_const(scene).c();
  Scene<float> moved = std::move(scene);
  CHECK(moved.c() == handle && scene.c() == nullptr);
  CHECK(fails([&] { return scene.closest(std::vector<Ray<float>>(1)); }, Result::invalid_argument, "scene"));
  scene = std::move(moved);
  CHECK(scene.c() == handle && moved.c() == nullptr);
  scene = cube<float>();
  std::vector<Scene<float>> many;
  for (int number = 0; number < 5; ++number) many.push_back(cube<float>());
  many.erase(many.begin());
  CHECK(value(many[3].any(along_x<float>(0.5f, 0.25f))));
  CHECK(fails([&] { return Threads::make(0); }, Result::invalid_argument, "") ||
        fails([&] { return Threads::make(0); }, Result::invalid_input, ""));
  CHECK(std::string(version()).size() >= 5);
}

}  // namespace

int main() {
  scenes_of_all_content<float>();
  scenes_of_all_content<double>();
  vertices_are_welded<float>();
  vertices_are_welded<double>();
  scenes_change<float>();
  scenes_change<double>();
  instances_are_placed_and_moved<float>();
  instances_are_placed_and_moved<double>();
  files_are_saved_and_opened<float>();
  files_are_saved_and_opened<double>();
  handles_move();
}
