// The same 14 functions, which pass each call on to Embree and to embree.cpp, compare the answers to each ray, and return
// lanecast's. Tests alone do not see a wrong answer that they do not look at.
//
// EMBREE and LANECAST name the two libraries, and DIFFERENCES a file for rays with other answers, of which each has a line.

#include "../../examples/embree_api.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace {

void *library(const char *variable)
{
    const char *path = std::getenv(variable);
    // Each finds its own functions before those of this file, which have the same names.
    void *library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == nullptr) {
        std::fprintf(stderr, "%s: %s\n", variable, path == nullptr ? "is not set" : dlerror());
        std::abort();
    }
    return library;
}

/// A function in both libraries.
template <class Function>
struct Both {
    Function *embree, *lanecast;

    explicit Both(const char *name)
    {
        static void *const libraries[] = {library("EMBREE"), library("LANECAST")};
        embree = reinterpret_cast<Function *>(dlsym(libraries[0], name));
        lanecast = reinterpret_cast<Function *>(dlsym(libraries[1], name));
        if (embree == nullptr || lanecast == nullptr) {
            std::fprintf(stderr, "%s is missing in a library\n", name);
            std::abort();
        }
    }
};

/// A buffer in both, of which the caller fills Embree's.
struct Buffer {
    const void *from;
    void *to;
    std::size_t bytes;
};

struct Counts {
    std::uint64_t rays, ties, others;
};

std::mutex lock;
Counts counts;

} // namespace

struct RTCDeviceTy {
    RTCDevice embree, lanecast;
};

struct RTCGeometryTy {
    RTCGeometry embree, lanecast;
    std::vector<Buffer> buffers;
};

struct RTCSceneTy {
    RTCScene embree, lanecast;
};

static bool is_hit(const RTCRayHit &ray_hit) { return ray_hit.hit.geomID != RTC_INVALID_GEOMETRY_ID; }

/// How far apart rounding to 24 bits may place the same hit on a ray, in t. At 3e-6 all hits of the suites agree, on AVX2.
static float rounding(const RTCRay &ray)
{
    float length = std::sqrt(ray.dir_x * ray.dir_x + ray.dir_y * ray.dir_y + ray.dir_z * ray.dir_z);
    float place = std::abs(ray.org_x) + std::abs(ray.org_y) + std::abs(ray.org_z) + std::abs(ray.tfar) * length;
    return 3e-6f * place / length;
}

/// Whether two hits of one triangle are the same hit. Weights and normals of small triangles have few digits far from the
/// origin. In the suites they agree to three.
static bool are_alike(const RTCHit &a, const RTCHit &b)
{
    const float far = 1e-3f;
    float longest = std::max({std::abs(a.Ng_x), std::abs(a.Ng_y), std::abs(a.Ng_z)});
    float normals = std::max({std::abs(a.Ng_x - b.Ng_x), std::abs(a.Ng_y - b.Ng_y), std::abs(a.Ng_z - b.Ng_z)});
    return std::abs(a.u - b.u) <= far && std::abs(a.v - b.v) <= far && normals <= far * longest;
}

static void write(const char *name, const RTCRayHit &answer)
{
    static std::FILE *const file = std::fopen(std::getenv("DIFFERENCES"), "a");
    const RTCRay &ray = answer.ray;
    const RTCHit &hit = answer.hit;
    std::fprintf(file, "%s: from (%.9g, %.9g, %.9g) along (%.9g, %.9g, %.9g)", name, ray.org_x, ray.org_y, ray.org_z,
                 ray.dir_x, ray.dir_y, ray.dir_z);
    if (is_hit(answer))
        std::fprintf(file, " at %.9g triangle %u of %u, u %.9g, v %.9g, normal (%.9g, %.9g, %.9g)\n", ray.tfar, hit.primID,
                     hit.geomID, hit.u, hit.v, hit.Ng_x, hit.Ng_y, hit.Ng_z);
    else
        std::fprintf(file, " nothing up to %.9g\n", ray.tfar);
    std::fflush(file);
}

static void compare(const RTCRayHit &embree, const RTCRayHit &lanecast)
{
    const RTCHit &a = embree.hit, &b = lanecast.hit;
    bool is_tie = false, is_other = is_hit(embree) != is_hit(lanecast);
    if (is_hit(embree) && is_hit(lanecast)) {
        is_tie = a.primID != b.primID || a.geomID != b.geomID;
        bool is_there = std::abs(embree.ray.tfar - lanecast.ray.tfar) <= rounding(embree.ray);
        is_other = !is_there || (!is_tie && !are_alike(a, b));
    }
    std::lock_guard<std::mutex> held(lock);
    counts.rays++;
    counts.ties += is_tie && !is_other;
    counts.others += is_other;
    if (is_other) {
        write("Embree", embree);
        write("lanecast", lanecast);
    }
}

