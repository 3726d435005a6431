// Containers, structs, GLM and Eigen as rays, points, vertices and places for answers, without a copy.

#include "check.hpp"

#if __has_include(<glm/glm.hpp>)
#define WITH_GLM
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

#if __has_include(<Eigen/Core>)
#define WITH_EIGEN
#include <Eigen/Core>
#include <Eigen/Geometry>
#endif

using namespace lanecast;

namespace {

struct Point {
  float x, y, z;
};
struct PointWithColour {
  float x, y, z;
  std::uint32_t colour;
};
/// A class of vectors as many have them.
struct Indexed {
  double numbers[3];
  double& operator[](std::size_t axis) { return numbers[axis]; }
  const double& operator[](std::size_t axis) const { return numbers[axis]; }
};
/// One that only a specialisation of RowTraits makes known.
class Unknown {
 public:
  Unknown(float x, float y, float z) : numbers_{x, y, z} {}
  float x() const { return numbers_[0]; }

 private:
  float numbers_[3];
};
/// Others are no rows.
struct Apart {
  float x, pad, y, z;
};
struct Swapped {
  float z, y, x;
};
struct Pointers {
  double *a, *b, *c;
  double& operator[](std::size_t place) { return a[place]; }
  std::size_t size() const { return 3; }
};

}  // namespace

template <>
struct lanecast::RowTraits<Unknown> {
  using scalar = float;
  static constexpr std::size_t count = 3;
};

