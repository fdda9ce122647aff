package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.devices.opencl.ClFunctions.DeviceInfo;
import dev.jacquard.devices.opencl.ClFunctions.Info;
import dev.jacquard.devices.opencl.ClFunctions.OfObject;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of programs and kernels. Threads: any, but one at a time for the arguments of a kernel. Statuses are
 * returned as they are.
 */
final class ClPrograms {
    private static final MethodHandle CREATE_PROGRAM =
            ClLibrary.bind("clCreateProgramWithSource", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle BUILD =
            ClLibrary.bind("clBuildProgram", JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final DeviceInfo BUILD_INFO = new DeviceInfo("clGetProgramBuildInfo");
    static final Info PROGRAM_INFO = new Info("clGetProgramInfo");
    static final OfObject RELEASE_PROGRAM = new OfObject("clReleaseProgram");
    private static final MethodHandle CREATE_KERNEL =
            ClLibrary.bind("clCreateKernel", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final OfObject RELEASE_KERNEL = new OfObject("clReleaseKernel");
    static final Info KERNEL_INFO = new Info("clGetKernelInfo");
    private static final MethodHandle ARGUMENT_INFO =
            ClLibrary.bind("clGetKernelArgInfo", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    static final DeviceInfo WORK_GROUP_INFO = new DeviceInfo("clGetKernelWorkGroupInfo");
    private static final MethodHandle SET_ARGUMENT =
            ClLibrary.bind("clSetKernelArg", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle ENQUEUE_KERNEL = ClLibrary.bind(
            "clEnqueueNDRangeKernel",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS);

    private ClPrograms() {}

    /** Binds the functions, or throws. */
    static void touch() {}

    static long createProgram(
            long context, int count, MemorySegment texts, MemorySegment lengths, MemorySegment status) {
        try {
            return (long) CREATE_PROGRAM.invokeExact(context, count, texts, lengths, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    /** Builds a program. Blocks, since it is given nothing to notify. */
    static int build(
            long program,
            int count,
            MemorySegment devices,
            MemorySegment options,
            MemorySegment notify,
            MemorySegment data) {
        try {
            return (int) BUILD.invokeExact(program, count, devices, options, notify, data);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static long createKernel(long program, MemorySegment function, MemorySegment status) {
        try {
            return (long) CREATE_KERNEL.invokeExact(program, function, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int argumentInfo(
            long kernel, int index, int name, long size, MemorySegment value, MemorySegment sizeReturned) {
        try {
            return (int) ARGUMENT_INFO.invokeExact(kernel, index, name, size, value, sizeReturned);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int setArgument(long kernel, int index, long size, MemorySegment value) {
        try {
            return (int) SET_ARGUMENT.invokeExact(kernel, index, size, value);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueKernel(
            long queue,
            long kernel,
            int dimensions,
            MemorySegment offset,
            MemorySegment items,
            MemorySegment group,
            int waitCount,
            MemorySegment waits,
            MemorySegment event) {
        try {
            return (int) ENQUEUE_KERNEL.invokeExact(
                    queue, kernel, dimensions, offset, items, group, waitCount, waits, event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}
