/* A driver and a compiler without a device, for tests: memory is the host's, everything is done at once, and the kernels are those that it knows.
   It holds callers to the rules: a context must be current, handles must be alive, and after a crash every call says so. */
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 2
#define TOTAL ((size_t) 1 << 30)

struct CUctx_st { CUresult lost; size_t used; int retained; };
struct CUstream_st { CUcontext context; };
struct CUevent_st { CUcontext context; };
struct CUmod_st { char* text; };
struct CUfunc_st { const char* name; int count; int sizes[5]; };

static struct CUctx_st contexts[DEVICES];
static _Thread_local CUcontext current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int alive;
static int boxes;
static struct CUfunc_st functions[] = {
    {"axpy", 4, {8, 8, 8, 4}}, {"numbers", 5, {8, 4, 8, 4, 8}}, {"grid", 4, {8, 4, 4, 4}}, {"crash", 1, {8}}, {"nothing", 1, {4}},
    {"spin", 3, {8, 4, 4}}};

/* How many buffers, streams, events and modules are alive, and how many boxes were copied. */
int stubAlive(void) { return alive; }
int stubBoxes(void) { return boxes; }

#define CHECK if (!current) return CUDA_ERROR_INVALID_CONTEXT; if (current->lost) return current->lost
static void count(int n) { pthread_mutex_lock(&lock); alive += n; pthread_mutex_unlock(&lock); }

CUresult cuInit(unsigned int flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { *version = 13000; return CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult error, const char** text) {
    switch (error) {
        case CUDA_ERROR_INVALID_VALUE: *text = "CUDA_ERROR_INVALID_VALUE"; return CUDA_SUCCESS;
        case CUDA_ERROR_OUT_OF_MEMORY: *text = "CUDA_ERROR_OUT_OF_MEMORY"; return CUDA_SUCCESS;
        case CUDA_ERROR_ILLEGAL_ADDRESS: *text = "CUDA_ERROR_ILLEGAL_ADDRESS"; return CUDA_SUCCESS;
        default: *text = 0; return CUDA_ERROR_INVALID_VALUE;
    }
}
CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "as it says";
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* n) { *n = DEVICES; return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice* device, int ordinal) { *device = ordinal; return CUDA_SUCCESS; }
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    snprintf(name, (size_t) length, "Stub %d", device);
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) { *bytes = TOTAL; return CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
        case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 4; break;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
        case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = 0x81 + device; break;
        default: *value = 0;
    }
    return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) { *can = device != peer; return CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    pthread_mutex_lock(&lock);
    *context = &contexts[device];
    if (contexts[device].retained++ == 0) {
        contexts[device].lost = CUDA_SUCCESS;
        contexts[device].used = 0;
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    pthread_mutex_lock(&lock);
    contexts[device].retained--;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) { current = context; return CUDA_SUCCESS; }
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    CHECK;
    return peer == current ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}
