// Each query of rays, points, sight and regions, and its answers, in both precisions.

#include "check.hpp"

using namespace lanecast;

template <class T>
void rays_are_answered() {
  const Scene<T> scene = cube<T>();
  // Through the middle of a face's triangle, past the cube, of no direction, and stopped before.
  std::vector<Ray<T>> rays{along_x<T>(T(0.5), T(0.25)), along_x<T>(2, 0), {{0, 0, 0}, {0, 0, 0}}, along_x<T>(T(0.5), T(0.25))};
  rays[3].t_max = 1;

  const Hits<T> hits = value(scene.closest(rays));
  CHECK(hits.size() == 4);
  CHECK(hits.is_hit(0) && !hits.is_hit(1) && hits.status[1] == Status::miss);
  CHECK(hits.status[2] == Status::zero_direction && hits.status[3] == Status::miss);
  CHECK(hits.t[0] == 2 && hits[0].t == 2 && std::isinf(hits.t[1]) && hits.primitive_id[1] == invalid_id);
  CHECK(hits.geometry_id[0] == 0 && hits.instance_id[0] == invalid_id && hits.normal.empty());
  CHECK(hits.primitive_id[0] == 8 || hits.primitive_id[0] == 9);

  Hits<T> reused;
  reused.with_normals = true;
  done([&] { return scene.farthest_into(rays, reused); });
  CHECK(reused.t[0] == 4 && reused.normal[0][0] == 4 && reused.normal[0][1] == 0);
  CHECK(value(scene.farthest(rays)).t[0] == 4);
  done([&] { return scene.closest_into(rays, reused); });
  CHECK(reused.t[0] == 2 && reused.normal[0][0] == -4);

  const std::vector<Status> any = value(scene.any(rays));
  CHECK(any[0] == Status::hit && any[1] == Status::miss && any[2] == Status::zero_direction);

  const Values<std::int32_t> deeper = value(scene.signed_count(rays));
  CHECK(deeper.value[0] == 0 && deeper.value[1] == 0 && deeper.value[3] == 0 && deeper.status[2] == Status::zero_direction);
  const Counts counts = value(scene.count(rays));
  CHECK(counts.hits[0] == 2 && counts.hits[1] == 0 && counts.status[2] == Status::zero_direction);
  // A ray along the diagonal edge of two faces touches both triangles of each.
  const std::vector<Ray<T>> edge{along_x<T>(0, 0)};
  CHECK(value(scene.count(edge)).hits[0] == 2);
  CHECK(value(scene.count(edge, Options().contact(Contact::touch))).hits[0] == 4);

  const Costs costs = value(scene.cost(rays));
  CHECK(costs.size() == 4 && costs.nodes[0] + costs.leaves[0] > 0 && costs.primitives[0] > 0);
  std::vector<std::uint32_t> boxes(4);
  done([&] { return scene.cost_into(rays, CostColumns().boxes(boxes)); });
  CHECK(boxes == costs.boxes);
  std::vector<int> numbers(4);
  done([&] { return scene.count_into(rays, CountColumns().hits(numbers)); });
  CHECK(numbers[0] == 2);
}

template <class T>
void lists_are_read_in_place() {
  const Scene<T> scene = cube<T>();
  const std::vector<Ray<T>> rays{along_x<T>(T(0.5), T(0.25)), along_x<T>(2, 0)};
  HitLists<T> made = value(scene.all(rays));
  const HitList<T> kept = made[0];
  const HitLists<T> lists = std::move(made);
  CHECK(lists.size() == 2 && lists.hits() == 2 && lists.status(0) == Status::hit && lists.statuses()[1] == Status::miss);
  CHECK(kept.size() == 2 && kept[0].t == 2 && kept[1].t == 4 && lists[1].empty());
  T last = 0;
  std::size_t seen = 0;
  for (const HitList<T>& list : lists) {
    for (const Hit<T>& hit : list) {
      CHECK(hit.t > last && hit.geometry_id == 0 && hit.instance_id == invalid_id);
      last = hit.t;
      ++seen;
    }
  }
  CHECK(seen == 2);
  CHECK(value(scene.nearest(rays, 1))[0].size() == 1);
  CHECK(value(scene.all(std::vector<Ray<T>>())).size() == 0);
  CHECK(HitLists<T>().size() == 0);
}

template <class T>
void single_rays_are_answered() {
  const Scene<T> scene = cube<T>();
  const Ray<T> ray = along_x<T>(T(0.5), T(0.25)), past = along_x<T>(2, 0), none{};
  Hit<T> hit;
  CHECK(value(scene.closest(ray, hit)) == Status::hit && hit.t == 2 && hit.geometry_id == 0);
  CHECK(value(scene.closest(past, hit)) == Status::miss);
  CHECK(value(scene.closest(none, hit)) == Status::zero_direction);
  CHECK(value(scene.closest(ray))->t == 2);
  CHECK(!value(scene.closest(past)).has_value());
  CHECK(value(scene.any(ray)) && !value(scene.any(past)) && !value(scene.any(none)));
  CHECK(value(scene.any_status(none)) == Status::zero_direction);
  const Options backs = Options().culling(Culling::back);
  CHECK(value(scene.closest(ray, hit, backs)) == Status::hit && hit.t == 2);
  CHECK(value(scene.closest(ray, hit, Options().culling(Culling::front))) == Status::hit && hit.t == 4);
  CHECK(value(scene.any_status(ray, Options().mask(0x10))) == Status::hit);
}

