package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.devices.opencl.ClFunctions.Info;
import dev.jacquard.devices.opencl.ClFunctions.OfObject;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of platforms, devices and contexts. Threads: any. Statuses are returned as they are. */
final class ClDevices {
    private static final MethodHandle PLATFORMS =
            ClLibrary.bind("clGetPlatformIDs", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    static final Info PLATFORM_INFO = new Info("clGetPlatformInfo");
    private static final MethodHandle DEVICES =
            ClLibrary.bind("clGetDeviceIDs", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    static final Info DEVICE_INFO = new Info("clGetDeviceInfo");
    private static final MethodHandle CREATE_CONTEXT =
            ClLibrary.bind("clCreateContext", JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final OfObject RELEASE_CONTEXT = new OfObject("clReleaseContext");

    private ClDevices() {}

    /** Binds the functions, or throws. */
    static void touch() {}

    static int platforms(int count, MemorySegment platforms, MemorySegment countReturned) {
        try {
            return (int) PLATFORMS.invokeExact(count, platforms, countReturned);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int devices(long platform, long types, int count, MemorySegment devices, MemorySegment countReturned) {
        try {
            return (int) DEVICES.invokeExact(platform, types, count, devices, countReturned);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static long createContext(
            MemorySegment properties,
            int count,
            MemorySegment devices,
            MemorySegment notify,
            MemorySegment data,
            MemorySegment status) {
        try {
            return (long) CREATE_CONTEXT.invokeExact(properties, count, devices, notify, data, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}
