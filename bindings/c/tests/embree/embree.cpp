// The 14 functions of Embree 4 that the wheel embreex calls, on lanecast, so that tests which were written for Embree run
// against lanecast. For tests alone: it is compiled by run.py and never shipped.
//
// Layouts, numbers and signatures are those of Embree 4.4. All else that the functions can do in Embree ends the program
// with a message that says what was asked for: a test must not go on with an answer that nobody computed.

#include "../../examples/embree_api.h"
#include "lanecast.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

namespace {

[[noreturn]] void end(const char *function, const char *reason)
{
    std::fprintf(stderr, "%s of lanecast's stand-in for Embree: %s\n", function, reason);
    std::abort();
}

enum { ERROR_INVALID_ARGUMENT = 2 };

struct Device {
    void (*on_error)(void *user, int code, const char *message) = nullptr;
    void *user = nullptr;
};

/// Rows that the caller fills.
struct Buffer {
    std::vector<std::uint32_t> words;
    std::size_t stride = 0, count = 0;

    lanecast_rows rows() const { return {words.data(), count, stride}; }
};

struct Mesh {
    Buffer vertices, triangles;
};

struct Free {
    void operator()(lanecast_geometry *geometry) const { lanecast_geometry_free(geometry); }
    void operator()(lanecast_scene *scene) const { lanecast_scene_free(scene); }
};

std::atomic<std::uint64_t> rays_cast{0};

} // namespace

extern "C" {

// Handles are the caller's, and what they share lives as long as anything needs it: a scene outlives the release of its
// geometries and of its device.
struct RTCDeviceTy {
    std::shared_ptr<Device> device;
};

struct RTCGeometryTy {
    std::shared_ptr<Mesh> mesh;
};

struct RTCSceneTy {
    std::shared_ptr<Device> device;
    std::vector<std::shared_ptr<Mesh>> meshes;
    std::unique_ptr<lanecast_scene, Free> committed;
};

} // extern "C"

static lanecast_ray_f32 ray_of(RTCScene scene, const RTCRay &ray, const void *arguments, const char *function)
{
    if (!scene->committed)
        end(function, "the scene is not committed, or that failed");
    if (arguments != nullptr)
        end(function, "there are arguments");
    if (ray.mask != std::numeric_limits<std::uint32_t>::max())
        end(function, "the ray has a mask");
    rays_cast.fetch_add(1, std::memory_order_relaxed);
    return {{ray.org_x, ray.org_y, ray.org_z}, {ray.dir_x, ray.dir_y, ray.dir_z}, ray.tnear, ray.tfar};
}

/// Rays that cannot be cast, such as those with NaN, are misses in Embree.
static bool is_hit(int32_t status, const char *function)
{
    if (status < 0)
        end(function, lanecast_last_error());
    return status == LANECAST_HIT;
}

extern "C" {

/// The number of rays so far. By this a test knows that lanecast answers, and not Embree.
std::uint64_t lanecast_rays_cast() { return rays_cast.load(std::memory_order_relaxed); }

RTCDevice rtcNewDevice(const char *) { return new RTCDeviceTy{std::make_shared<Device>()}; }

void rtcReleaseDevice(RTCDevice device) { delete device; }

void rtcSetDeviceErrorFunction(RTCDevice device, void (*on_error)(void *, int, const char *), void *user)
{
    *device->device = {on_error, user};
}

RTCGeometry rtcNewGeometry(RTCDevice , int type)
{
    if (type != RTC_GEOMETRY_TYPE_TRIANGLE)
        end("rtcNewGeometry", "the geometry has no triangles");
    return new RTCGeometryTy{std::make_shared<Mesh>()};
}

void *rtcSetNewGeometryBuffer(RTCGeometry geometry, int type, unsigned slot, int format, std::size_t stride,
                              std::size_t count)
{
    bool is_vertices = type == RTC_BUFFER_TYPE_VERTEX && format == RTC_FORMAT_FLOAT3;
    if (!is_vertices && !(type == RTC_BUFFER_TYPE_INDEX && format == RTC_FORMAT_UINT3))
        end("rtcSetNewGeometryBuffer", "the buffer has neither vertices of three floats nor three indices a row");
    if (slot != 0 || stride % 4 != 0 || stride < 12)
        end("rtcSetNewGeometryBuffer", "the slot or the stride cannot be");
    Buffer &buffer = is_vertices ? geometry->mesh->vertices : geometry->mesh->triangles;
    buffer = {std::vector<std::uint32_t>(count * (stride / 4)), stride, count};
    return buffer.words.data();
}

// What is attached is read when the scene is committed.
void rtcCommitGeometry(RTCGeometry ) {}

void rtcReleaseGeometry(RTCGeometry geometry) { delete geometry; }

RTCScene rtcNewScene(RTCDevice device) { return new RTCSceneTy{device->device, {}, nullptr}; }

// The flags ask for robust traversal, which lanecast has always, and for how to build.
void rtcSetSceneFlags(RTCScene , int) {}

unsigned rtcAttachGeometry(RTCScene scene, RTCGeometry geometry)
{
    scene->meshes.push_back(geometry->mesh);
    return static_cast<unsigned>(scene->meshes.size() - 1);
}

void rtcCommitScene(RTCScene scene)
{
    scene->committed.reset();
    std::vector<std::unique_ptr<lanecast_geometry, Free>> owners;
    std::vector<const lanecast_geometry *> geometries;
    lanecast_result result = LANECAST_OK;
    for (const std::shared_ptr<Mesh> &mesh : scene->meshes) {
        lanecast_geometry *geometry = nullptr;
        result = lanecast_triangles(LANECAST_F32, mesh->vertices.rows(), mesh->triangles.rows(), &geometry);
        if (result != LANECAST_OK)
            break;
        owners.emplace_back(geometry);
        geometries.push_back(geometry);
    }
    lanecast_scene *built = nullptr;
    if (result == LANECAST_OK)
        result = lanecast_build(LANECAST_F32, geometries.data(), geometries.size(), nullptr, 0, nullptr, &built);
    scene->committed.reset(built);
    const Device &device = *scene->device;
    if (result != LANECAST_OK && device.on_error != nullptr)
        device.on_error(device.user, ERROR_INVALID_ARGUMENT, lanecast_last_error());
}

void rtcReleaseScene(RTCScene scene) { delete scene; }

void rtcIntersect1(RTCScene scene, RTCRayHit *ray_hit, void *arguments)
{
    lanecast_ray_f32 ray = ray_of(scene, ray_hit->ray, arguments, "rtcIntersect1");
    lanecast_hit_f32 hit;
    float normal[3];
    int32_t status = lanecast_closest1_with_normal_f32(scene->committed.get(), &ray, nullptr, &hit, normal);
    if (!is_hit(status, "rtcIntersect1"))
        return;
    ray_hit->ray.tfar = hit.t;
    // Field by field: behind `instID` the caller's struct may end.
    RTCHit &answer = ray_hit->hit;
    answer.Ng_x = normal[0], answer.Ng_y = normal[1], answer.Ng_z = normal[2];
    answer.u = hit.u, answer.v = hit.v;
    answer.primID = hit.primitive_id, answer.geomID = hit.geometry_id, answer.instID[0] = hit.instance_id;
}

void rtcOccluded1(RTCScene scene, RTCRay *ray, void *arguments)
{
    lanecast_ray_f32 asked = ray_of(scene, *ray, arguments, "rtcOccluded1");
    if (is_hit(lanecast_any1_f32(scene->committed.get(), &asked, nullptr), "rtcOccluded1"))
        ray->tfar = -std::numeric_limits<float>::infinity();
}

} // extern "C"