template <class T>
void options_are_used() {
  const Scene<T> scene = cube<T>();
  const std::vector<Ray<T>> rays(100, along_x<T>(T(0.5), T(0.25)));
  const auto t_of = [&](const Options& options) { return value(scene.closest(rays, options)).t[99]; };
  const Threads threads = value(Threads::make(2));
  CHECK(t_of(Options().threads(threads).backend(Backend::portable).brute_force().coherence(Coherence::coherent)) == 2);
  CHECK(t_of(Options().culling(Culling::front)) == 4);

  std::vector<std::uint32_t> first(100, value(scene.closest(rays)).primitive_id[0]), zeros(100, 0), none(100, invalid_id);
  CHECK(t_of(Options().skip(zeros, first)) == 4);
  CHECK(t_of(Options().skip(zeros, first).skip_in(none)) == 4);
  std::vector<std::uint32_t> masks(100, 1);
  CHECK(t_of(Options().masks(masks)) == 2);

  masks.pop_back();
  CHECK(fails([&] { return scene.closest(rays, Options().masks(masks)); }, Result::invalid_argument, "masks"));
  CHECK(fails([&] { return scene.closest(rays, Options().skip(zeros, masks)); }, Result::invalid_argument, "skip"));
  CHECK(fails([&] { return scene.closest(rays, Options().generalised_winding()); }, Result::invalid_argument, "winding"));
}

template <class T>
void points_are_answered() {
  const Scene<T> scene = cube<T>();
  const std::vector<Vector<T>> points{{T(0.5), 0, 0}, {3, 0, 0}, {T(NAN), 0, 0}};

  const ClosestPoints<T> closest = value(scene.closest_points(points, T(1)));
  CHECK(closest.is_hit(0) && closest.distance[0] == T(0.5) && closest.point[0][0] == 1);
  CHECK(closest.status[1] == Status::miss && closest.status[2] == Status::invalid_origin);
  const std::vector<T> radii{1, 5, 1};
  ClosestPoints<T> reused;
  reused.with_normals = true;
  done([&] { return scene.closest_points_into(points, radii, reused); });
  CHECK(reused.is_hit(1) && reused.distance[1] == 2 && reused.normal[1][0] == 4);
  std::vector<T> distances(3);
  done([&] { return scene.closest_points_into(points, {}, ClosestPointColumns<T>().distance(distances)); });
  CHECK(distances[1] == 2);

  const PointLists<T> nearest = value(scene.nearest_points(points, 2));
  CHECK(nearest.size() == 3 && nearest[1].size() == 2 && nearest[1][0].distance == 2 && nearest[1][0].point[0] == 1);
  CHECK(value(scene.points_within(points, T(0.6)))[0].size() >= 1);
  CHECK(value(scene.points_within(points, T(0.6)))[1].empty());

  const Values<T> distance = value(scene.distance(points));
  CHECK(distance.value[0] == T(0.5) && distance.value[1] == 2);
  CHECK(value(scene.signed_distance(points)).value[0] == T(-0.5));
  done([&] { return scene.signed_distance_into(points, ValueColumns<T>().value(distances)); });
  CHECK(distances[0] == T(-0.5) && distances[1] == 2);

  const Values<std::int32_t> inside = value(scene.contains(points));
  CHECK(inside.status[0] == Status::hit && inside.value[0] == 1 && inside.status[1] == Status::miss && inside.value[1] == 0);
  const Values<float> winding = value(scene.winding_number(points));
  CHECK(std::fabs(winding.value[0] - 1) < 1e-3f && std::fabs(winding.value[1]) < 1e-3f);

  const Grid grid{{-2, 0, 0}, {2, 1, 1}, {3, 1, 1}};
  CHECK((value(scene.occupancy(grid)) == std::vector<std::uint8_t>{0, 1, 0}));
  CHECK((value(scene.occupancy(grid, Options().generalised_winding(2))) == std::vector<std::uint8_t>{0, 1, 0}));

  CHECK(fails([&] { return scene.closest_points(points, std::vector<T>{1, 2}); }, Result::invalid_argument, "radius"));
}

template <class T>
void an_open_surface_has_no_inside() {
  const std::vector<Triangle> lid{{4, 5, 7}};
  const Scene<T> scene = value(Scene<T>::of_triangles(cube_vertices<T>(), lid));
  const std::vector<Vector<T>> points{{0, 0, 0}};
  CHECK(fails([&] { return scene.contains(points); }, Result::unanswerable, ""));
  CHECK(value(scene.contains(points, Options().generalised_winding())).status[0] == Status::miss);
}

