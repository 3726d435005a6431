// Rays that are made while they are cast, both sides of lines, and points and normals of hits.

#include "check.hpp"

using namespace lanecast;

namespace {

template <class T>
void makers_go_wherever_rays_do() {
  const Scene<T> scene = cube<T>();
  // Of a field of view so small that all pixels see the face at x = -1.
  const Maker<T> camera = value(Maker<T>::pinhole({-5, 0, 0}, {0, 0, 0}, {0, 0, 1}, 10, 8, 6));
  CHECK(camera.size() == 48);
  const Hits<T> hits = value(scene.closest(camera));
  for (const T t : hits.t) CHECK(std::fabs(t - 4) < T(1e-5));
  CHECK(value(scene.any(Rays<T>(camera).t_max(T(3))))[0] == Status::miss);
  // Made beforehand they are the same rays.
  const std::vector<Ray<T>> rays = value(camera.rays(0, camera.size()));
  CHECK(value(scene.closest(rays)).t == hits.t && rays[47].origin[0] == -5);
  std::vector<Vector<T>> origins(2), directions(2);
  done([&] { return camera.rays_into(46, origins, directions); });
  CHECK(directions[1] == rays[47].direction);
  CHECK(fails([&] { return camera.rays(47, 2); }, Result::invalid_argument, "2 from 47"));
  CHECK(fails([&] { return camera.rays_into(0, origins, Answers<T, 3>()); }, Result::invalid_argument,
              "origins"));

  const Maker<T> footprint = value(Maker<T>::footprint(camera, 1, 5));
  CHECK(footprint.size() == 240 && value(scene.any(footprint))[239] == Status::hit);
  CHECK(value(scene.any(value(Maker<T>::panorama({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 4, 2))))[7] == Status::hit);
  CHECK(value(scene.closest(value(Maker<T>::orthographic({-5, 0, 0}, {0, 0, 0}, {0, 0, 1}, 1, 2, 2)))).t[3] == 4);
  CHECK(value(scene.closest(value(Maker<T>::grid({-1, -1, 5}, {2, 0, 0}, {0, 2, 0}, {0, 0, -1}, 2, 2)))).t[3] == 4);
  // Looks along x, with y of the picture downwards.
  const Maker<T> matrices = value(Maker<T>::pinhole({100, 0, 1, 0, 100, 1, 0, 0, 1},
                                                    {0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 5, 0, 0, 0, 1}, 2, 2));
  CHECK(std::fabs(value(scene.closest(matrices)).t[0] - 4) < T(1e-5));

  const std::vector<std::array<double, 3>> beams{{0, 0, 0}, {1, 0, 0.001}};
  const std::vector<std::array<double, 8>> poses{{0, 0, 0, 0, 0, 0, 0, 1}};
  LidarPattern pattern;
  pattern.beams = beams;
  pattern.poses = poses;
  pattern.steps = 4;
  const Maker<T> lidar = value(Maker<T>::lidar(pattern));
  const LidarPulses pulses = value(lidar.pulses());
  CHECK(lidar.size() == 8 && pulses.beam[1] == 1 && pulses.time[7] > pulses.time[0] && pulses.azimuth.size() == 8);
  CHECK(value(scene.any(lidar))[0] == Status::hit);
  CHECK(fails([&] { return camera.pulses(); }, Result::invalid_argument, ""));

  // The beams look along y, against x, and so on from within: two of them at a time.
  const ReturnLists<T> returns = value(scene.lidar_returns(lidar));
  CHECK(returns.size() == 8 && returns.returns() == 8 && returns.statuses().size() == 8);
  CHECK(returns[0][0].distance == value(scene.closest(lidar)).t[0] && returns[0][0].number == 1 && returns[0][0].count == 1);
  // A cone whose hits are one return, of the energy of all its rays.
  const Maker<T> cones = value(Maker<T>::footprint(lidar, 1, 5));
  const std::vector<double> weights = value(cones.weights(5));
  CHECK(std::fabs(weights[0] + weights[1] + weights[2] + weights[3] + weights[4] - 1) < 1e-12);
  CHECK(fails([&] { return cones.weights(4); }, Result::invalid_argument, "count"));
  Receiver receiver;
  receiver.resolution = 0.5;
  const ReturnLists<T> wide = value(scene.lidar_returns(cones, receiver));
  CHECK(wide.size() == 8 && wide.returns() == 8 && wide.statuses().size() == 40 && wide.status(39) == Status::hit);
  receiver.reference_range = 1e-6;
  CHECK(value(scene.lidar_returns(cones, receiver))[0].empty());
  receiver.weights = {1, 1, 1};
  CHECK(fails([&] { return scene.lidar_returns(cones, receiver); }, Result::invalid_argument, "rays.count"));

  const std::vector<Vector<T>> points{{-2, 0, 0}, {2, 0, 0}}, normals{{1, 0, 0}, {1, 0, 0}};
  const Maker<T> sky = value(Maker<T>::hemisphere(points, normals, 10, Spread::uniform, 3));
  CHECK(sky.size() == 20);
  const std::vector<std::array<double, 3>> lights{{1, 0, 0}, {0, 0, 1}};
  const std::vector<Status> shaded = value(scene.any(value(Maker<T>::sunlight(points, lights))));
  CHECK(shaded[0] == Status::hit && shaded[1] == Status::miss && shaded[2] == Status::miss);
}

template <class T>
void lines_have_two_sides() {
  const Scene<T> scene = cube<T>();
  const std::vector<Vector<T>> origins{{0, T(0.5), T(0.25)}}, directions{{1, 0, 0}};
  const LineHits<T> hits = value(scene.line_hits({origins, directions}));
  CHECK(hits.size() == 1 && hits.ahead.t[0] == 1 && hits.behind.t[0] == -1);
  CHECK(!value(scene.line_hits(std::vector<Ray<T>>{{origins[0], directions[0]}})).behind.is_hit(0));
  std::vector<T> ahead(1), behind(1);
  done([&] {
    return scene.line_hits_into({origins, directions}, HitColumns<T>().t(ahead), HitColumns<T>().t(behind));
  });
  CHECK(ahead[0] == 1 && behind[0] == -1);
}

template <class T>
void hits_are_located() {
  const Scene<T> scene = cube<T>();
  const std::vector<Ray<T>> rays{along_x<T>(T(0.5), T(0.25)), along_x<T>(2, 0)};
  const Hits<T> hits = value(scene.closest(rays));
  const Surface<T> surface = value(scene.locate(rays, hits, true));
  CHECK(surface.size() == 2 && surface.status[0] == Status::hit && surface.status[1] == Status::miss);
  CHECK((surface.point[0] == Vector<T>{-1, T(0.5), T(0.25)} && surface.geometric_normal[0] == Vector<T>{-1, 0, 0}));
  CHECK(surface.shading_normal[0] == surface.geometric_normal[0]);

  // All normals of vertices point up.
  const std::vector<Vector<T>> up(8, Vector<T>{0, 0, 2});
  const auto triangles = cube_triangles();
  const std::vector<VertexNormals<T>> normals{{0, triangles, up}};
  CHECK((value(scene.locate(rays, hits, true, normals)).shading_normal[0] == Vector<T>{0, 0, 1}));
  std::vector<Vector<T>> points(2);
  Hits<T> reused;
  done([&] { return scene.closest_into(rays, reused); });
  done([&] { return scene.locate_into(rays, reused.columns(), false, {}, SurfaceColumns<T>().point(points)); });
  CHECK(points[0] == surface.point[0]);

  Hit<T> hit;
  Vector<T> normal{};
  CHECK(value(scene.closest(rays[0], hit, normal)) == Status::hit && hit.t == 2 && normal[0] == -4);
  CHECK(value(scene.closest(rays[0], hit, normal, Options().culling(Culling::front))) == Status::hit && normal[0] == 4);
}

void the_sun_is_in_the_south_at_noon() {
  const std::array<double, 3> direction = value(sun_direction({2026, 6, 21, 12, 0, 0}, 50, 0));
  CHECK(direction[1] < 0 && direction[2] > 0.8 && std::fabs(direction[0]) < 0.05);
  CHECK(fails([] { return sun_direction({2026, 13, 1, 0, 0, 0}, 0, 0); }, Result::invalid_input, ""));
}

}  // namespace

int main() {
  makers_go_wherever_rays_do<float>();
  makers_go_wherever_rays_do<double>();
  lines_have_two_sides<float>();
  lines_have_two_sides<double>();
  hits_are_located<float>();
  hits_are_located<double>();
  the_sun_is_in_the_south_at_noon();
}
