package dev.jacquard.core.testing;

import static dev.jacquard.core.testing.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.device.CopyShape;
import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.Device.PinnedMemory;
import dev.jacquard.core.device.DeviceBuffer;
import dev.jacquard.core.device.DeviceEvent;
import dev.jacquard.core.device.DeviceException;
import dev.jacquard.core.device.DeviceKernel;
import dev.jacquard.core.device.DeviceMemoryException;
import dev.jacquard.core.device.DeviceProperties;
import dev.jacquard.core.device.DeviceStream;
import dev.jacquard.core.device.KernelCompilationException;
import dev.jacquard.core.device.KernelSource.Language;
import dev.jacquard.core.device.LaunchShape;
import dev.jacquard.core.machine.ProcessMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What every kind of device keeps. A kind's test extends this class, says how to open a device, and which language it compiles; all
 * tests but those of failures share one device.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DeviceContract {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final long SLACK = 64L << 20;

    private @Nullable Device opened;

    /** Opens a device; where there is none, an assumption fails, with the reason. */
    protected abstract Device open();

    /** What it compiles; null when its kernels are none of these. */
    protected abstract @Nullable Language language();

    /** Makes one of the samples a kernel of {@code device}. */
    protected DeviceKernel kernel(Device device, SampleKernel sample) {
        return device.compile(sample.source(Objects.requireNonNull(language())));
    }

    /** Whether the driver tells how many arguments a kernel takes. */
    protected boolean countsArguments() {
        return true;
    }

    /** How much of the device's memory is in use, where that is known. */
    protected OptionalLong usedBytes(Device device) {
        return OptionalLong.empty();
    }

    /** Has the stream, of a device of its own, do something that fails there; false when this kind cannot be brought to that. */
    protected boolean fail(DeviceStream stream) {
        return false;
    }

    @BeforeAll
    void openDevice() {
        opened = open();
    }

    @AfterAll
    void closeDevice() {
        if (opened != null) {
            usedBytes(opened).ifPresent(used -> assertEquals(0, used, "bytes that tests left behind"));
            opened.close();
            opened.close();
        }
    }

    /** The shared one. */
    protected final Device device() {
        return Objects.requireNonNull(opened);
    }

    // ---- memory

    @Test
    void saysWhatItIs() {
        DeviceProperties properties = device().properties();
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

    // ---- copies

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

    // ---- order

    @Test
    void aStreamDoesOneThingAfterTheOther() {
        int n = 1000;
        int times = 300;
        DeviceKernel axpy = kernel(device(), SampleKernel.AXPY);
        try (DeviceStream stream = device().stream("order");
                Vectors v = new Vectors(device(), n)) {
            v.fill(1, 0);
            v.copyIn(stream);
            for (int i = 1; i <= times; i++) {
                stream.launch(axpy, LaunchShape.of(n), v.axpy(i % 2 == 0 ? -2.0 : 3.0));
                stream.copy(v.y, v.x, v.all()); // so the next one needs this one's
            }
            stream.copyOut(v.y, v.host(), v.all());
            DeviceEvent end = stream.record();
            end.await();
            assertTrue(end.isOver());
            end.close();
            end.close();
            double expected = 0;
            double x = 1;
            for (int i = 1; i <= times; i++) {
                expected += (i % 2 == 0 ? -2.0 : 3.0) * x;
                x = expected;
            }
            v.assertAll(expected);
        }
    }

    @Test
    void streamsWaitForEachOthersEvents() {
        int n = 50_000;
        DeviceKernel axpy = kernel(device(), SampleKernel.AXPY);
        try (DeviceStream first = device().stream("first");
                DeviceStream second = device().stream("second");
                DeviceStream third = device().stream("third");
                Vectors v = new Vectors(device(), n)) {
            for (int round = 1; round <= 30; round++) {
                v.fill(1, round);
                v.copyIn(first);
                first.launch(axpy, LaunchShape.of(n), v.axpy(10));
                DeviceEvent added = first.record();
                second.await(added);
                second.launch(axpy, LaunchShape.of(n), v.axpy(100));
                DeviceEvent twice = second.record();
                third.await(added);
                third.await(twice);
                third.copyOut(v.y, v.host(), v.all());
                DeviceEvent end = third.record();
                end.await();
                assertTrue(added.isOver() && twice.isOver());
                v.assertAll(round + 110);
                List.of(added, twice, end).forEach(DeviceEvent::close);
            }
        }
    }

    @Test
    void threadsWithTheirOwnStreamsDoNotDisturbEachOther() throws InterruptedException, ExecutionException {
        int threads = 6;
        int n = 3_001;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                double a = t + 1;
                all.add(pool.submit(() -> addInRounds(n, a)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private void addInRounds(int n, double a) {
        DeviceKernel axpy = kernel(device(), SampleKernel.AXPY);
        try (DeviceStream stream = device().stream("thread " + a)) {
            for (int round = 0; round < 40; round++) {
                try (Vectors v = new Vectors(device(), n)) {
                    v.fill(round, 5);
                    v.copyIn(stream);
                    stream.launch(axpy, LaunchShape.of(n), v.axpy(a));
                    stream.copyOut(v.y, v.host(), v.all());
                    finish(stream);
                    v.assertAll(5 + a * round);
                }
            }
        }
    }

    // ---- kernels

    @Test
    void kernelsTakeArgumentsOfEachType() {
        DeviceKernel numbers = kernel(device(), SampleKernel.NUMBERS);
        assertSame(device(), numbers.device());
        assertEquals("numbers", numbers.name());
        long large = (1L << 45) + 7;
        try (DeviceStream stream = device().stream("numbers");
                PinnedMemory back = device().allocatePinned(32);
                DeviceBuffer out = device().allocate(32)) {
            stream.launch(numbers, LaunchShape.of(1), List.of(out, -5, large, 0.1f, Math.PI));
            stream.copyOut(out, back.segment(), CopyShape.run(0, 0, 32));
            finish(stream);
            assertEquals(-5, back.segment().getAtIndex(DOUBLE, 0));
            assertEquals((double) large, back.segment().getAtIndex(DOUBLE, 1));
            assertEquals(0.1f, back.segment().getAtIndex(DOUBLE, 2));
            assertEquals(Math.PI, back.segment().getAtIndex(DOUBLE, 3));
        }
    }

    @Test
    void eachItemOfALaunchRunsOnce() {
        for (LaunchShape shape : List.of(
                LaunchShape.of(1),
                LaunchShape.of(1_000_003),
                LaunchShape.of(33, 7),
                new LaunchShape(5, 6, 7, 0, 0, 0),
                new LaunchShape(1000, 1, 1, 64, 1, 1),
                new LaunchShape(37, 5, 3, 8, 2, 2),
                new LaunchShape(3, 2, 1, 16, 4, 1))) {
            countItems(shape);
        }
    }

    private void countItems(LaunchShape shape) {
        DeviceKernel grid = kernel(device(), SampleKernel.GRID);
        long bytes = 4 * shape.items();
        try (DeviceStream stream = device().stream("grid");
                PinnedMemory zero = device().allocatePinned(bytes);
                PinnedMemory back = device().allocatePinned(bytes);
                DeviceBuffer cells = device().allocate(bytes)) {
            stream.copyIn(zero.segment(), cells, CopyShape.run(0, 0, bytes));
            stream.launch(grid, shape, List.of(cells, (int) shape.x(), (int) shape.y(), (int) shape.z()));
            stream.copyOut(cells, back.segment(), CopyShape.run(0, 0, bytes));
            finish(stream);
            for (long i = 0; i < shape.items(); i++) {
                assertEquals(1, back.segment().getAtIndex(INT, i), shape::toString);
            }
        }
    }

    @Test
    void argumentsThatAKernelDoesNotTakeAreRefused() {
        DeviceKernel axpy = kernel(device(), SampleKernel.AXPY);
        try (DeviceStream stream = device().stream("arguments");
                Vectors v = new Vectors(device(), 8)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> stream.launch(axpy, LaunchShape.of(8), List.of(v.x, v.y, "a", 8)));
            assumeTrue(countsArguments(), "this driver does not tell how many arguments a kernel takes");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> stream.launch(axpy, LaunchShape.of(8), List.of(v.x, v.y, 2.0))),
                    "axpy",
                    "3",
                    "4");
            assertThrows(
                    IllegalArgumentException.class,
                    () -> stream.launch(axpy, LaunchShape.of(8), List.of(v.x, v.y, 2.0, 8, 8)));
            finish(stream);
        }
    }

    @Test
    void aSourceThatIsWrongIsRefusedWithTheCompilersWords() {
        Language language = language();
        if (language == null) {
            for (Language any : Language.values()) {
                assertMentions(
                        assertThrows(DeviceException.class, () -> device().compile(SampleKernel.AXPY.source(any))),
                        any.name(),
                        "axpy");
            }
        } else {
            var error = assertThrows(
                    KernelCompilationException.class, () -> device().compile(SampleKernel.broken(language)));
            assertMentions(error, "broken", device().name(), "nowhere");
            assertTrue(error.log().contains("nowhere"), error::log);
            assertDoesNotThrow(() -> kernel(device(), SampleKernel.AXPY));
        }
    }

    @Test
    void aSourceThatIsCompiledTwiceIsFound() {
        DeviceKernel one = kernel(device(), SampleKernel.AXPY);
        DeviceKernel two = kernel(device(), SampleKernel.AXPY);
        assertEquals(one.name(), two.name());
    }

    // ---- failures and ends

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

    // ---- helpers

    /** Waits for all that it was told. */
    protected static void finish(DeviceStream stream) {
        try (DeviceEvent end = stream.record()) {
            end.await();
        }
    }

    private static MemorySegment hold(Arena arena, byte[] bytes) {
        MemorySegment segment = arena.allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, BYTE, 0, bytes.length);
        return segment;
    }

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void fill(MemorySegment segment, long seed) {
        byte[] bytes = bytes((int) segment.byteSize(), new SplittableRandom(seed));
        MemorySegment.copy(bytes, 0, segment, BYTE, 0, bytes.length);
    }

    /** Two vectors on a device, and what they are copied from and to. */
    private static final class Vectors implements AutoCloseable {
        private final int n;
        private final PinnedMemory hostX;
        private final PinnedMemory hostY;
        private final DeviceBuffer x;
        private final DeviceBuffer y;

        Vectors(Device device, int n) {
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
}
