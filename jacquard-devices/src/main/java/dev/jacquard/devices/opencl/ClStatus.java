package dev.jacquard.devices.opencl;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceMemoryException;

/**
 * OpenCL's statuses: their names, and the one place where they become exceptions.
 *
 * <p>Source: Khronos, {@code CL/cl.h}, "Error Codes".
 */
final class ClStatus {
    static final int DEVICE_NOT_FOUND = -1;
    static final int DEVICE_NOT_AVAILABLE = -2;
    static final int MEM_OBJECT_ALLOCATION_FAILURE = -4;
    static final int OUT_OF_RESOURCES = -5;
    static final int OUT_OF_HOST_MEMORY = -6;
    static final int BUILD_PROGRAM_FAILURE = -11;
    static final int EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14;
    static final int KERNEL_ARG_INFO_NOT_AVAILABLE = -19;
    static final int INVALID_KERNEL_NAME = -46;
    static final int INVALID_ARG_SIZE = -51;
    static final int INVALID_BUFFER_SIZE = -61;
    static final int PLATFORM_NOT_FOUND = -1001;

    private ClStatus() {}

    /**
     * Requires that a call succeeded.
     *
     * @param who the device or platform
     * @param task what was to be done: {@code make a queue}
     * @throws DeviceException when it did not, with the status by name
     */
    static void check(int status, String who, String task) {
        if (status < 0) {
            throw failure(status, who + " could not " + task + ": " + name(status));
        }
    }

    /** The kind of exception that a status is, with a message that names it. */
    static DeviceException failure(int status, String message) {
        return switch (status) {
            case DEVICE_NOT_AVAILABLE -> new DeviceLostException(message);
            case MEM_OBJECT_ALLOCATION_FAILURE -> new DeviceMemoryException(message);
            default -> new DeviceException(message);
        };
    }

    /** The status as the header and the driver's documentation call it, and its number. */
    static String name(int status) {
        return constant(status) + " (" + status + ")";
    }

    private static String constant(int status) {
        return switch (status) {
            case 0 -> "CL_SUCCESS";
            case DEVICE_NOT_FOUND -> "CL_DEVICE_NOT_FOUND";
            case DEVICE_NOT_AVAILABLE -> "CL_DEVICE_NOT_AVAILABLE";
            case -3 -> "CL_COMPILER_NOT_AVAILABLE";
            case MEM_OBJECT_ALLOCATION_FAILURE -> "CL_MEM_OBJECT_ALLOCATION_FAILURE";
            case OUT_OF_RESOURCES -> "CL_OUT_OF_RESOURCES";
            case OUT_OF_HOST_MEMORY -> "CL_OUT_OF_HOST_MEMORY";
            case -7 -> "CL_PROFILING_INFO_NOT_AVAILABLE";
            case -8 -> "CL_MEM_COPY_OVERLAP";
            case -9 -> "CL_IMAGE_FORMAT_MISMATCH";
            case -10 -> "CL_IMAGE_FORMAT_NOT_SUPPORTED";
            case BUILD_PROGRAM_FAILURE -> "CL_BUILD_PROGRAM_FAILURE";
            case -12 -> "CL_MAP_FAILURE";
            case -13 -> "CL_MISALIGNED_SUB_BUFFER_OFFSET";
            case EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST -> "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
            case -15 -> "CL_COMPILE_PROGRAM_FAILURE";
            case -16 -> "CL_LINKER_NOT_AVAILABLE";
            case -17 -> "CL_LINK_PROGRAM_FAILURE";
            case -18 -> "CL_DEVICE_PARTITION_FAILED";
            case KERNEL_ARG_INFO_NOT_AVAILABLE -> "CL_KERNEL_ARG_INFO_NOT_AVAILABLE";
            case -30 -> "CL_INVALID_VALUE";
            case -31 -> "CL_INVALID_DEVICE_TYPE";
            case -32 -> "CL_INVALID_PLATFORM";
            case -33 -> "CL_INVALID_DEVICE";
            case -34 -> "CL_INVALID_CONTEXT";
            case -35 -> "CL_INVALID_QUEUE_PROPERTIES";
            case -36 -> "CL_INVALID_COMMAND_QUEUE";
            case -37 -> "CL_INVALID_HOST_PTR";
            case -38 -> "CL_INVALID_MEM_OBJECT";
            case -39 -> "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR";
            case -40 -> "CL_INVALID_IMAGE_SIZE";
            case -41 -> "CL_INVALID_SAMPLER";
            case -42 -> "CL_INVALID_BINARY";
            case -43 -> "CL_INVALID_BUILD_OPTIONS";
            case -44 -> "CL_INVALID_PROGRAM";
            case -45 -> "CL_INVALID_PROGRAM_EXECUTABLE";
            case INVALID_KERNEL_NAME -> "CL_INVALID_KERNEL_NAME";
            case -47 -> "CL_INVALID_KERNEL_DEFINITION";
            case -48 -> "CL_INVALID_KERNEL";
            case -49 -> "CL_INVALID_ARG_INDEX";
            case -50 -> "CL_INVALID_ARG_VALUE";
            case INVALID_ARG_SIZE -> "CL_INVALID_ARG_SIZE";
            case -52 -> "CL_INVALID_KERNEL_ARGS";
            case -53 -> "CL_INVALID_WORK_DIMENSION";
            case -54 -> "CL_INVALID_WORK_GROUP_SIZE";
            case -55 -> "CL_INVALID_WORK_ITEM_SIZE";
            case -56 -> "CL_INVALID_GLOBAL_OFFSET";
            case -57 -> "CL_INVALID_EVENT_WAIT_LIST";
            case -58 -> "CL_INVALID_EVENT";
            case -59 -> "CL_INVALID_OPERATION";
            case -60 -> "CL_INVALID_GL_OBJECT";
            case INVALID_BUFFER_SIZE -> "CL_INVALID_BUFFER_SIZE";
            case -62 -> "CL_INVALID_MIP_LEVEL";
            case -63 -> "CL_INVALID_GLOBAL_WORK_SIZE";
            case -64 -> "CL_INVALID_PROPERTY";
            case -65 -> "CL_INVALID_IMAGE_DESCRIPTOR";
            case -66 -> "CL_INVALID_COMPILER_OPTIONS";
            case -67 -> "CL_INVALID_LINKER_OPTIONS";
            case -68 -> "CL_INVALID_DEVICE_PARTITION_COUNT";
            case -69 -> "CL_INVALID_PIPE_SIZE";
            case -70 -> "CL_INVALID_DEVICE_QUEUE";
            case -72 -> "CL_MAX_SIZE_RESTRICTION_EXCEEDED";
            case PLATFORM_NOT_FOUND -> "CL_PLATFORM_NOT_FOUND_KHR";
            default -> "a status of the vendor's own";
        };
    }
}