template <class T>
void picks_have_points() {
  const Scene<T> scene = cube<T>();
  const std::vector<Ray<T>> ray{along_x<T>(T(0.5), T(0.25))};
  const std::vector<Pick> picks = value(scene.pick(ray));
  CHECK(picks.size() == 2 && picks[0].point[0] == -1 && picks[0].normal[0] == -1 && picks[1].point[0] == 1);
  CHECK(picks[0].instance_path.empty() && picks[0].local_point == picks[0].point && picks[0].hit.geometry_id == 0);
  CHECK(value(scene.pick(ray, PickLimit::one_per_geometry)).size() == 1);
  CHECK(ReturnLists<T>().returns() == 0 && ReturnLists<T>().statuses().empty() && HitLists<T>().hits() == 0);
  const std::vector<Culling> cullings{Culling::back};
  CHECK(value(scene.pick(ray, PickLimit::all, Options().cullings(cullings))).size() == 1);
  const std::vector<Culling> two(2, Culling::none);
  CHECK(fails([&] { return scene.pick(ray, PickLimit::all, Options().cullings(two)); }, Result::invalid_argument, "cullings"));
  CHECK(fails([&] { return scene.pick(std::vector<Ray<T>>(2, ray[0])); }, Result::invalid_argument, "rays.count"));

  // Placed to the right, and there again.
  const Scene<T> inner = value(typename Scene<T>::Builder().instance(scene, Transform::translation(9, 0, 0)).build());
  const Scene<T> outer = value(typename Scene<T>::Builder().instance(inner, Transform::translation(9, 0, 0)).build());
  const std::vector<Pick> placed = value(outer.pick(ray, PickLimit::nearest));
  CHECK(placed.size() == 1 && placed[0].point[0] == 17 && placed[0].local_point[0] == -1);
  CHECK((placed[0].instance_path == std::vector<std::uint32_t>{0, 0}));
}

template <class T>
void sight_and_regions() {
  const Scene<T> scene = cube<T>();
  const std::vector<Vector<T>> observers{{-3, 0, 0}}, targets{{3, 0, 0}, {-3, 5, 0}};
  const Visibility seen = value(scene.sight({observers, targets}));
  CHECK(!seen.sees(0, 0) && seen.sees(0, 1) && seen.words().size() == 1 && seen.words()[0] == 2);
  // Only the part within the cube is left.
  CHECK(value(scene.sight(SightLines<T>(observers, targets).shortened(0.4))).sees(0, 0));
  const std::vector<Vector<T>> on_face{{-1, T(0.5), T(0.25)}};
  const std::vector<std::uint32_t> geometry{0}, face{value(scene.closest(along_x<T>(T(0.5), T(0.25))))->primitive_id};
  CHECK(value(scene.sight(SightLines<T>(observers, on_face).targets_on(geometry, face))).sees(0, 0));
  CHECK(fails([&] { return scene.sight(SightLines<T>(observers, targets).targets_on(geometry, face)); },
              Result::invalid_argument, "ids"));

  const std::optional<Hit<double>> wall = value(scene.first_obstacle({observers, targets}, 0, 0));
  CHECK(wall && std::fabs(wall->t - 1.0 / 3) < 1e-6 && !value(scene.first_obstacle({observers, targets}, 0, 1)));
  CHECK(fails([&] { return scene.first_obstacle({observers, targets}, 1, 0); }, Result::invalid_input, "observer"));
  // A mask a line: nothing has a bit of the first.
  const std::vector<std::uint32_t> masks{0, 1};
  const Options of_lines = Options().masks(masks);
  CHECK(!value(scene.first_obstacle({observers, targets}, 0, 0, of_lines)));
  CHECK(value(scene.sight({observers, targets}, of_lines)).sees(0, 0));

  CHECK(value(scene.overlaps(Region::box({0, 0, 0}, {2, 2, 2}))));
  CHECK(!value(scene.overlaps(Region::sphere({0, 0, 0}, 0.5))));
  const std::vector<std::array<double, 4>> planes{{1, 0, 0, -0.5}};
  const std::vector<PrimitiveId> found = value(scene.overlapping(Region::planes(planes)));
  CHECK(found.size() == 10 && found[0].geometry_id == 0 && found[0].instance_id == invalid_id);
}

int main() {
  rays_are_answered<float>();
  rays_are_answered<double>();
  lists_are_read_in_place<float>();
  lists_are_read_in_place<double>();
  single_rays_are_answered<float>();
  single_rays_are_answered<double>();
  options_are_used<float>();
  options_are_used<double>();
  points_are_answered<float>();
  points_are_answered<double>();
  an_open_surface_has_no_inside<float>();
  an_open_surface_has_no_inside<double>();
  picks_have_points<float>();
  picks_have_points<double>();
  sight_and_regions<float>();
  sight_and_regions<double>();
}
