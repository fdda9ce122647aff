package dev.jacquard.devices.opencl;

import static dev.jacquard.testkit.Messages.assertMentions;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ProcessMemory;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order, failures, memory. */
@SuppressWarnings("NullAway.Init") // the device is opened before each test
class StreamsTest {
    private OpenClDevice device;

    @BeforeEach
    void open() {
        device = OpenClFixture.open();
    }

    @AfterEach
    @SuppressWarnings("NullAway") // a skipped test has none
    void close() {
        if (device != null) {
            device.close();
        }
    }

    @Test
    void commandsAreDoneLaterAndInOrder() {
        try (Arena arena = Arena.ofConfined();
                Gate gate = new Gate(device);
                DeviceBuffer buffer = device.allocate(4);
                DeviceStream first = device.stream("first");
                DeviceStream second = device.stream("second")) {
            MemorySegment in = arena.allocate(JAVA_INT);
            MemorySegment out = arena.allocate(JAVA_INT);
            in.set(JAVA_INT, 0, 17);
            first.await(gate.place());
            first.copyIn(in, buffer, CopyShape.run(0, 0, 4));
            try (DeviceEvent written = first.record()) {
                second.await(written);
                second.copyOut(buffer, out, CopyShape.run(0, 0, 4));
                try (DeviceEvent read = second.record()) {
                    assertFalse(read.isOver());
                    assertEquals(0, out.get(JAVA_INT, 0));
                    in.set(JAVA_INT, 0, 18); // nothing was read of it yet
                    gate.open(0);
                    read.await();
                    assertTrue(written.isOver());
                    assertEquals(18, out.get(JAVA_INT, 0));
                }
            }
        }
    }

    @Test
    void nothingIsDoneBehindAFailure() {
        try (Arena arena = Arena.ofConfined();
                Gate gate = new Gate(device);
                DeviceBuffer buffer = device.allocate(4);
                DeviceStream first = device.stream("first");
                DeviceStream second = device.stream("second")) {
            MemorySegment host = arena.allocate(JAVA_INT);
            host.set(JAVA_INT, 0, 17);
            first.copyIn(host, buffer, CopyShape.run(0, 0, 4));
            try (DeviceEvent sound = first.record()) {
                first.await(gate.place());
                first.copyOut(buffer, host, CopyShape.run(0, 0, 4));
                try (DeviceEvent failed = first.record()) {
                    second.await(failed);
                    second.copyOut(buffer, host, CopyShape.run(0, 0, 4));
                    try (DeviceEvent behind = second.record()) {
                        sound.await();
                        host.set(JAVA_INT, 0, 1);
                        gate.open(-5);
                        assertMentions(
                                assertThrows(DeviceException.class, failed::await),
                                "opencl0 (stream \"first\") waited for the gate, which could not",
                                "CL_");
                        assertMentions(
                                assertThrows(DeviceException.class, behind::await),
                                "opencl0 (stream \"second\") waited for opencl0 (stream \"first\")");
                        assertTrue(failed.isOver());
                    }
                    first.copyOut(buffer, host, CopyShape.run(0, 0, 4));
                    try (DeviceEvent later = first.record();
                            DeviceStream third = device.stream("third")) {
                        assertThrows(DeviceException.class, later::await);
                        third.await(later);
                        try (DeviceEvent elsewhere = third.record()) {
                            assertThrows(DeviceException.class, elsewhere::await);
                        }
                    }
                    assertEquals(1, host.get(JAVA_INT, 0));
                    sound.await();
                }
            }
        }
    }