extern "C" {

/// Three numbers: rays; those that meet another triangle in the same place; those with another answer.
void lanecast_rays_compared(std::uint64_t *numbers)
{
    std::lock_guard<std::mutex> held(lock);
    numbers[0] = counts.rays, numbers[1] = counts.ties, numbers[2] = counts.others;
}

RTCDevice rtcNewDevice(const char *config)
{
    static const Both<RTCDevice(const char *)> call("rtcNewDevice");
    return new RTCDeviceTy{call.embree(config), call.lanecast(config)};
}

void rtcReleaseDevice(RTCDevice device)
{
    static const Both<void(RTCDevice)> call("rtcReleaseDevice");
    call.embree(device->embree), call.lanecast(device->lanecast);
    delete device;
}

void rtcSetDeviceErrorFunction(RTCDevice device, void (*on_error)(void *, int, const char *), void *user)
{
    static const Both<void(RTCDevice, void (*)(void *, int, const char *), void *)> call("rtcSetDeviceErrorFunction");
    call.embree(device->embree, on_error, user), call.lanecast(device->lanecast, on_error, user);
}

RTCGeometry rtcNewGeometry(RTCDevice device, int type)
{
    static const Both<RTCGeometry(RTCDevice, int)> call("rtcNewGeometry");
    return new RTCGeometryTy{call.embree(device->embree, type), call.lanecast(device->lanecast, type), {}};
}

void *rtcSetNewGeometryBuffer(RTCGeometry geometry, int type, unsigned slot, int format, std::size_t stride, std::size_t count)
{
    static const Both<void *(RTCGeometry, int, unsigned, int, std::size_t, std::size_t)> call("rtcSetNewGeometryBuffer");
    void *filled = call.embree(geometry->embree, type, slot, format, stride, count);
    void *copied = call.lanecast(geometry->lanecast, type, slot, format, stride, count);
    geometry->buffers.push_back({filled, copied, count * stride});
    return filled;
}

void rtcCommitGeometry(RTCGeometry geometry)
{
    static const Both<void(RTCGeometry)> call("rtcCommitGeometry");
    for (const Buffer &buffer : geometry->buffers)
        if (buffer.bytes > 0)
            std::memcpy(buffer.to, buffer.from, buffer.bytes);
    call.embree(geometry->embree), call.lanecast(geometry->lanecast);
}

void rtcReleaseGeometry(RTCGeometry geometry)
{
    static const Both<void(RTCGeometry)> call("rtcReleaseGeometry");
    call.embree(geometry->embree), call.lanecast(geometry->lanecast);
    delete geometry;
}

RTCScene rtcNewScene(RTCDevice device)
{
    static const Both<RTCScene(RTCDevice)> call("rtcNewScene");
    return new RTCSceneTy{call.embree(device->embree), call.lanecast(device->lanecast)};
}

void rtcSetSceneFlags(RTCScene scene, int flags)
{
    static const Both<void(RTCScene, int)> call("rtcSetSceneFlags");
    call.embree(scene->embree, flags), call.lanecast(scene->lanecast, flags);
}

unsigned rtcAttachGeometry(RTCScene scene, RTCGeometry geometry)
{
    static const Both<unsigned(RTCScene, RTCGeometry)> call("rtcAttachGeometry");
    call.embree(scene->embree, geometry->embree);
    return call.lanecast(scene->lanecast, geometry->lanecast);
}

void rtcCommitScene(RTCScene scene)
{
    static const Both<void(RTCScene)> call("rtcCommitScene");
    call.embree(scene->embree), call.lanecast(scene->lanecast);
}

void rtcReleaseScene(RTCScene scene)
{
    static const Both<void(RTCScene)> call("rtcReleaseScene");
    call.embree(scene->embree), call.lanecast(scene->lanecast);
    delete scene;
}

void rtcIntersect1(RTCScene scene, RTCRayHit *ray_hit, void *arguments)
{
    static const Both<void(RTCScene, RTCRayHit *, void *)> call("rtcIntersect1");
    RTCRayHit embree{};
    // The caller's struct may end behind `instID`.
    std::memcpy(&embree, ray_hit, offsetof(RTCRayHit, hit) + offsetof(RTCHit, instPrimID));
    RTCRayHit lanecast = embree;
    call.embree(scene->embree, &embree, arguments), call.lanecast(scene->lanecast, &lanecast, arguments);
    compare(embree, lanecast);
    std::memcpy(ray_hit, &lanecast, offsetof(RTCRayHit, hit) + offsetof(RTCHit, instPrimID));
}

void rtcOccluded1(RTCScene scene, RTCRay *ray, void *arguments)
{
    static const Both<void(RTCScene, RTCRay *, void *)> call("rtcOccluded1");
    RTCRay embree = *ray;
    call.embree(scene->embree, &embree, arguments), call.lanecast(scene->lanecast, ray, arguments);
    bool is_other = (embree.tfar < 0) != (ray->tfar < 0);
    std::lock_guard<std::mutex> held(lock);
    counts.rays++;
    counts.others += is_other;
    if (is_other) {
        write("Embree", {embree, {}});
        write("lanecast", {*ray, {}});
    }
}

} // extern "C"
