package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.IfPresent;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * The functions of the driver that are called, under the names that its header maps to: {@code cuMemAlloc} there is
 * {@code cuMemAlloc_v2} in the library. All return a status. Addresses travel as numbers: the maker of the memory keeps
 * it until the call is over. Calls allocate nothing. Threads: any.
 *
 * <p>Source: {@code cuda.h}, version 13.0; all but the marked functions have been there since version 11.
 */
interface Driver {
    /** Binds a driver. */
    static Driver of(NativeLibrary library) {
        return Binding.of(MethodHandles.lookup(), Driver.class).to(library);
    }

    @Symbol("cuInit")
    int init(int flags);

    @Symbol("cuDriverGetVersion")
    int driverGetVersion(long version);

    @Symbol("cuGetErrorName")
    int getErrorName(int status, long text);

    @Symbol("cuGetErrorString")
    int getErrorString(int status, long text);

    @Symbol("cuDeviceGetCount")
    int deviceGetCount(long count);

    @Symbol("cuDeviceGet")
    int deviceGet(long device, int ordinal);

    @Symbol("cuDeviceGetName")
    int deviceGetName(long text, int bytes, int device);

    @Symbol("cuDeviceTotalMem_v2")
    int deviceTotalMem(long bytes, int device);

    @Symbol("cuDeviceGetAttribute")
    int deviceGetAttribute(long value, int attribute, int device);

    @Symbol("cuDeviceCanAccessPeer")
    int deviceCanAccessPeer(long can, int device, int peer);

    @Symbol("cuDevicePrimaryCtxRetain")
    int primaryCtxRetain(long context, int device);

    @Symbol("cuDevicePrimaryCtxRelease_v2")
    int primaryCtxRelease(int device);

    @Symbol("cuCtxSetCurrent")
    int ctxSetCurrent(long context);

    @Symbol("cuCtxEnablePeerAccess")
    int ctxEnablePeerAccess(long peer, int flags);

    @Symbol("cuMemGetInfo_v2")
    int memGetInfo(long free, long total);

    @Symbol("cuMemAlloc_v2")
    int memAlloc(long buffer, long bytes);

    @Symbol("cuMemFree_v2")
    int memFree(long buffer);

    @Symbol("cuMemHostAlloc")
    int memHostAlloc(long memory, long bytes, int flags);

    @Symbol("cuMemFreeHost")
    int memFreeHost(long memory);

    @Symbol("cuMemHostRegister_v2")
    int memHostRegister(long memory, long bytes, int flags);

    @Symbol("cuMemHostUnregister")
    int memHostUnregister(long memory);

    @Symbol("cuMemcpyHtoDAsync_v2")
    int memcpyHtoDAsync(long to, long from, long bytes, long stream);

    @Symbol("cuMemcpyDtoHAsync_v2")
    int memcpyDtoHAsync(long to, long from, long bytes, long stream);

    @Symbol("cuMemcpyDtoDAsync_v2")
    int memcpyDtoDAsync(long to, long from, long bytes, long stream);

    @Symbol("cuMemcpyPeerAsync")
    int memcpyPeerAsync(long to, long toContext, long from, long fromContext, long bytes, long stream);

    @Symbol("cuMemcpy3DAsync_v2")
    int memcpy3DAsync(long copy, long stream);

    @Symbol("cuMemcpy3DPeerAsync")
    int memcpy3DPeerAsync(long copy, long stream);

    @Symbol("cuStreamCreate")
    int streamCreate(long stream, int flags);

    @Symbol("cuStreamDestroy_v2")
    int streamDestroy(long stream);

    @Symbol("cuStreamSynchronize")
    int streamSynchronize(long stream);

    @Symbol("cuStreamWaitEvent")
    int streamWaitEvent(long stream, long event, int flags);

    @Symbol("cuEventCreate")
    int eventCreate(long event, int flags);

    @Symbol("cuEventRecord")
    int eventRecord(long event, long stream);

    @Symbol("cuEventQuery")
    int eventQuery(long event);

    @Symbol("cuEventDestroy_v2")
    int eventDestroy(long event);

    @Symbol("cuModuleLoadData")
    int moduleLoadData(long module, long image);

    @Symbol("cuModuleUnload")
    int moduleUnload(long module);

    @Symbol("cuModuleGetFunction")
    int moduleGetFunction(long function, long module, long name);

    @Symbol("cuFuncGetAttribute")
    int funcGetAttribute(long value, int attribute, long function);

    /** Since version 12.4; before, the answer is that the function is not found. */
    @IfPresent
    @Symbol("cuFuncGetParamInfo")
    default int funcGetParamInfo(long function, long index, long offset, long bytes) {
        return CudaStatus.NOT_FOUND;
    }

    @Symbol("cuOccupancyMaxPotentialBlockSize")
    int occupancyMaxPotentialBlockSize(
            long grid, long block, long function, long sharedMemory, long dynamicMemory, int limit);

    @Symbol("cuLaunchKernel")
    int launchKernel(
            long function,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int sharedBytes,
            long stream,
            long parameters,
            long extra);

    /** A status in the driver's words: {@code CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected}. */
    default String words(int status) {
        String name = text(this::getErrorName, status);
        String meaning = text(this::getErrorString, status);
        return (name.isEmpty() ? "status" : name) + " (" + status + ")" + (meaning.isEmpty() ? "" : ": " + meaning);
    }

    /** One of the functions that describe a status. */
    @FunctionalInterface
    interface Description {
        int of(int status, long text);
    }

    private static String text(Description function, int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
            return function.of(status, pointer.address()) == CudaStatus.SUCCESS
                    ? NativeMemory.text(pointer.get(ValueLayout.JAVA_LONG, 0)) // A constant of the driver's.
                    : "";
        }
    }
}
