package dev.jacquard.devices.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the driver that are called, under the names that its header maps to: {@code cuMemAlloc} there is
 * {@code cuMemAlloc_v2} in the library. Threads: any.
 *
 * <p>Source: {@code cuda.h}, version 13.0; all of it has been there since version 11.
 */
final class Driver {
    final Signatures.I init;
    final Signatures.J driverGetVersion;
    final Signatures.IJ getErrorName;
    final Signatures.IJ getErrorString;
    final Signatures.J deviceGetCount;
    final Signatures.JI deviceGet;
    final Signatures.JII deviceGetName;
    final Signatures.JI deviceTotalMem;
    final Signatures.JII deviceGetAttribute;
    final Signatures.JII deviceCanAccessPeer;
    final Signatures.JI primaryCtxRetain;
    final Signatures.I primaryCtxRelease;
    final Signatures.J ctxSetCurrent;
    final Signatures.JI ctxEnablePeerAccess;
    final Signatures.JJ memGetInfo;
    final Signatures.JJ memAlloc;
    final Signatures.J memFree;
    final Signatures.JJI memHostAlloc;
    final Signatures.J memFreeHost;
    final Signatures.JJJJ memcpyHtoDAsync;
    final Signatures.JJJJ memcpyDtoHAsync;
    final Signatures.JJJJ memcpyDtoDAsync;
    final Signatures.JJJJJJ memcpyPeerAsync;
    final Signatures.JJ memcpy3DAsync;
    final Signatures.JJ memcpy3DPeerAsync;
    final Signatures.JI streamCreate;
    final Signatures.J streamDestroy;
    final Signatures.J streamSynchronize;
    final Signatures.JJI streamWaitEvent;
    final Signatures.JI eventCreate;
    final Signatures.JJ eventRecord;
    final Signatures.J eventQuery;
    final Signatures.J eventSynchronize;
    final Signatures.J eventDestroy;
    final Signatures.JJ moduleLoadData;
    final Signatures.J moduleUnload;
    final Signatures.JJJ moduleGetFunction;
    final Signatures.JIJ funcGetAttribute;
    final Signatures.JJJJJI occupancyMaxPotentialBlockSize;
    final Signatures.JIIIIIIIJJJ launchKernel;

    /** Since version 12.4; null before. */
    final Signatures.@Nullable JJJJ funcGetParamInfo;

    Driver(Symbols library) {
        init = new Signatures.I(library, "cuInit");
        driverGetVersion = new Signatures.J(library, "cuDriverGetVersion");
        getErrorName = new Signatures.IJ(library, "cuGetErrorName");
        getErrorString = new Signatures.IJ(library, "cuGetErrorString");
        deviceGetCount = new Signatures.J(library, "cuDeviceGetCount");
        deviceGet = new Signatures.JI(library, "cuDeviceGet");
        deviceGetName = new Signatures.JII(library, "cuDeviceGetName");
        deviceTotalMem = new Signatures.JI(library, "cuDeviceTotalMem_v2");
        deviceGetAttribute = new Signatures.JII(library, "cuDeviceGetAttribute");
        deviceCanAccessPeer = new Signatures.JII(library, "cuDeviceCanAccessPeer");
        primaryCtxRetain = new Signatures.JI(library, "cuDevicePrimaryCtxRetain");
        primaryCtxRelease = new Signatures.I(library, "cuDevicePrimaryCtxRelease_v2");
        ctxSetCurrent = new Signatures.J(library, "cuCtxSetCurrent");
        ctxEnablePeerAccess = new Signatures.JI(library, "cuCtxEnablePeerAccess");
        memGetInfo = new Signatures.JJ(library, "cuMemGetInfo_v2");
        memAlloc = new Signatures.JJ(library, "cuMemAlloc_v2");
        memFree = new Signatures.J(library, "cuMemFree_v2");
        memHostAlloc = new Signatures.JJI(library, "cuMemHostAlloc");
        memFreeHost = new Signatures.J(library, "cuMemFreeHost");
        memcpyHtoDAsync = new Signatures.JJJJ(library, "cuMemcpyHtoDAsync_v2");
        memcpyDtoHAsync = new Signatures.JJJJ(library, "cuMemcpyDtoHAsync_v2");
        memcpyDtoDAsync = new Signatures.JJJJ(library, "cuMemcpyDtoDAsync_v2");
        memcpyPeerAsync = new Signatures.JJJJJJ(library, "cuMemcpyPeerAsync");
        memcpy3DAsync = new Signatures.JJ(library, "cuMemcpy3DAsync_v2");
        memcpy3DPeerAsync = new Signatures.JJ(library, "cuMemcpy3DPeerAsync");
        streamCreate = new Signatures.JI(library, "cuStreamCreate");
        streamDestroy = new Signatures.J(library, "cuStreamDestroy_v2");
        streamSynchronize = new Signatures.J(library, "cuStreamSynchronize");
        streamWaitEvent = new Signatures.JJI(library, "cuStreamWaitEvent");
        eventCreate = new Signatures.JI(library, "cuEventCreate");
        eventRecord = new Signatures.JJ(library, "cuEventRecord");
        eventQuery = new Signatures.J(library, "cuEventQuery");
        eventSynchronize = new Signatures.J(library, "cuEventSynchronize");
        eventDestroy = new Signatures.J(library, "cuEventDestroy_v2");
        moduleLoadData = new Signatures.JJ(library, "cuModuleLoadData");
        moduleUnload = new Signatures.J(library, "cuModuleUnload");
        moduleGetFunction = new Signatures.JJJ(library, "cuModuleGetFunction");
        funcGetAttribute = new Signatures.JIJ(library, "cuFuncGetAttribute");
        occupancyMaxPotentialBlockSize = new Signatures.JJJJJI(library, "cuOccupancyMaxPotentialBlockSize");
        launchKernel = new Signatures.JIIIIIIIJJJ(library, "cuLaunchKernel");
        funcGetParamInfo =
                library.has("cuFuncGetParamInfo") ? new Signatures.JJJJ(library, "cuFuncGetParamInfo") : null;
    }

    /** A status in the driver's words: {@code CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected}. */
    String words(int status) {
        String name = text(getErrorName, status);
        String meaning = text(getErrorString, status);
        return (name.isEmpty() ? "status" : name) + " (" + status + ")" + (meaning.isEmpty() ? "" : ": " + meaning);
    }

    private static String text(Signatures.IJ function, int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
            if (function.call(status, pointer.address()) != CudaStatus.SUCCESS) {
                return "";
            }
            MemorySegment text = pointer.get(ValueLayout.ADDRESS, 0);
            return text.address() == 0
                    ? ""
                    : text.reinterpret(Long.MAX_VALUE).getString(0); // A constant of the driver's, ended by a zero.
        }
    }
}