CUresult cuMemGetInfo(size_t* free, size_t* total) { CHECK; *free = TOTAL - current->used; *total = TOTAL; return CUDA_SUCCESS; }
CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
    CHECK;
    pthread_mutex_lock(&lock);
    int fits = bytes <= TOTAL - current->used;
    if (fits) current->used += bytes;
    pthread_mutex_unlock(&lock);
    if (!fits) return CUDA_ERROR_OUT_OF_MEMORY;
    char* block = malloc(bytes + 64);
    *(size_t*) block = bytes;
    memset(block + 64, 0xCD, bytes);
    *address = (CUdeviceptr) (block + 64);
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) {
    CHECK;
    char* block = (char*) address - 64;
    pthread_mutex_lock(&lock);
    current->used -= *(size_t*) block;
    pthread_mutex_unlock(&lock);
    free(block);
    count(-1);
    return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned int flags) {
    CHECK;
    if (flags != CU_MEMHOSTALLOC_PORTABLE) return CUDA_ERROR_INVALID_VALUE;
    if (!(*address = malloc(bytes))) return CUDA_ERROR_OUT_OF_MEMORY;
    memset(*address, 0xCD, bytes);
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuMemHostRegister(void* address, size_t bytes, unsigned int flags) {
    CHECK;
    if (!address || !bytes || flags != CU_MEMHOSTREGISTER_PORTABLE) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > TOTAL / 2) return CUDA_ERROR_OUT_OF_MEMORY;
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuMemHostUnregister(void* address) { CHECK; count(-1); return address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
CUresult cuMemFreeHost(void* address) { CHECK; free(address); count(-1); return CUDA_SUCCESS; }

static CUresult copy(void* to, const void* from, size_t bytes, CUstream stream) {
    CHECK;
    if (stream->context != current) return CUDA_ERROR_INVALID_HANDLE;
    memcpy(to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t n, CUstream s) { return copy((void*) to, from, n, s); }
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t n, CUstream s) { return copy(to, (void*) from, n, s); }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) { return copy((void*) to, (void*) from, n, s); }
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t n, CUstream s) {
    if (toContext == fromContext || !toContext || !fromContext) return CUDA_ERROR_INVALID_CONTEXT;
    return copy((void*) to, (void*) from, n, s);
}
static CUresult box(const CUDA_MEMCPY3D_PEER* c, CUstream stream) {
    CHECK;
    if (stream->context != current) return CUDA_ERROR_INVALID_HANDLE;
    if (c->srcPitch < c->WidthInBytes || c->dstPitch < c->WidthInBytes || c->srcXInBytes || c->dstXInBytes || c->srcY || c->dstY
        || c->srcZ || c->dstZ || (c->Depth > 1 && (c->srcHeight < c->Height || c->dstHeight < c->Height)))
        return CUDA_ERROR_INVALID_VALUE;
    const char* from = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (const char*) c->srcDevice;
    char* to = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (char*) c->dstDevice;
    for (size_t z = 0; z < c->Depth; z++)
        for (size_t y = 0; y < c->Height; y++)
            memcpy(to + (z * c->dstHeight + y) * c->dstPitch, from + (z * c->srcHeight + y) * c->srcPitch, c->WidthInBytes);
    pthread_mutex_lock(&lock);
    boxes++;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) {
    if (c->reserved0 || c->reserved1) return CUDA_ERROR_INVALID_VALUE;
    return box((const CUDA_MEMCPY3D_PEER*) c, stream);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* c, CUstream stream) {
    if (!c->srcContext || !c->dstContext || c->srcContext == c->dstContext) return CUDA_ERROR_INVALID_CONTEXT;
    return box(c, stream);
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
    CHECK;
    if (flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    *stream = malloc(sizeof(struct CUstream_st));
    (*stream)->context = current;
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream stream) { CHECK; free(stream); count(-1); return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream stream) { CHECK; return CUDA_SUCCESS; }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    CHECK;
    return event->context == stream->context && !flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
    CHECK;
    if (flags != CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_VALUE;
    *event = malloc(sizeof(struct CUevent_st));
    (*event)->context = current;
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    CHECK;
    return event->context == stream->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuEventQuery(CUevent event) { CHECK; return event->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; }
CUresult cuEventDestroy(CUevent event) { CHECK; free(event); count(-1); return CUDA_SUCCESS; }

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    CHECK;
    *module = malloc(sizeof(struct CUmod_st));
    (*module)->text = strdup(image);
    count(1);
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) { CHECK; free(module->text); free(module); count(-1); return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    CHECK;
    char call[100];
    snprintf(call, sizeof call, " %s(", name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name) && strstr(module->text, call)) {
            *function = &functions[i];
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    CHECK;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) return CUDA_ERROR_INVALID_VALUE;
    *value = 1024;
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialBlockSize(
    int* grid, int* block, CUfunction function, CUoccupancyB2DSize dynamic, size_t bytes, int limit) {
    CHECK;
    if (dynamic || bytes || limit) return CUDA_ERROR_INVALID_VALUE;
    *grid = 4;
    *block = 256;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t i, size_t* offset, size_t* size) {
    CHECK;
    if (i >= (size_t) function->count) return CUDA_ERROR_INVALID_VALUE;
    *offset = 8 * i;
    *size = (size_t) function->sizes[i];
    return CUDA_SUCCESS;
}
static void run(const char* name, void** p, long x, long y, long z) {
    if (!strcmp(name, "axpy")) {
        if (x < *(int*) p[3]) (*(double**) p[1])[x] += *(double*) p[2] * (*(double**) p[0])[x];
    } else if (!strcmp(name, "numbers")) {
        double* out = *(double**) p[0];
        out[0] = *(int*) p[1];
        out[1] = (double) *(long long*) p[2];
        out[2] = *(float*) p[3];
        out[3] = *(double*) p[4];
    } else if (!strcmp(name, "spin")) {
        float* value = *(float**) p[0] + x;
        if (x < *(int*) p[1])
            for (int round = 0; round < *(int*) p[2]; round++) *value = *value * 0.999f + 0.5f;
    } else if (!strcmp(name, "grid")) {
        long nx = *(int*) p[1], ny = *(int*) p[2], nz = *(int*) p[3];
        if (x < nx && y < ny && z < nz) (*(int**) p[0])[x + nx * (y + ny * z)] += 1;
    }
}
CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
    unsigned int bz, unsigned int shared, CUstream stream, void** parameters, void** extra) {
    CHECK;
    if (stream->context != current || shared || extra) return CUDA_ERROR_INVALID_HANDLE;
    if (!gx || !gy || !gz || bx * by * bz > 1024 || bz > 64 || gy > 65535 || gz > 65535) return CUDA_ERROR_INVALID_VALUE;
    if (!strcmp(f->name, "crash")) {
        current->lost = CUDA_ERROR_ILLEGAL_ADDRESS;
        return CUDA_SUCCESS;
    }
    for (long z = 0; z < (long) gz * bz; z++)
        for (long y = 0; y < (long) gy * by; y++)
            for (long x = 0; x < (long) gx * bx; x++) run(f->name, parameters, x, y, z);
    return CUDA_SUCCESS;
}

