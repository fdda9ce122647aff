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

    private static final String NONE = "-";

    /** The header's names of the statuses from 0 down, without {@code CL_}. */
    private static final String[] NAMES = """
            SUCCESS DEVICE_NOT_FOUND DEVICE_NOT_AVAILABLE COMPILER_NOT_AVAILABLE MEM_OBJECT_ALLOCATION_FAILURE
            OUT_OF_RESOURCES OUT_OF_HOST_MEMORY PROFILING_INFO_NOT_AVAILABLE MEM_COPY_OVERLAP IMAGE_FORMAT_MISMATCH
            IMAGE_FORMAT_NOT_SUPPORTED BUILD_PROGRAM_FAILURE MAP_FAILURE MISALIGNED_SUB_BUFFER_OFFSET
            EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST COMPILE_PROGRAM_FAILURE LINKER_NOT_AVAILABLE
            LINK_PROGRAM_FAILURE DEVICE_PARTITION_FAILED KERNEL_ARG_INFO_NOT_AVAILABLE - - - - - - - - - -
            INVALID_VALUE INVALID_DEVICE_TYPE INVALID_PLATFORM INVALID_DEVICE INVALID_CONTEXT
            INVALID_QUEUE_PROPERTIES INVALID_COMMAND_QUEUE INVALID_HOST_PTR INVALID_MEM_OBJECT
            INVALID_IMAGE_FORMAT_DESCRIPTOR INVALID_IMAGE_SIZE INVALID_SAMPLER INVALID_BINARY INVALID_BUILD_OPTIONS
            INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE INVALID_KERNEL_NAME INVALID_KERNEL_DEFINITION INVALID_KERNEL
            INVALID_ARG_INDEX INVALID_ARG_VALUE INVALID_ARG_SIZE INVALID_KERNEL_ARGS INVALID_WORK_DIMENSION
            INVALID_WORK_GROUP_SIZE INVALID_WORK_ITEM_SIZE INVALID_GLOBAL_OFFSET INVALID_EVENT_WAIT_LIST
            INVALID_EVENT INVALID_OPERATION INVALID_GL_OBJECT INVALID_BUFFER_SIZE INVALID_MIP_LEVEL
            INVALID_GLOBAL_WORK_SIZE INVALID_PROPERTY INVALID_IMAGE_DESCRIPTOR INVALID_COMPILER_OPTIONS
            INVALID_LINKER_OPTIONS INVALID_DEVICE_PARTITION_COUNT INVALID_PIPE_SIZE INVALID_DEVICE_QUEUE -
            MAX_SIZE_RESTRICTION_EXCEEDED""".split("\\s+", -1);

    private ClStatus() {}

    /**
     * Requires that a call succeeded.
     *
     * @param who the device or platform
     * @param task the intended operation: {@code make a queue}
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
        if (status == PLATFORM_NOT_FOUND) {
            return "CL_PLATFORM_NOT_FOUND_KHR";
        }
        String name = status <= 0 && status > -NAMES.length ? NAMES[-status] : NONE;
        return name.equals(NONE) ? "a status of the vendor's own" : "CL_" + name;
    }
}
