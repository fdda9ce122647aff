package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClLibrary.bind;

import java.lang.foreign.MemorySegment;

/**
 * The functions of OpenCL that are called, each as an interface of what it takes, so that a call with the wrong types
 * does not compile. Handles are {@code long}, pointers {@link MemorySegment}; statuses are returned as they are.
 * Interfaces are public because a method handle takes the form of a public interface only.
 *
 * <p>Threads: any, but one at a time for the arguments of a kernel. Calls allocate nothing: the functions are
 * constants.
 */
final class ClFunctions {
    static final int NOT_BLOCKING = 0;

    static final ListPlatforms PLATFORMS = bind(ListPlatforms.class, "clGetPlatformIDs");
    static final Info PLATFORM_INFO = bind(Info.class, "clGetPlatformInfo");
    static final ListDevices DEVICES = bind(ListDevices.class, "clGetDeviceIDs");
    static final Info DEVICE_INFO = bind(Info.class, "clGetDeviceInfo");
    static final CreateContext CREATE_CONTEXT = bind(CreateContext.class, "clCreateContext");
    static final OfObject RELEASE_CONTEXT = bind(OfObject.class, "clReleaseContext");

    /** In order, unless the properties say otherwise. Deprecated since OpenCL 2.0, and in every version. */
    static final CreateQueue CREATE_QUEUE = bind(CreateQueue.class, "clCreateCommandQueue");

    static final OfObject RELEASE_QUEUE = bind(OfObject.class, "clReleaseCommandQueue");
    /** Hands commands over to the device, without which another queue may wait for ever. */
    static final OfObject FLUSH = bind(OfObject.class, "clFlush");

    static final OfObject FINISH = bind(OfObject.class, "clFinish");
    static final Wait ENQUEUE_MARKER = bind(Wait.class, "clEnqueueMarkerWithWaitList");
    static final Wait ENQUEUE_BARRIER = bind(Wait.class, "clEnqueueBarrierWithWaitList");
    /** Blocks. */
    static final WaitForEvents WAIT_FOR_EVENTS = bind(WaitForEvents.class, "clWaitForEvents");

    static final Info EVENT_INFO = bind(Info.class, "clGetEventInfo");
    static final OfObject RETAIN_EVENT = bind(OfObject.class, "clRetainEvent");
    static final OfObject RELEASE_EVENT = bind(OfObject.class, "clReleaseEvent");

    static final CreateBuffer CREATE_BUFFER = bind(CreateBuffer.class, "clCreateBuffer");
    static final OfObject RELEASE_BUFFER = bind(OfObject.class, "clReleaseMemObject");
    static final MapBuffer ENQUEUE_MAP = bind(MapBuffer.class, "clEnqueueMapBuffer");
    static final Unmap ENQUEUE_UNMAP = bind(Unmap.class, "clEnqueueUnmapMemObject");
    static final Transfer ENQUEUE_READ = bind(Transfer.class, "clEnqueueReadBuffer");
    static final Transfer ENQUEUE_WRITE = bind(Transfer.class, "clEnqueueWriteBuffer");
    static final Copy ENQUEUE_COPY = bind(Copy.class, "clEnqueueCopyBuffer");
    static final RectTransfer ENQUEUE_READ_RECT = bind(RectTransfer.class, "clEnqueueReadBufferRect");
    static final RectTransfer ENQUEUE_WRITE_RECT = bind(RectTransfer.class, "clEnqueueWriteBufferRect");
    static final RectCopy ENQUEUE_COPY_RECT = bind(RectCopy.class, "clEnqueueCopyBufferRect");

    static final CreateProgram CREATE_PROGRAM = bind(CreateProgram.class, "clCreateProgramWithSource");
    /** Blocks when the call is given nothing to notify. */
    static final Build BUILD = bind(Build.class, "clBuildProgram");

    static final DeviceInfo BUILD_INFO = bind(DeviceInfo.class, "clGetProgramBuildInfo");
    static final Info PROGRAM_INFO = bind(Info.class, "clGetProgramInfo");
    static final OfObject RELEASE_PROGRAM = bind(OfObject.class, "clReleaseProgram");
    static final CreateKernel CREATE_KERNEL = bind(CreateKernel.class, "clCreateKernel");
    static final OfObject RELEASE_KERNEL = bind(OfObject.class, "clReleaseKernel");
    static final Info KERNEL_INFO = bind(Info.class, "clGetKernelInfo");
    static final ArgumentInfo ARGUMENT_INFO = bind(ArgumentInfo.class, "clGetKernelArgInfo");
    static final DeviceInfo WORK_GROUP_INFO = bind(DeviceInfo.class, "clGetKernelWorkGroupInfo");
    static final SetArgument SET_ARGUMENT = bind(SetArgument.class, "clSetKernelArg");
    static final EnqueueKernel ENQUEUE_KERNEL = bind(EnqueueKernel.class, "clEnqueueNDRangeKernel");

