package dev.jacquard.memory.testing;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What every kind of device keeps of memory and copies. */
abstract class DeviceCopyContract extends DeviceFixture {
    @Test
    void saysWhatItIs() {
        Device.Properties properties = device().properties();
        assertFalse(device().name().isBlank());
        assertFalse(device().target().name().isBlank());
        assertFalse(properties.model().isBlank());
        assertTrue(properties.memoryBytes() > 0, properties::toString);
        assertTrue(properties.largestBuffer() > 0, properties::toString);
        assertTrue(properties.largestBuffer() <= properties.memoryBytes(), properties::toString);
        assertTrue(properties.computeUnits() > 0, properties::toString);
        assertTrue(device().reaches(device()));
    }

    @Test
    void buffersAreAsLargeAsAskedForAndCloseTwice() {
        for (long bytes : new long[] {1, 3, 8, 4097, 1 << 20}) {
            DeviceBuffer buffer = device().allocate(bytes);
            assertEquals(bytes, buffer.bytes());
            assertSame(device(), buffer.device());
            buffer.close();
            buffer.close();
        }
    }

    @Test
    void memoryOfNoBytesIsRefused() {
        for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
            assertMentions(assertThrows(IllegalArgumentException.class, () -> device().allocate(bytes)), "" + bytes);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> device().allocatePinned(bytes)), "" + bytes);
        }
    }

    @Test
    void moreMemoryThanThereIsIsRefusedAndThenThereIsAsMuchAsBefore() {
        long bytes = device().properties().memoryBytes() * 2;
        assertMentions(
                assertThrows(DeviceMemoryException.class, () -> device().allocate(bytes)), device().name(), "" + bytes);
        device().allocate(1 << 20).close();
    }

    @Test
    void pinnedMemoryIsZeroedAndNative() {
        PinnedMemory pinned = device().allocatePinned(10_001);
        MemorySegment segment = pinned.segment();
        assertEquals(10_001, segment.byteSize());
        assertTrue(segment.isNative());
        assertEquals(-1, segment.mismatch(MemorySegment.ofArray(new byte[10_001])));
        pinned.close();
        pinned.close();
    }

    @Test
    void whatGoesInComesOut() {
        long bytes = (8 << 20) + 5;
        try (DeviceStream stream = device().stream("there and back");
                PinnedMemory there = device().allocatePinned(bytes);
                PinnedMemory back = device().allocatePinned(bytes);
                DeviceBuffer buffer = device().allocate(bytes);
                DeviceBuffer second = device().allocate(bytes)) {
            fill(there.segment(), 1);
            stream.copyIn(there.segment(), buffer, CopyShape.run(0, 0, bytes));
            stream.copy(buffer, second, CopyShape.run(0, 0, bytes));
            stream.copyOut(second, back.segment(), CopyShape.run(0, 0, bytes));
            finish(stream);
            assertEquals(-1, there.segment().mismatch(back.segment()));
        }
    }

    @Test
    void copiesOfAllShapesMoveJustTheirBytes() {
        long seed = System.nanoTime();
        try (DeviceStream stream = device().stream("shapes")) {
            SplittableRandom random = new SplittableRandom(seed);
            for (int round = 0; round < 150; round++) {
                copyInShape(stream, RandomShapes.next(random), random);
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** In, on the device and out by the same shape, each into memory that was filled before. */
    private void copyInShape(DeviceStream stream, CopyShape shape, SplittableRandom random) {
        int fromBytes = (int) shape.fromEnd() + random.nextInt(9);
        int toBytes = (int) shape.toEnd() + random.nextInt(9);
        byte[] source = bytes(fromBytes, random);
        byte[] before = bytes(toBytes, random);
        byte[] expected = RandomShapes.copied(source, before, shape);
        try (Arena arena = Arena.ofShared();
                DeviceBuffer from = device().allocate(fromBytes);
                DeviceBuffer to = device().allocate(toBytes)) {
            MemorySegment hostFrom = hold(arena, source);
            MemorySegment hostBefore = hold(arena, before);
            MemorySegment out = hold(arena, before);
            MemorySegment whole = arena.allocate(toBytes);
            CopyShape all = CopyShape.run(0, 0, toBytes);

            stream.copyIn(hostBefore, to, all);
            stream.copyIn(hostFrom, to, shape);
            stream.copyOut(to, whole, all);
            finish(stream);
            assertEquals(-1, whole.mismatch(MemorySegment.ofArray(expected)), () -> "in: " + shape);

            stream.copyIn(hostFrom, from, CopyShape.run(0, 0, fromBytes));
            stream.copyIn(hostBefore, to, all);
            stream.copy(from, to, shape);
            stream.copyOut(to, whole, all);
            stream.copyOut(from, out, shape);
            finish(stream);
            assertEquals(-1, whole.mismatch(MemorySegment.ofArray(expected)), () -> "inside: " + shape);
            assertEquals(-1, out.mismatch(MemorySegment.ofArray(expected)), () -> "out: " + shape);
        }
    }

    @Test
    void copiesThatLeaveAMemoryAreRefused() {
        try (DeviceStream stream = device().stream("bounds");
                Arena arena = Arena.ofShared();
                DeviceBuffer buffer = device().allocate(100);
                DeviceBuffer large = device().allocate(200)) {
            MemorySegment host = arena.allocate(100);
            for (CopyShape shape : List.of(
                    CopyShape.run(0, 1, 100),
                    CopyShape.run(1, 0, 100),
                    CopyShape.run(0, 0, 101),
                    CopyShape.run(Long.MAX_VALUE - 200, 0, 100),
                    new CopyShape(0, 0, 10, 10, 10, 11, 1, 0, 0),
                    new CopyShape(0, 0, 10, 3, 10, 10, 4, 31, 30))) {
                assertThrows(IllegalArgumentException.class, () -> stream.copyIn(host, buffer, shape), shape::toString);
                assertThrows(
                        IllegalArgumentException.class, () -> stream.copyOut(buffer, host, shape), shape::toString);
            }
            CopyShape one = CopyShape.run(0, 0, 101);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> stream.copy(buffer, large, one)), "101", "100");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> stream.copy(large, buffer, one)), "101", "100");
            finish(stream);
        }
    }

    @Test
    void memoryThatCannotBeCopiedIsRefused() {
        try (DeviceStream stream = device().stream("segments");
                Arena arena = Arena.ofShared();
                DeviceBuffer buffer = device().allocate(8)) {
            CopyShape all = CopyShape.run(0, 0, 8);
            MemorySegment heap = MemorySegment.ofArray(new double[1]);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> stream.copyIn(heap, buffer, all)), "heap");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> stream.copyOut(buffer, heap, all)), "heap");
            MemorySegment fixed = arena.allocate(8).asReadOnly();
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> stream.copyOut(buffer, fixed, all)),
                    "read-only");
            stream.copyIn(fixed, buffer, all);
            finish(stream);
        }
    }
}
