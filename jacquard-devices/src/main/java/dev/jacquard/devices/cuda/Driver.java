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
final class Driver extends Functions {
    final I init = function(I.class, "cuInit");
    final J driverGetVersion = function(J.class, "cuDriverGetVersion");
    final IJ getErrorName = function(IJ.class, "cuGetErrorName");
    final IJ getErrorString = function(IJ.class, "cuGetErrorString");
    final J deviceGetCount = function(J.class, "cuDeviceGetCount");
    final JI deviceGet = function(JI.class, "cuDeviceGet");
    final JII deviceGetName = function(JII.class, "cuDeviceGetName");
    final JI deviceTotalMem = function(JI.class, "cuDeviceTotalMem_v2");
    final JII deviceGetAttribute = function(JII.class, "cuDeviceGetAttribute");
    final JII deviceCanAccessPeer = function(JII.class, "cuDeviceCanAccessPeer");
    final JI primaryCtxRetain = function(JI.class, "cuDevicePrimaryCtxRetain");
    final I primaryCtxRelease = function(I.class, "cuDevicePrimaryCtxRelease_v2");
    final J ctxSetCurrent = function(J.class, "cuCtxSetCurrent");
    final JI ctxEnablePeerAccess = function(JI.class, "cuCtxEnablePeerAccess");
    final JJ memGetInfo = function(JJ.class, "cuMemGetInfo_v2");
    final JJ memAlloc = function(JJ.class, "cuMemAlloc_v2");
    final J memFree = function(J.class, "cuMemFree_v2");
    final JJI memHostAlloc = function(JJI.class, "cuMemHostAlloc");
    final J memFreeHost = function(J.class, "cuMemFreeHost");
    final JJI memHostRegister = function(JJI.class, "cuMemHostRegister_v2");
    final J memHostUnregister = function(J.class, "cuMemHostUnregister");
    final JJJJ memcpyHtoDAsync = function(JJJJ.class, "cuMemcpyHtoDAsync_v2");
    final JJJJ memcpyDtoHAsync = function(JJJJ.class, "cuMemcpyDtoHAsync_v2");
    final JJJJ memcpyDtoDAsync = function(JJJJ.class, "cuMemcpyDtoDAsync_v2");
    final JJJJJJ memcpyPeerAsync = function(JJJJJJ.class, "cuMemcpyPeerAsync");
    final JJ memcpy3DAsync = function(JJ.class, "cuMemcpy3DAsync_v2");
    final JJ memcpy3DPeerAsync = function(JJ.class, "cuMemcpy3DPeerAsync");
    final JI streamCreate = function(JI.class, "cuStreamCreate");
    final J streamDestroy = function(J.class, "cuStreamDestroy_v2");
    final J streamSynchronize = function(J.class, "cuStreamSynchronize");
    final JJI streamWaitEvent = function(JJI.class, "cuStreamWaitEvent");
    final JI eventCreate = function(JI.class, "cuEventCreate");
    final JJ eventRecord = function(JJ.class, "cuEventRecord");
    final J eventQuery = function(J.class, "cuEventQuery");
    final J eventDestroy = function(J.class, "cuEventDestroy_v2");
    final JJ moduleLoadData = function(JJ.class, "cuModuleLoadData");
    final J moduleUnload = function(J.class, "cuModuleUnload");
    final JJJ moduleGetFunction = function(JJJ.class, "cuModuleGetFunction");
    final JIJ funcGetAttribute = function(JIJ.class, "cuFuncGetAttribute");
    final JJJJJI occupancyMaxPotentialBlockSize = function(JJJJJI.class, "cuOccupancyMaxPotentialBlockSize");
    final JIIIIIIIJJJ launchKernel = function(JIIIIIIIJJJ.class, "cuLaunchKernel");

    /** Since version 12.4; null before. */
    final @Nullable JJJJ funcGetParamInfo =
            library.has("cuFuncGetParamInfo") ? function(JJJJ.class, "cuFuncGetParamInfo") : null;

    Driver(Symbols library) {
        super(library);
    }

    /** A status in the driver's words: {@code CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected}. */
    String words(int status) {
        String name = text(getErrorName, status);
        String meaning = text(getErrorString, status);
        return (name.isEmpty() ? "status" : name) + " (" + status + ")" + (meaning.isEmpty() ? "" : ": " + meaning);
    }

    private static String text(IJ function, int status) {
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