    private ClFunctions() {}

    /** Binds the functions, or throws. */
    static void touch() {}

    /** A function of one object, like the one that releases a buffer. */
    public interface OfObject {
        int call(long object);
    }

    /** A function that tells a property of an object. */
    public interface Info {
        int call(long object, int name, long size, MemorySegment value, MemorySegment sizeReturned);

        /** Returns the properties of {@code object}; {@code who} is for messages. */
        default ClInfo of(String who, long object) {
            return new ClInfo(who, (name, size, value, returned) -> call(object, name, size, value, returned));
        }
    }

    /** A function that tells a property of an object on a device. */
    public interface DeviceInfo {
        int call(long object, long device, int name, long size, MemorySegment value, MemorySegment sizeReturned);

        /** Returns the properties of {@code object} on {@code device}; {@code who} is for messages. */
        default ClInfo of(String who, long object, long device) {
            return new ClInfo(who, (name, size, value, returned) -> call(object, device, name, size, value, returned));
        }
    }

    public interface ArgumentInfo {
        int call(long kernel, int index, int name, long size, MemorySegment value, MemorySegment sizeReturned);
    }

    public interface ListPlatforms {
        int call(int count, MemorySegment platforms, MemorySegment countReturned);
    }

    public interface ListDevices {
        int call(long platform, long types, int count, MemorySegment devices, MemorySegment countReturned);
    }

    public interface CreateContext {
        long call(
                MemorySegment properties,
                int count,
                MemorySegment devices,
                MemorySegment notify,
                MemorySegment data,
                MemorySegment status);
    }

    public interface CreateQueue {
        long call(long context, long device, long properties, MemorySegment status);
    }

    /** A command of a queue that does nothing but wait. */
    public interface Wait {
        int call(long queue, int waitCount, MemorySegment waits, MemorySegment event);
    }

    public interface WaitForEvents {
        int call(int count, MemorySegment events);
    }

    public interface CreateBuffer {
        long call(long context, long flags, long size, MemorySegment host, MemorySegment status);
    }

    public interface MapBuffer {
        MemorySegment call(
                long queue,
                long buffer,
                int blocking,
                long flags,
                long offset,
                long size,
                int waitCount,
                MemorySegment waits,
                MemorySegment event,
                MemorySegment status);
    }

    public interface Unmap {
        int call(
                long queue, long buffer, MemorySegment mapped, int waitCount, MemorySegment waits, MemorySegment event);
    }

    /** A command that copies between a buffer and the host. */
    public interface Transfer {
        int call(
                long queue,
                long buffer,
                int blocking,
                long offset,
                long size,
                MemorySegment host,
                int waitCount,
                MemorySegment waits,
                MemorySegment event);
    }

    /** As {@link Transfer}, of rows and planes. */
    public interface RectTransfer {
        int call(
                long queue,
                long buffer,
                int blocking,
                MemorySegment bufferOrigin,
                MemorySegment hostOrigin,
                MemorySegment region,
                long bufferPitch,
                long bufferSlice,
                long hostPitch,
                long hostSlice,
                MemorySegment host,
                int waitCount,
                MemorySegment waits,
                MemorySegment event);
    }

    /** A command that copies between two buffers of one context. */
    public interface Copy {
        int call(
                long queue,
                long from,
                long to,
                long fromOffset,
                long toOffset,
                long size,
                int waitCount,
                MemorySegment waits,
                MemorySegment event);
    }

    /** As {@link Copy}, of rows and planes. */
    public interface RectCopy {
        int call(
                long queue,
                long from,
                long to,
                MemorySegment fromOrigin,
                MemorySegment toOrigin,
                MemorySegment region,
                long fromPitch,
                long fromSlice,
                long toPitch,
                long toSlice,
                int waitCount,
                MemorySegment waits,
                MemorySegment event);
    }

    public interface CreateProgram {
        long call(long context, int count, MemorySegment texts, MemorySegment lengths, MemorySegment status);
    }

    public interface Build {
        int call(
                long program,
                int count,
                MemorySegment devices,
                MemorySegment options,
                MemorySegment notify,
                MemorySegment data);
    }

    public interface CreateKernel {
        long call(long program, MemorySegment function, MemorySegment status);
    }

    public interface SetArgument {
        int call(long kernel, int index, long size, MemorySegment value);
    }

    public interface EnqueueKernel {
        int call(
                long queue,
                long kernel,
                int dimensions,
                MemorySegment offset,
                MemorySegment items,
                MemorySegment group,
                int waitCount,
                MemorySegment waits,
                MemorySegment event);
    }
}
