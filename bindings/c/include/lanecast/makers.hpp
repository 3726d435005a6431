// Rays that are made while they are cast: of cameras, scanners, hemispheres and the sun.

#ifndef LANECAST_MAKERS_HPP
#define LANECAST_MAKERS_HPP

#include "answers.hpp"

LANECAST_BEGIN

/// How rays spread over a hemisphere: by the cosine of the angle to the normal, or evenly.
enum class Spread : std::int32_t { cosine = LANECAST_SPREAD_COSINE, uniform = LANECAST_SPREAD_UNIFORM };

/// A scanner that spins about its z axis and may be carried along a path. Beams and poses are copied when the maker is made.
struct LidarPattern {
  /// Elevation and azimuth in degrees, and how many seconds after the first beam this one fires.
  Rows<double, 3> beams;
  /// A time in seconds, a position, and a rotation as a quaternion x, y, z, w. One row: the scanner stands there.
  Rows<double, 8> poses;
  /// Firings of all beams in a turn.
  std::uint32_t steps = 0;
  std::uint32_t turns = 1;
  /// The seconds of a turn.
  double seconds = 0.1;
  /// When the first turn begins.
  double start = 0;
  /// Degrees between which all firings lie; 0 and 0 stand for a full turn.
  std::array<double, 2> sector{};
};

/// The receiver of a scanner: it gathers the hits of the rays of a pulse to returns, loses weak ones, and measures their
/// distances with noise. As it is made here it has no errors and keeps the strongest return.
struct Receiver {
  /// Of the random numbers, which depend on it, on the number of the pulse and on nothing else.
  std::uint64_t seed = 0;
  /// The standard deviation of distances: constant, and for each unit of distance.
  std::array<double, 2> range_noise{};
  /// What meets a surface head-on up to this range is surely received, and beyond that, or aslant, less and less; 0
  /// stands for infinity, where nothing is lost.
  double reference_range = std::numeric_limits<double>::infinity();
  /// Returns of a pulse are at least so far apart.
  double resolution = 0;
  Keep keep = Keep::strongest;
  /// The number of the first pulse, where a scan is cast in parts.
  std::size_t first_pulse = 0;
  /// The shares of its energy of the rays of a pulse: `Maker::weights`. Empty: what made the rays knows, or each is a pulse.
  std::vector<double> weights;

  lanecast_receiver c() const noexcept {
    return {sizeof(lanecast_receiver),
            seed,
            {range_noise[0], range_noise[1]},
            reference_range,
            resolution,
            static_cast<lanecast_keep>(keep),
            first_pulse,
            weights.empty() ? nullptr : weights.data(),
            weights.size()};
  }
};

/// When each ray of a scanner is fired, by which beam, and at which azimuth in degrees.
struct LidarPulses {
  std::vector<double> time;
  std::vector<std::uint32_t> beam;
  std::vector<double> azimuth;
};

/// A time of the civil calendar, in UTC; months and days from 1.
using Utc = lanecast_utc;

/// Where the sun is, as a vector of length 1 to it: x to the east, y to the north, z up. Latitude to the north, longitude to
/// the east, in degrees.
inline Outcome<std::array<double, 3>> sun_direction(const Utc& time, double latitude, double longitude) {
  std::array<double, 3> direction{};
  auto failure = detail::checked(lanecast_sun_direction(&time, latitude, longitude, direction.data()));
  return detail::finish(std::move(failure), std::move(direction));
}

/// Rays that are made while they are cast. A maker goes wherever `Rays` do:
///
///     auto camera = Maker<float>::pinhole({0, -5, 2}, {0, 0, 0}, {0, 0, 1}, 40, 640, 480);
///     auto hits = scene.closest(camera);
template <class T>
class Maker {
  static_assert(is_precision<T>, "float or double");

 public:
  using Vector = std::array<double, 3>;

