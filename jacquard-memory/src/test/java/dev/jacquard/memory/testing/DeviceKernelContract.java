package dev.jacquard.memory.testing;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every kind of device keeps of order and kernels. */
abstract class DeviceKernelContract extends DeviceCopyContract {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    @Test
    void aStreamDoesOneThingAfterTheOther() {
        int n = 1000;
        int times = 300;
        DeviceKernel axpy = kernel(device(), SampleKernel.AXPY);
        try (DeviceStream stream = device().stream("order");
                DeviceVectors v = new DeviceVectors(device(), n)) {
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
                DeviceVectors v = new DeviceVectors(device(), n)) {
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
                try (DeviceVectors v = new DeviceVectors(device(), n)) {
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
                DeviceVectors v = new DeviceVectors(device(), 8)) {
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
}
