// tinybvh's eight-wide tree for CPUs behind four C functions; `fetch.sh` compiles it.
#define TINYBVH_IMPLEMENTATION
#include "tiny_bvh.h"

#include <cmath>
#include <vector>

namespace {
// tinybvh refers to the triangles that it was given.
struct Scene {
    std::vector<tinybvh::bvhvec4> corners;
    tinybvh::BVH8_CPU tree;
};

tinybvh::Ray ray(const float* origin, const float* direction, float reach) {
    return tinybvh::Ray(tinybvh::bvhvec3(origin[0], origin[1], origin[2]),
                        tinybvh::bvhvec3(direction[0], direction[1], direction[2]), reach);
}
}  // namespace

extern "C" {
void* lanecast_tinybvh_build(const float* corners, uint32_t triangles) {
    Scene* scene = new Scene;
    const tinybvh::bvhvec4* first = reinterpret_cast<const tinybvh::bvhvec4*>(corners);
    scene->corners.assign(first, first + 3 * size_t(triangles));
    scene->tree.Build(scene->corners.data(), triangles);
    return scene;
}

void lanecast_tinybvh_release(void* scene) { delete static_cast<Scene*>(scene); }

float lanecast_tinybvh_closest(const void* scene, const float* origin, const float* direction, float reach) {
    tinybvh::Ray cast = ray(origin, direction, reach);
    static_cast<const Scene*>(scene)->tree.Intersect(cast);
    return cast.hit.t < reach ? cast.hit.t : INFINITY;
}

bool lanecast_tinybvh_occluded(const void* scene, const float* origin, const float* direction, float reach) {
    return static_cast<const Scene*>(scene)->tree.IsOccluded(ray(origin, direction, reach));
}
}