namespace {

static_assert(detail::is_row<Point, float, 3> && detail::is_row<PointWithColour, float, 3>);
static_assert(detail::is_row<Indexed, double, 3> && !detail::is_row<Indexed, float, 3>);
static_assert(detail::is_row<float[3], float, 3> && detail::is_row<Vector<double>, double, 3>);
static_assert(detail::is_row<Unknown, float, 3>);
static_assert(detail::is_row<std::array<int, 3>, std::uint32_t, 3>);
static_assert(!detail::is_row<Apart, float, 3> && !detail::is_row<Swapped, float, 3>);
static_assert(!detail::is_row<std::vector<double>, double, 3> && !detail::is_row<Pointers, double, 3>);
static_assert(!detail::is_row<std::string, char, 32> && !detail::is_row<std::array<float, 4>, float, 3>);
static_assert(detail::is_row<Sphere<float>, float, 4> && detail::is_row<OrientedBox<double>, double, 15>);
// Precisions do not mix.
static_assert(!std::is_constructible_v<Vectors<double>, std::vector<Point>>);
static_assert(!std::is_constructible_v<Rays<double>, std::vector<Ray<float>>>);
static_assert(!std::is_constructible_v<Column<double>, std::vector<float>>);
static_assert(!std::is_constructible_v<Answers<double>, std::vector<float>&>);
// Answers are not written to what is const.
static_assert(!std::is_constructible_v<Answers<float>, const std::vector<float>&>);

struct Beam {
  std::uint16_t channel;
  Point from;
  double stamp;
  float along[3];
  float range;
  // Answers.
  float depth;
  std::uint32_t hit;
  std::uint8_t status;
  Vector<float> normal;
};

struct Derived : Beam {
  int more = 0;
};

void members_of_structs_are_read_and_written() {
  const Scene<float> scene = cube<float>();
  std::vector<Derived> beams(3);
  for (Derived& beam : beams) {
    beam.from = {-3, 0.5f, 0.25f};
    beam.along[0] = 1;
    beam.along[1] = beam.along[2] = 0;
    beam.range = 10;
  }
  beams[1].range = 1;
  beams[2].from.y = 2;
  const auto rays = Rays<float>(beams, &Beam::from, &Beam::along).t_max(beams, &Beam::range).t_min(0.f);
  CHECK(rays.size() == 3);
  done([&] {
    return scene.closest_into(rays, HitColumns<float>()
                                        .t(beams, &Beam::depth)
                                        .primitive_id(beams, &Beam::hit)
                                        .status(beams, &Beam::status)
                                        .normal(beams, &Beam::normal));
  });
  CHECK(beams[0].depth == 2 && beams[0].status == LANECAST_HIT && beams[0].hit < 12 && beams[0].normal[0] == -4);
  CHECK(beams[1].status == LANECAST_MISS && std::isinf(beams[1].depth) && beams[2].hit == invalid_id);
  CHECK(beams[0].range == 10 && beams[0].along[0] == 1 && beams[0].more == 0);
  std::uint8_t status[3];
  done([&] { return scene.any_into(rays, status); });
  CHECK(status[0] == 1 && status[1] == 0 && status[2] == 0);

  std::vector<float> two(2), three(3);
  CHECK(fails([&] { return scene.closest_into(rays, HitColumns<float>().t(two)); }, Result::invalid_argument, "count"));
  CHECK(fails([&] { return scene.closest_into(rays, HitColumns<float>().t(three).u(two)); }, Result::invalid_argument, "u"));
  CHECK(fails([&] { return scene.closest(Rays<float>(beams, &Beam::from, &Beam::along).t_max(two)); },
              Result::invalid_argument, "t_max"));
}

template <class V, class C>
void vectors_from(const C& origins, const std::vector<V>& directions) {
  using T = typename RowTraits<V>::scalar;
  const Scene<T> scene = cube<T>();
  const Hits<T> hits = value(scene.closest({origins, directions}));
  CHECK(hits.size() == 2 && hits.t[0] == 2 && !hits.is_hit(1));
}

void containers_of_vectors() {
  vectors_from<Vector<float>>(std::vector<Point>{{-3, 0.5f, 0.25f}, {-3, 2, 0}}, {{1, 0, 0}, {1, 0, 0}});
  vectors_from<Point>(std::array<PointWithColour, 2>{{{-3, 0.5f, 0.25f, 7}, {-3, 2, 0, 7}}}, {{1, 0, 0}, {1, 0, 0}});
  vectors_from<Indexed>(std::vector<Indexed>{{{-3, 0.5, 0.25}}, {{-3, 2, 0}}}, {{{1, 0, 0}}, {{1, 0, 0}}});
  vectors_from<Unknown>(std::vector<Unknown>{{-3, 0.5f, 0.25f}, {-3, 2, 0}}, {{1, 0, 0}, {1, 0, 0}});

  const Scene<float> scene = cube<float>();
  const float origins[2][3] = {{-3, 0.5f, 0.25f}, {-3, 2, 0}};
  const std::vector<float> flat{-3, 0.5f, 0.25f, -3, 2, 0}, x{-3, -3}, y{0.5f, 2}, z{0.25f, 0};
  const auto ahead = Vectors<float>::all(1, 0, 0);
  CHECK(value(scene.closest({origins, ahead})).t[0] == 2);
  CHECK(value(scene.closest({Vectors<float>(Rows<float, 3>::flat(flat)), ahead})).t[0] == 2);
  CHECK(value(scene.closest({Vectors<float>::columns(x, y, z), ahead})).t[0] == 2);
  const std::vector<Point> points{{-3, 0.5f, 0.25f}, {-3, 2, 0}};
  CHECK(value(scene.closest({Vectors<float>(points, &Point::x, &Point::y, &Point::z), ahead})).t[0] == 2);
  CHECK(value(scene.closest({Vectors<float>::all(points[0]), Vectors<float>::all(Point{1, 0, 0})})).t[0] == 2);
  CHECK(value(scene.closest({span<const Point>(points), ahead})).size() == 2);
  CHECK(fails([&] { return scene.closest({Vectors<float>::columns(x, y, span<const float>()), ahead}); },
              Result::invalid_argument, "lengths"));
  CHECK(fails([&] { return scene.closest({points, std::vector<Point>(3)}); }, Result::invalid_argument, "directions"));
  CHECK(value(scene.closest({std::vector<Point>(), std::vector<Point>()})).size() == 0);
  CHECK(value(scene.closest_points(std::vector<Point>(), std::vector<float>())).size() == 0);
  CHECK(value(scene.distance(std::vector<Point>{{0, 0, 0}})).value[0] == 1);
}

void vertices_with_other_fields() {
  struct Vertex {
    float normal[3];
    Point position;
    float u, v;
  };
  std::vector<Vertex> vertices;
  for (const Vector<float>& at : cube_vertices<float>()) {
    vertices.push_back({{9, 9, 9}, {at[0], at[1], at[2]}, 9, 9});
  }
  const auto scene = value(Scene<float>::of_triangles({vertices, &Vertex::position}, cube_triangles()));
  const SceneFacts facts = value(scene.facts());
  CHECK(facts.bounds.min[0] == -1 && facts.bounds.max[2] == 1);
  CHECK(value(scene.closest(along_x<float>(0.5f, 0.25f)))->t == 2);
}

#ifdef WITH_GLM
static_assert(detail::is_row<glm::vec3, float, 3> && detail::is_row<glm::vec4, float, 3> && detail::is_row<glm::dvec3, double, 3>);
static_assert(detail::is_row<glm::uvec3, std::uint32_t, 3> && detail::is_row<glm::uvec4, std::uint32_t, 4>);
static_assert(detail::is_row<glm::vec4, float, 4> && !detail::is_row<glm::vec2, float, 3> && !detail::is_row<glm::mat3, float, 3>);

void glm_vectors() {
  std::vector<glm::vec3> vertices;
  for (const Vector<float>& at : cube_vertices<float>()) vertices.emplace_back(at[0], at[1], at[2]);
  std::vector<glm::uvec3> triangles;
  for (const Triangle& at : cube_triangles()) triangles.emplace_back(at[0], at[1], at[2]);
  Scene<float> scene = value(Scene<float>::of_triangles(vertices, triangles));
  const std::vector<glm::vec3> origins{{-3, 0.5f, 0.25f}, {-3, 2, 0}}, directions{{1, 0, 0}, {1, 0, 0}};
  std::vector<glm::vec3> normals(2);
  done([&] { return scene.closest_into({origins, directions}, HitColumns<float>().normal(normals)); });
  CHECK(normals[0] == glm::vec3(-4, 0, 0));
  vectors_from<glm::vec3>(std::vector<glm::vec4>{{-3, 0.5f, 0.25f, 1}, {-3, 2, 0, 1}}, directions);
  const std::vector<glm::vec4> balls{{0, 0, 0, 1}};
  CHECK(value(value(Scene<float>::build(value(Geometry<float>::spheres(balls)))).any(along_x<float>(0, 0))));

  const glm::mat4 moved = glm::translate(glm::mat4(1), glm::vec3(5, 0, 0));
  const auto around = value(Scene<float>::Builder().instance(scene, Transform::of_columns(moved)).build());
  CHECK(value(around.closest(along_x<float>(0.5f, 0.25f)))->t == 7);
}
#endif

#ifdef WITH_EIGEN
static_assert(detail::is_row<Eigen::Vector3f, float, 3> && detail::is_row<Eigen::Vector3d, double, 3>);
static_assert(detail::is_row<Eigen::Vector3i, std::uint32_t, 3> && !detail::is_row<Eigen::Vector4f, float, 3>);
static_assert(!std::is_constructible_v<Rows<float, 3>, Eigen::VectorXf>);
// A single vector is a matrix of one.
static_assert(std::is_constructible_v<Rows<float, 3>, Eigen::Vector3f>);
// Numbers that do not lie side by side are not taken.
static_assert(!std::is_constructible_v<Rows<float, 3>, Eigen::Map<Eigen::Matrix3Xf, 0, Eigen::Stride<6, 2>>>);

void eigen_vectors_and_matrices() {
  std::vector<Eigen::Vector3d> vertices;
  for (const Vector<double>& at : cube_vertices<double>()) vertices.emplace_back(at[0], at[1], at[2]);
  std::vector<Eigen::Vector3i> triangles;
  for (const Triangle& at : cube_triangles()) triangles.emplace_back(int(at[0]), int(at[1]), int(at[2]));
  const auto scene = value(Scene<double>::of_triangles(vertices, triangles));
  const std::vector<Eigen::Vector3d> origins{{-3, 0.5, 0.25}, {-3, 2, 0}}, directions{{1, 0, 0}, {1, 0, 0}};
  std::vector<Eigen::Vector3d> normals(2);
  done([&] { return scene.closest_into({origins, directions}, HitColumns<double>().normal(normals)); });
  CHECK(normals[0] == Eigen::Vector3d(-4, 0, 0));
  vectors_from<Eigen::Vector3d>(origins, directions);

  // Vectors as columns of a matrix, as its rows, and as rows in columns.
  Eigen::Matrix3Xd in_columns(3, 2);
  in_columns << -3, -3, 0.5, 2, 0.25, 0;
  const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> in_rows = in_columns.transpose();
  const Eigen::MatrixX3d apart = in_columns.transpose();
  vectors_from<Eigen::Vector3d>(in_columns, directions);
  vectors_from<Eigen::Vector3d>(in_rows, directions);
  vectors_from<Eigen::Vector3d>(apart, directions);
  CHECK((Rows<double, 3>(in_columns).size() == 2 && !std::is_constructible_v<Rows<double, 3>, Eigen::MatrixX3d>));

  Eigen::Affine3d moved = Eigen::Affine3d::Identity();
  moved.translate(Eigen::Vector3d(5, 0, 0));
  const auto around = value(Scene<double>::Builder().instance(scene, Transform::of_matrix(moved)).build());
  CHECK(value(around.closest(along_x<double>(0.5, 0.25)))->t == 7);
}
#endif

}  // namespace

int main() {
  members_of_structs_are_read_and_written();
  containers_of_vectors();
#ifdef WITH_GLM
  glm_vectors();
#endif
#ifdef WITH_EIGEN
  eigen_vectors_and_matrices();
#endif
  vertices_with_other_fields();
}
