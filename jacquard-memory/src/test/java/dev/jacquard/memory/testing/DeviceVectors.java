package dev.jacquard.memory.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Two vectors on a device, and what they are copied from and to. */
final class DeviceVectors implements AutoCloseable {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;

    private final int n;
    private final PinnedMemory hostX;
    private final PinnedMemory hostY;
    final DeviceBuffer x;
    final DeviceBuffer y;

    DeviceVectors(Device device, int n) {
        this.n = n;
        this.hostX = device.allocatePinned(8L * n);
        this.hostY = device.allocatePinned(8L * n);
        this.x = device.allocate(8L * n);
        this.y = device.allocate(8L * n);
    }

    CopyShape all() {
        return CopyShape.run(0, 0, 8L * n);
    }

    MemorySegment host() {
        return hostY.segment();
    }

    void fill(double ofX, double ofY) {
        for (int i = 0; i < n; i++) {
            hostX.segment().setAtIndex(DOUBLE, i, ofX);
            hostY.segment().setAtIndex(DOUBLE, i, ofY);
        }
    }

    void copyIn(DeviceStream stream) {
        stream.copyIn(hostX.segment(), x, all());
        stream.copyIn(hostY.segment(), y, all());
    }

    List<Object> axpy(double a) {
        return List.of(x, y, a, n);
    }

    void assertAll(double expected) {
        for (int i = 0; i < n; i++) {
            assertEquals(expected, host().getAtIndex(DOUBLE, i));
        }
    }

    @Override
    public void close() {
        List.of(x, y).forEach(DeviceBuffer::close);
        List.of(hostX, hostY).forEach(PinnedMemory::close);
    }
}
