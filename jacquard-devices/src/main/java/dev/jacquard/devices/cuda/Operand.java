package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceBuffer;

/**
 * A vector or a matrix in a buffer. Matrices are column-major, as the vendor's libraries have them.
 *
 * @param offset where it begins, in bytes
 * @param stride elements from one entry of a vector to the next, or from one column of a matrix to the next; at least 1
 */
public record Operand(DeviceBuffer buffer, long offset, int stride) {
    public Operand {
        if (offset < 0 || stride < 1) {
            throw new IllegalArgumentException(
                    "an operand begins at byte 0 or later, with a stride of at least 1, not at " + offset + " with "
                            + stride);
        }
    }

    /** One that begins where the buffer does. */
    public static Operand of(DeviceBuffer buffer, int stride) {
        return new Operand(buffer, 0, stride);
    }

    /** Returns the address of a vector of {@code entries} entries on {@code device}. */
    long vector(CudaDevice device, int entries, int entryBytes) {
        return within(device, ((entries - 1L) * stride + 1) * entryBytes);
    }

    /** Returns the address of a matrix on {@code device}. */
    long matrix(CudaDevice device, int rows, int columns, int entryBytes) {
        if (stride < rows) {
            throw new IllegalArgumentException("columns of " + rows + " entries overlap at a stride of " + stride);
        }
        return within(device, ((columns - 1L) * stride + rows) * entryBytes);
    }

    private long within(CudaDevice device, long bytes) {
        CudaBuffer own = device.own(buffer);
        if (bytes > own.bytes() - offset) {
            throw new IllegalArgumentException(
                    "an operand ends at byte " + (offset + bytes) + " of a buffer of " + own.bytes());
        }
        return own.address() + offset;
    }
}
