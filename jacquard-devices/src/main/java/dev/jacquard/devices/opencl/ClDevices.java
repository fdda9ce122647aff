package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of platforms, devices and contexts. Threads: any. Statuses are returned as they are. */
final class ClDevices {
    private static final MethodHandle PLATFORMS =
            ClLibrary.bind("clGetPlatformIDs", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle PLATFORM_INFO =
            ClLibrary.bind("clGetPlatformInfo", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle DEVICES =
            ClLibrary.bind("clGetDeviceIDs", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle DEVICE_INFO =
            ClLibrary.bind("clGetDeviceInfo", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle CREATE_CONTEXT =
            ClLibrary.bind("clCreateContext", JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle RELEASE_CONTEXT = ClLibrary.bind("clReleaseContext", JAVA_INT, JAVA_LONG);

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

    static int platformInfo(long platform, int name, long size, MemorySegment value, MemorySegment sizeReturned) {
        try {
            return (int) PLATFORM_INFO.invokeExact(platform, name, size, value, sizeReturned);
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

    static int deviceInfo(long device, int name, long size, MemorySegment value, MemorySegment sizeReturned) {
        try {
            return (int) DEVICE_INFO.invokeExact(device, name, size, value, sizeReturned);
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

    static int releaseContext(long context) {
        try {
            return (int) RELEASE_CONTEXT.invokeExact(context);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}
