/* The part of Embree 4's C interface that path_tracer.c uses, and a function that loads it from a library at run time.
 *
 * Layouts, numbers and signatures are those of Embree 4.4. A program that is linked to Embree includes <embree4/rtcore.h>
 * instead. */

#ifndef EMBREE_API_H
#define EMBREE_API_H

#include <dlfcn.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct RTCDeviceTy *RTCDevice;
typedef struct RTCSceneTy *RTCScene;
typedef struct RTCGeometryTy *RTCGeometry;

#define RTC_INVALID_GEOMETRY_ID ((unsigned int)-1)

enum RTCGeometryType { RTC_GEOMETRY_TYPE_TRIANGLE = 0 };
enum RTCBufferType { RTC_BUFFER_TYPE_INDEX = 0, RTC_BUFFER_TYPE_VERTEX = 1 };
enum RTCSceneFlags { RTC_SCENE_FLAG_NONE = 0, RTC_SCENE_FLAG_ROBUST = 1 << 2 };
enum RTCFormat { RTC_FORMAT_UINT3 = 0x5003, RTC_FORMAT_FLOAT3 = 0x9003 };

/* A ray, aligned to 16 bytes; rtcIntersect1 and rtcOccluded1 write to `tfar`. */
struct RTCRay {
    alignas(16) float org_x;
    float org_y, org_z, tnear;
    float dir_x, dir_y, dir_z, time;
    float tfar;
    unsigned int mask, id, flags;
};

/* `instPrimID` is there unless Embree was compiled without arrays of instances. In that case Embree leaves it alone. */
struct RTCHit {
    alignas(16) float Ng_x;
    float Ng_y, Ng_z;
    float u, v;
    unsigned int primID, geomID, instID[1], instPrimID[1];
};

struct RTCRayHit {
    struct RTCRay ray;
    struct RTCHit hit;
};

/* Only ever null here. */
struct RTCIntersectArguments;
struct RTCOccludedArguments;

struct embree_api {
    RTCDevice (*rtcNewDevice)(const char *config);
    void (*rtcReleaseDevice)(RTCDevice device);
    int (*rtcGetDeviceError)(RTCDevice device);
    RTCGeometry (*rtcNewGeometry)(RTCDevice device, enum RTCGeometryType type);
    /* Embree reads 16 bytes at each vertex: four must be readable behind the last one. */
    void (*rtcSetSharedGeometryBuffer)(RTCGeometry geometry, enum RTCBufferType type, unsigned int slot, enum RTCFormat format,
                                       const void *data, size_t offset, size_t stride, size_t count);
    void (*rtcCommitGeometry)(RTCGeometry geometry);
    void (*rtcReleaseGeometry)(RTCGeometry geometry);
    RTCScene (*rtcNewScene)(RTCDevice device);
    void (*rtcSetSceneFlags)(RTCScene scene, enum RTCSceneFlags flags);
    unsigned int (*rtcAttachGeometry)(RTCScene scene, RTCGeometry geometry);
    void (*rtcCommitScene)(RTCScene scene);
    void (*rtcReleaseScene)(RTCScene scene);
    void (*rtcIntersect1)(RTCScene scene, struct RTCRayHit *ray_hit, struct RTCIntersectArguments *arguments);
    void (*rtcOccluded1)(RTCScene scene, struct RTCRay *ray, struct RTCOccludedArguments *arguments);
};

/* Loads Embree, which stays loaded until the program ends. Returns false and says why if it cannot. */
static inline bool embree_load(const char *path, struct embree_api *api)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "Embree was not loaded: %s\n", dlerror());
        return false;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"rtcNewDevice", &api->rtcNewDevice},
        {"rtcReleaseDevice", &api->rtcReleaseDevice},
        {"rtcGetDeviceError", &api->rtcGetDeviceError},
        {"rtcNewGeometry", &api->rtcNewGeometry},
        {"rtcSetSharedGeometryBuffer", &api->rtcSetSharedGeometryBuffer},
        {"rtcCommitGeometry", &api->rtcCommitGeometry},
        {"rtcReleaseGeometry", &api->rtcReleaseGeometry},
        {"rtcNewScene", &api->rtcNewScene},
        {"rtcSetSceneFlags", &api->rtcSetSceneFlags},
        {"rtcAttachGeometry", &api->rtcAttachGeometry},
        {"rtcCommitScene", &api->rtcCommitScene},
        {"rtcReleaseScene", &api->rtcReleaseScene},
        {"rtcIntersect1", &api->rtcIntersect1},
        {"rtcOccluded1", &api->rtcOccluded1},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (symbol == NULL) {
            fprintf(stderr, "%s has no %s\n", path, functions[i].name);
            return false;
        }
        /* ISO C has no cast from a pointer to data to one to a function. */
        memcpy(functions[i].place, &symbol, sizeof symbol);
    }
    return true;
}

#endif
