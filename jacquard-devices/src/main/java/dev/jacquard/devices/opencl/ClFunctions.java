package dev.jacquard.devices.opencl;

import java.lang.foreign.MemorySegment;

/**
 * The functions of OpenCL that are called, under their names. Handles are {@code long}, pointers {@link MemorySegment};
 * statuses are returned as they are, for {@link ClStatus}.
 *
 * <p>Threads: any, but one at a time for the arguments of a kernel. Calls allocate nothing.
 */
interface ClFunctions {
    /** The functions of this process; only where {@link ClLibrary#absence} is empty. */
    ClFunctions CL = ClLibrary.functions().orThrow();

    /** Of transfers. */
    int NOT_BLOCKING = 0;

    int clGetPlatformIDs(int count, MemorySegment platforms, MemorySegment countReturned);

    int clGetPlatformInfo(long platform, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clGetDeviceIDs(long platform, long types, int count, MemorySegment devices, MemorySegment countReturned);

    int clGetDeviceInfo(long device, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    long clCreateContext(
            MemorySegment properties,
            int count,
            MemorySegment devices,
            MemorySegment notify,
            MemorySegment data,
            MemorySegment status);

    int clReleaseContext(long context);

    /** In order, unless the properties say otherwise. Deprecated since OpenCL 2.0, and in every version. */
    long clCreateCommandQueue(long context, long device, long properties, MemorySegment status);

    int clReleaseCommandQueue(long queue);

    /** Hands commands over to the device, without which another queue may wait for ever. */
    int clFlush(long queue);

    int clFinish(long queue);

    int clEnqueueMarkerWithWaitList(long queue, int waitCount, MemorySegment waits, MemorySegment event);

    int clEnqueueBarrierWithWaitList(long queue, int waitCount, MemorySegment waits, MemorySegment event);

    /** Blocks. */
    int clWaitForEvents(int count, MemorySegment events);

    int clGetEventInfo(long event, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clRetainEvent(long event);

    int clReleaseEvent(long event);

    long clCreateBuffer(long context, long flags, long size, MemorySegment host, MemorySegment status);

    int clReleaseMemObject(long buffer);

    MemorySegment clEnqueueMapBuffer(
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

    int clEnqueueUnmapMemObject(
            long queue, long buffer, MemorySegment mapped, int waitCount, MemorySegment waits, MemorySegment event);

    int clEnqueueReadBuffer(
            long queue,
            long buffer,
            int blocking,
            long offset,
            long size,
            MemorySegment host,
            int waitCount,
            MemorySegment waits,
            MemorySegment event);

    int clEnqueueWriteBuffer(
            long queue,
            long buffer,
            int blocking,
            long offset,
            long size,
            MemorySegment host,
            int waitCount,
            MemorySegment waits,
            MemorySegment event);

    /** Between two buffers of one context. */
    int clEnqueueCopyBuffer(
            long queue,
            long from,
            long to,
            long fromOffset,
            long toOffset,
            long size,
            int waitCount,
            MemorySegment waits,
            MemorySegment event);

    /** Of rows and planes. */
    int clEnqueueReadBufferRect(
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

    /** Of rows and planes. */
    int clEnqueueWriteBufferRect(
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

    /** Of rows and planes, between two buffers of one context. */
    int clEnqueueCopyBufferRect(
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

    long clCreateProgramWithSource(
            long context, int count, MemorySegment texts, MemorySegment lengths, MemorySegment status);

    /** Blocks when the call is given nothing to notify. */
    int clBuildProgram(
            long program,
            int count,
            MemorySegment devices,
            MemorySegment options,
            MemorySegment notify,
            MemorySegment data);

    int clGetProgramBuildInfo(
            long program, long device, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clGetProgramInfo(long program, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clReleaseProgram(long program);

    long clCreateKernel(long program, MemorySegment function, MemorySegment status);

    int clReleaseKernel(long kernel);

    int clGetKernelInfo(long kernel, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clGetKernelArgInfo(
            long kernel, int index, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clGetKernelWorkGroupInfo(
            long kernel, long device, int name, long size, MemorySegment value, MemorySegment sizeReturned);

    int clSetKernelArg(long kernel, int index, long size, MemorySegment value);

    int clEnqueueNDRangeKernel(
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