/* The compiler: machine code is the source itself. Its header is not always there, so its enumerations are ints. */
struct program { char* text; const char* log; };

int nvrtcVersion(int* major, int* minor) { *major = 13; *minor = 0; return 0; }
int nvrtcGetNumSupportedArchs(int* n) { *n = 2; return 0; }
int nvrtcGetSupportedArchs(int* all) { all[0] = 75; all[1] = 90; return 0; }
const char* nvrtcGetErrorString(int status) { return "NVRTC_ERROR_STUB"; }
int nvrtcCreateProgram(struct program** p, const char* text, const char* name, int n, const char* const* h, const char* const* i) {
    if (n || h || i || !name) return 3;
    *p = malloc(sizeof(struct program));
    (*p)->text = strdup(text);
    (*p)->log = "";
    return 0;
}
int nvrtcCompileProgram(struct program* p, int n, const char* const* options) {
    if (n < 1 || strcmp(options[0], "--gpu-architecture=sm_90")) return 5;
    if (!strstr(p->text, "nowhere")) return 0;
    p->log = "broken (sample)(9): error: identifier \"nowhere\" is undefined\n";
    return 6;
}
int nvrtcGetProgramLogSize(struct program* p, size_t* n) { *n = strlen(p->log) + 1; return 0; }
int nvrtcGetProgramLog(struct program* p, char* log) { strcpy(log, p->log); return 0; }
int nvrtcGetPTXSize(struct program* p, size_t* n) { return 3; }
int nvrtcGetPTX(struct program* p, char* ptx) { return 3; }
int nvrtcGetCUBINSize(struct program* p, size_t* n) { *n = strlen(p->text); return 0; }
int nvrtcGetCUBIN(struct program* p, char* code) { memcpy(code, p->text, strlen(p->text)); return 0; }
int nvrtcDestroyProgram(struct program** p) { free((*p)->text); free(*p); *p = 0; return 0; }