  /// A camera, pixel by pixel and row by row from the upper left. The field of view is that from the lower to the upper edge,
  /// in degrees. Each t is the distance along the line of sight.
  static Outcome<Maker> pinhole(const Vector& eye, const Vector& target, const Vector& up, double field_of_view,
                                std::uint32_t width, std::uint32_t height) {
    return made([&](auto place) {
      return lanecast_pinhole(eye.data(), target.data(), up.data(), field_of_view, width, height, place);
    });
  }
  /// A camera of computer vision: rows (fx, skew, cx; 0, fy, cy; 0, 0, 1), and four rows of four that carry points of the
  /// world to the camera's frame, where z goes along the line of sight.
  static Outcome<Maker> pinhole(const std::array<double, 9>& intrinsic, const std::array<double, 16>& extrinsic,
                                std::uint32_t width, std::uint32_t height) {
    return made([&](auto place) {
      return lanecast_pinhole_of_matrices(intrinsic.data(), extrinsic.data(), width, height, place);
    });
  }
  /// A picture all around: columns go around `up` from the back by the left and the front, rows from straight up to straight
  /// down. Directions have length 1.
  static Outcome<Maker> panorama(const Vector& eye, const Vector& forward, const Vector& up, std::uint32_t width,
                                 std::uint32_t height) {
    return made(
        [&](auto place) { return lanecast_panorama(eye.data(), forward.data(), up.data(), width, height, place); });
  }
  /// The parallel rays of a camera whose picture is so high, in the scene's units.
  static Outcome<Maker> orthographic(const Vector& eye, const Vector& target, const Vector& up, double picture_height,
                                     std::uint32_t width, std::uint32_t height) {
    return made([&](auto place) {
      return lanecast_orthographic(eye.data(), target.data(), up.data(), picture_height, width, height, place);
    });
  }
  /// Parallel rays from the middles of the cells of a grid, by its corner and its two edges.
  static Outcome<Maker> grid(const Vector& corner, const Vector& edge_x, const Vector& edge_y, const Vector& direction,
                             std::uint32_t width, std::uint32_t height) {
    const std::array<double, 6> edges{edge_x[0], edge_x[1], edge_x[2], edge_y[0], edge_y[1], edge_y[2]};
    return made([&](auto place) {
      return lanecast_ray_grid(corner.data(), edges.data(), direction.data(), width, height, place);
    });
  }
  /// A scanner: turn by turn, firing by firing, beam by beam.
  static Outcome<Maker> lidar(const LidarPattern& pattern) {
    const lanecast_lidar_pattern c{sizeof(lanecast_lidar_pattern), pattern.beams.c(), pattern.steps, pattern.turns,
                                   pattern.seconds, pattern.start, {pattern.sector[0], pattern.sector[1]},
                                   pattern.poses.c()};
    return made([&](auto place) { return lanecast_lidar(&c, place); });
  }
  /// So many rays in the cone of each ray of another maker, which may be freed: the first along it, others around it. The
  /// divergence is in milliradians.
  static Outcome<Maker> footprint(const Maker& beams, double divergence, std::uint32_t rays) {
    return made([&](auto place) { return lanecast_footprint(beams.c(), divergence, rays, place); });
  }
  /// So many rays from each point into the hemisphere about its normal, point by point within each direction.
  static Outcome<Maker> hemisphere(const Rows<T, 3>& points, const Rows<T, 3>& normals, std::uint32_t directions,
                                   Spread spread = Spread::cosine, std::uint64_t seed = 0) {
    return made([&](auto place) {
      return lanecast_hemisphere(detail::precision<T>, points.c(), normals.c(), directions,
                                 static_cast<lanecast_spread>(spread), seed, place);
    });
  }
  /// Rays from points towards distant lights, such as the sun hour by hour: light by light, each with all points.
  static Outcome<Maker> sunlight(const Rows<T, 3>& points, const Rows<double, 3>& directions) {
    return made([&](auto place) {
      return lanecast_sunlight(detail::precision<T>, points.c(), directions.c(), place);
    });
  }

  /// The number of rays.
  std::size_t size() const noexcept { return size_; }
  const lanecast_maker* c() const noexcept { return handle_.get(); }

  /// The rays themselves: `count` from number `first` on.
  Outcome<std::vector<Ray<T>>> rays(std::size_t first, std::size_t count) const {
    std::vector<Ray<T>> rays(count);
    auto failure = make(first, {rays, &Ray<T>::origin}, {rays, &Ray<T>::direction});
    return detail::finish(std::move(failure), std::move(rays));
  }
  /// The same to places of the caller, as many of both.
  Outcome<void> rays_into(std::size_t first, const Answers<T, 3>& origins, const Answers<T, 3>& directions) const {
    return detail::finish(make(first, origins, directions));
  }

  /// The shares of a beam's energy of the rays of its cone, of which each beam of a footprint has so many.
  Outcome<std::vector<double>> weights(std::size_t rays) const {
    std::vector<double> weights(rays);
    auto failure = detail::checked(lanecast_footprint_weights(c(), rays, weights.data()));
    return detail::finish(std::move(failure), std::move(weights));
  }

  /// When and by which beam each ray of a scanner is fired.
  Outcome<LidarPulses> pulses() const {
    LidarPulses pulses{std::vector<double>(size_), std::vector<std::uint32_t>(size_), std::vector<double>(size_)};
    auto failure = detail::checked(lanecast_lidar_pulses(c(), size_, {pulses.time.data(), sizeof(double)},
                                                         {pulses.beam.data(), sizeof(std::uint32_t)},
                                                         {pulses.azimuth.data(), sizeof(double)}));
    return detail::finish(std::move(failure), std::move(pulses));
  }

 private:
  Maker() = default;

  template <class F>
  static Outcome<Maker> made(F&& make) {
    Maker maker;
    auto failure = detail::checked(make(maker.handle_.place()));
    if (!failure) failure = detail::checked(lanecast_maker_count(maker.c(), &maker.size_));
    return detail::finish(std::move(failure), std::move(maker));
  }
  detail::Failure make(std::size_t first, const Answers<T, 3>& origins, const Answers<T, 3>& directions) const {
    if (origins.size() != directions.size()) return detail::refused("rays: there are not as many origins as directions");
    return detail::checked(
        lanecast_make_rays(c(), detail::precision<T>, first, origins.size(), origins.c(), directions.c()));
  }

  detail::Handle<lanecast_maker, lanecast_maker_free> handle_;
  std::size_t size_ = 0;
};

LANECAST_END

#endif
