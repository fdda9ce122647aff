package dev.jacquard.memory.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.machine.ProcessMemory;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * What every kind of device keeps. A kind's test extends this class, says how to open a device, and which language it
 * compiles; all tests but those of failures share one device.
 */
public abstract class DeviceContract extends DeviceKernelContract {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    /** What a process may take for itself meanwhile. */
    private static final long SLACK = 64L << 20;

    @Test
    void behindAFailureNothingIsDoneAndEachEventSaysWhy() {
        Device device = open();
        try (PinnedMemory host = device.allocatePinned(8);
                PinnedMemory back = device.allocatePinned(8)) {
            DeviceStream stream = device.stream("failing");
            DeviceBuffer buffer = device.allocate(8);
            host.segment().set(DOUBLE, 0, 1);
            stream.copyIn(host.segment(), buffer, CopyShape.run(0, 0, 8));
            finish(stream);
            assumeTrue(fail(stream), "this kind cannot be brought to fail");
            assertThrows(DeviceException.class, () -> {
                stream.copyOut(buffer, back.segment(), CopyShape.run(0, 0, 8));
                stream.record().await();
            });
            assertThrows(DeviceException.class, () -> stream.record().await());
            assertEquals(0, back.segment().get(DOUBLE, 0));
            stream.close();
            buffer.close();
        } finally {
            device.close();
        }
    }

    @Test
    void streamsCloseTwiceAndFinishWhatTheyWereTold() {
        long bytes = 1 << 20;
        try (PinnedMemory there = device().allocatePinned(bytes);
                PinnedMemory back = device().allocatePinned(bytes);
                DeviceBuffer buffer = device().allocate(bytes)) {
            fill(there.segment(), 3);
            DeviceStream stream = device().stream("brief");
            assertSame(device(), stream.device());
            stream.copyIn(there.segment(), buffer, CopyShape.run(0, 0, bytes));
            stream.copyOut(buffer, back.segment(), CopyShape.run(0, 0, bytes));
            stream.close();
            stream.close();
            assertEquals(-1, there.segment().mismatch(back.segment()));
            device().stream("never used").close();
        }
    }

    /** Of drivers that lock it and of those that do not. */
    @Test
    void memoryOfTheCallersIsCopiedToAndFrom() {
        long bytes = (1 << 20) + 24;
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = device().stream("callers");
                DeviceBuffer buffer = device().allocate(bytes)) {
            MemorySegment there = arena.allocate(bytes, 8);
            MemorySegment back = arena.allocate(bytes, 8);
            PinnedMemory lockedThere = device().pin(there);
            PinnedMemory lockedBack = device().pin(back);
            assertEquals(lockedThere == null, lockedBack == null);
            fill(there, 5);
            stream.copyIn(there, buffer, CopyShape.run(0, 0, bytes));
            stream.copyOut(buffer, back, CopyShape.run(0, 0, bytes));
            finish(stream);
            if (lockedThere != null && lockedBack != null) {
                assertSame(there, lockedThere.segment());
                lockedThere.close();
                lockedBack.close();
            }
            assertEquals(-1, there.mismatch(back));
            there.set(DOUBLE, 0, 1); // as any memory again
        }
    }

    @Test
    void manyRoundsLeaveNothingBehind() {
        long bytes = 64 << 10;
        long used = usedBytes(device()).orElse(0);
        try (PinnedMemory host = device().allocatePinned(bytes);
                DeviceStream stream = device().stream("rounds")) {
            rounds(stream, host, bytes, 1_000);
            OptionalLong before = ProcessMemory.residentBytes();
            rounds(stream, host, bytes, 10_000);
            OptionalLong after = ProcessMemory.residentBytes();
            if (before.isPresent() && after.isPresent()) {
                long more = after.getAsLong() - before.getAsLong();
                assertTrue(more < SLACK, () -> more + " bytes more are resident");
            }
        }
        assertEquals(used, usedBytes(device()).orElse(0));
    }

    private void rounds(DeviceStream stream, PinnedMemory host, long bytes, int rounds) {
        CopyShape all = CopyShape.run(0, 0, bytes);
        for (int i = 0; i < rounds; i++) {
            try (DeviceBuffer buffer = device().allocate(bytes)) {
                stream.copyIn(host.segment(), buffer, all);
                stream.copyOut(buffer, host.segment(), all);
                finish(stream);
            }
        }
    }
}
