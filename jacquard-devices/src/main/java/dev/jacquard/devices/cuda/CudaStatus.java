package dev.jacquard.devices.cuda;

/** Statuses of the driver that mean more than failure. Source: {@code CUresult} in {@code cuda.h}. */
final class CudaStatus {
    static final int SUCCESS = 0;
    static final int INVALID_VALUE = 1;
    static final int OUT_OF_MEMORY = 2;
    static final int DEINITIALIZED = 4;
    static final int NO_DEVICE = 100;
    static final int NOT_FOUND = 500;
    static final int NOT_READY = 600;
    static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    private CudaStatus() {}

    /**
     * Returns true if nothing works any more on the device after this status. The manual calls most of these statuses
     * sticky: every later call of the context returns the same, and its memory is lost.
     */
    static boolean isLoss(int status) {
        return switch (status) {
            case 46, // CUDA_ERROR_DEVICE_UNAVAILABLE
                    214, // CUDA_ERROR_ECC_UNCORRECTABLE
                    220, // CUDA_ERROR_NVLINK_UNCORRECTABLE
                    226, // CUDA_ERROR_CONTAINED
                    700, // CUDA_ERROR_ILLEGAL_ADDRESS
                    702, // CUDA_ERROR_LAUNCH_TIMEOUT
                    709, // CUDA_ERROR_CONTEXT_IS_DESTROYED
                    710, // CUDA_ERROR_ASSERT
                    714, // CUDA_ERROR_HARDWARE_STACK_ERROR
                    715, // CUDA_ERROR_ILLEGAL_INSTRUCTION
                    716, // CUDA_ERROR_MISALIGNED_ADDRESS
                    717, // CUDA_ERROR_INVALID_ADDRESS_SPACE
                    718, // CUDA_ERROR_INVALID_PC
                    719, // CUDA_ERROR_LAUNCH_FAILED
                    721, // CUDA_ERROR_TENSOR_MEMORY_LEAK
                    DEINITIALIZED -> true;
            default -> false;
        };
    }
}