    @Test
    void copiesOfAnyShapeArriveAsOnTheHost() {
        long seed = 20261120;
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined();
                DeviceStream stream = device.stream("s")) {
            for (int round = 0; round < 300; round++) {
                CopyShape shape = shape(random);
                byte[] from = bytes(random, shape.fromEnd() + random.nextInt(5));
                byte[] to = bytes(random, shape.toEnd() + random.nextInt(5));
                byte[] expected = to.clone();
                copy(from, expected, shape);
                String what = "seed " + seed + ", round " + round + ": " + shape;
                MemorySegment hostFrom = arena.allocateFrom(JAVA_BYTE, from);
                MemorySegment hostTo = arena.allocateFrom(JAVA_BYTE, to);
                try (DeviceBuffer left = device.allocate(from.length);
                        DeviceBuffer right = device.allocate(to.length)) {
                    stream.copyIn(hostTo, right, CopyShape.run(0, 0, to.length));
                    stream.copyIn(hostFrom, right, shape);
                    assertArrayEquals(expected, contents(stream, right, arena), what);
                    stream.copyIn(hostTo, right, CopyShape.run(0, 0, to.length));
                    stream.copyIn(hostFrom, left, CopyShape.run(0, 0, from.length));
                    stream.copy(left, right, shape);
                    assertArrayEquals(expected, contents(stream, right, arena), what);
                    stream.copyOut(left, hostTo, shape);
                    try (DeviceEvent done = stream.record()) {
                        done.await();
                    }
                    assertArrayEquals(expected, hostTo.toArray(JAVA_BYTE), what);
                }
            }
        }
    }

    @Test
    void aCopyWithinABufferMayHaveTwoPitches() {
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer buffer = device.allocate(64);
                DeviceStream stream = device.stream("s")) {
            byte[] bytes = bytes(new Random(1), 64);
            stream.copyIn(arena.allocateFrom(JAVA_BYTE, bytes), buffer, CopyShape.run(0, 0, 64));
            CopyShape shape = new CopyShape(0, 32, 2, 3, 4, 6, 1, 12, 18);
            stream.copy(buffer, buffer, shape);
            byte[] expected = bytes.clone();
            copy(bytes, expected, shape);
            assertArrayEquals(expected, contents(stream, buffer, arena));
        }
    }

    @Test
    void memoryThatIsNotThereIsRefusedWithFigures() {
        long largest = device.properties().largestBuffer();
        assertMentions(
                assertThrows(DeviceMemoryException.class, () -> device.allocate(largest + 1)),
                Long.toString(largest),
                Long.toString(largest + 1));
        long bytes = Math.min(largest, device.properties().memoryBytes() / 2 + 1);
        try (DeviceBuffer half = device.allocate(bytes)) {
            assertEquals(bytes, half.bytes());
            assertMentions(
                    assertThrows(DeviceMemoryException.class, () -> {
                        while (true) {
                            device.allocate(bytes);
                        }
                    }),
                    "are lent already");
        }
    }

    @Test
    void pinnedMemoryIsZeroedAndOwnedByWhoClosesIt() {
        Device.PinnedMemory pinned = device.allocatePinned(100);
        MemorySegment segment = pinned.segment();
        assertEquals(100, segment.byteSize());
        assertArrayEquals(new byte[100], segment.toArray(JAVA_BYTE));
        try (DeviceBuffer buffer = device.allocate(100);
                DeviceStream stream = device.stream("s")) {
            segment.fill((byte) 3);
            stream.copyIn(segment, buffer, CopyShape.run(0, 0, 100));
            segment = pinned.segment();
            try (DeviceEvent done = stream.record()) {
                done.await();
            }
            segment.fill((byte) 0);
            stream.copyOut(buffer, segment, CopyShape.run(0, 0, 100));
            try (DeviceEvent done = stream.record()) {
                done.await();
            }
            assertEquals(3, segment.get(JAVA_BYTE, 99));
        }
        pinned.close();
        pinned.close();
        assertThrows(IllegalStateException.class, () -> pinned.segment().get(JAVA_BYTE, 0));
    }

    @Test
    void wrongUseIsRefused() {
        DeviceBuffer buffer = device.allocate(8);
        DeviceStream stream = device.stream("s");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(8);
            CopyShape all = CopyShape.run(0, 0, 8);
            assertThrows(IllegalArgumentException.class, () -> device.allocate(0));
            buffer.close();
            assertThrows(IllegalStateException.class, () -> stream.copyIn(host, buffer, all));
            stream.close();
            assertThrows(IllegalStateException.class, () -> stream.copyIn(host, buffer, all));
            device.close();
            assertThrows(IllegalStateException.class, () -> device.allocate(8));
        }
    }

    @Test
    void javaStillFindsDivisionsByZero() {
        for (int i = 0; i < 20_000; i++) { // interpreted and compiled
            int zero = i >> 20;
            assertThrows(ArithmeticException.class, () -> Math.abs(1 / zero));
        }
    }

    @Test
    void launchingForLongNeedsNoMoreMemory() {
        DeviceKernel nothing = device.compile(OpenClFixture.kernel("nothing"));
        try (DeviceStream stream = device.stream("s")) {
            launch(stream, nothing, 5_000);
            long before = ProcessMemory.residentBytes().orElse(0);
            launch(stream, nothing, 20_000);
            long grown = ProcessMemory.residentBytes().orElse(0) - before;
            assertTrue(grown < 24L << 20, "resident memory has grown by " + grown + " bytes");
        }
    }

    private static void launch(DeviceStream stream, DeviceKernel kernel, int times) {
        for (int i = 0; i < times; i++) {
            stream.launch(kernel, LaunchShape.of(1), List.of());
            if (i % 10 == 9) {
                try (DeviceEvent done = stream.record()) {
                    done.await();
                }
            }
        }
    }

    private static CopyShape shape(Random random) {
        long run = 1L + random.nextInt(9);
        long rows = 1L + random.nextInt(4);
        long planes = 1L + random.nextInt(3);
        long fromPitch = run + random.nextInt(3);
        long toPitch = run + random.nextInt(3);
        long fromSlice = rows * fromPitch * (1 + random.nextInt(2)) + random.nextInt(3);
        long toSlice = rows * toPitch * (1 + random.nextInt(2)) + random.nextInt(3);
        return new CopyShape(
                random.nextInt(20), random.nextInt(20), run, rows, fromPitch, toPitch, planes, fromSlice, toSlice);
    }

    private static void copy(byte[] from, byte[] to, CopyShape s) {
        for (long plane = 0; plane < s.planes(); plane++) {
            for (long row = 0; row < s.rows(); row++) {
                System.arraycopy(
                        from,
                        (int) (s.fromOffset() + plane * s.fromSlice() + row * s.fromPitch()),
                        to,
                        (int) (s.toOffset() + plane * s.toSlice() + row * s.toPitch()),
                        (int) s.runBytes());
            }
        }
    }

    private static byte[] bytes(Random random, long count) {
        byte[] bytes = new byte[(int) count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] contents(DeviceStream stream, DeviceBuffer buffer, Arena arena) {
        MemorySegment host = arena.allocate(buffer.bytes());
        stream.copyOut(buffer, host, CopyShape.run(0, 0, buffer.bytes()));
        try (DeviceEvent done = stream.record()) {
            done.await();
        }
        return host.toArray(JAVA_BYTE);
    }
}
