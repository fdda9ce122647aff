package dev.jacquard.devices.opencl;

import static dev.jacquard.testkit.Messages.assertMentions;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiling, arguments, launches. */
@SuppressWarnings("NullAway.Init") // the device is opened before each test
class KernelsTest {
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

    @ParameterizedTest
    @CsvSource({"0,0,1000", "64,1,1024", "16,1,1000"})
    void axpyAddsToEachElement(int group, int other, int items) {
        int n = 1000;
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer x = device.allocate(4L * n);
                DeviceBuffer y = device.allocate(4L * n);
                DeviceStream stream = device.stream("s")) {
            MemorySegment host = arena.allocate(4L * n, 4);
            for (int i = 0; i < n; i++) {
                host.setAtIndex(JAVA_FLOAT, i, i);
            }
            stream.copyIn(host, x, CopyShape.run(0, 0, 4L * n));
            stream.copyIn(host, y, CopyShape.run(0, 0, 4L * n));
            stream.launch(
                    device.compile(OpenClFixture.kernel("axpy")),
                    new LaunchShape(items, 1, 1, group, other, other),
                    List.of(n, 2f, x, y));
            stream.copyOut(y, host, CopyShape.run(0, 0, 4L * n));
            try (DeviceEvent done = stream.record()) {
                done.await();
                assertTrue(done.isOver());
            }
            for (int i = 0; i < n; i++) {
                assertEquals(3f * i, host.getAtIndex(JAVA_FLOAT, i), "element " + i);
            }
        }
    }

    @Test
    void aWrongSourceIsRefusedWithItsLine() {
        KernelSource wrong = new KernelSource(
                KernelSource.Language.OPENCL_C,
                "wrong.cl",
                "f",
                "kernel void f(global int* x) {\n  x[0] = 1;\n  x[1] = undeclared;\n}\n");
        KernelCompilationException refusal =
                assertThrows(KernelCompilationException.class, () -> device.compile(wrong));
        assertTrue(refusal.log().contains("undeclared"), refusal.log());
        assertTrue(refusal.log().contains("3:"), refusal.log());
        assertMentions(refusal, "wrong.cl");
    }

    @Test
    void aKernelThatIsNotThereIsRefusedWithThoseThatAre() {
        KernelCompilationException refusal =
                assertThrows(KernelCompilationException.class, () -> device.compile(OpenClFixture.kernel("axpi")));
        assertMentions(refusal, "no kernel \"axpi\" but:");
        assertMentions(refusal, "axpy");
    }

    @Test
    void anotherLanguageIsRefused() {
        KernelSource cuda = new KernelSource(KernelSource.Language.CUDA, "f.cu", "f", "");
        assertMentions(
                assertThrows(DeviceException.class, () -> device.compile(cuda)), "compiles OPENCL_C, but f.cu is CUDA");
    }

    @Test
    void equalSourcesAreCompiledOnce() {
        DeviceKernel first = device.compile(OpenClFixture.kernel("axpy"));
        assertSame(first, device.compile(OpenClFixture.kernel("axpy")));
        KernelSource renamed = new KernelSource(
                KernelSource.Language.OPENCL_C,
                "copy.cl",
                "scale",
                OpenClFixture.kernel("scale").text());
        assertNotSame(first, device.compile(renamed));
        assertEquals(1, device.programs().size());
    }

    @Test
    void argumentsThatDoNotFitAreRefused() {
        DeviceKernel axpy = device.compile(OpenClFixture.kernel("axpy"));
        try (DeviceStream stream = device.stream("s");
                DeviceBuffer x = device.allocate(16)) {
            refused(
                    stream,
                    axpy,
                    List.of(4, 2f, x),
                    "kernel \"axpy\" takes 4 arguments (int n, float a, float* x, float* y), not 3");
            refused(
                    stream,
                    axpy,
                    List.of(4L, 2f, x, x),
                    "argument 1 of kernel \"axpy\", \"int n\", takes an Integer, not Long 4");
            refused(
                    stream,
                    axpy,
                    List.of(4, 2, x, x),
                    "argument 2 of kernel \"axpy\", \"float a\", takes a Float, not Integer 2");
            refused(
                    stream,
                    axpy,
                    List.of(4, 2f, x, 1L),
                    "argument 4 of kernel \"axpy\", \"float* y\", takes a DeviceBuffer, not Long 1");
            refused(
                    stream,
                    device.compile(OpenClFixture.kernel("with_local")),
                    List.of(4, x),
                    "argument 1 of kernel \"with_local\", \"float* scratch\", takes nothing that can be given: declare local memory"
                            + " inside of the kernel, not Integer 4");
            stream.launch(axpy, LaunchShape.of(4), List.of(4, 0f, x, x)); // the stream goes on
            try (DeviceEvent done = stream.record()) {
                done.await();
            }
        }
    }

    @Test
    void groupsThatDoNotFitAreRefused() {
        DeviceKernel nothing = device.compile(OpenClFixture.kernel("nothing"));
        try (DeviceStream stream = device.stream("s")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> stream.launch(nothing, new LaunchShape(1 << 30, 1, 1, 1 << 30, 1, 1), List.of()));
        }
    }

    private static void refused(DeviceStream stream, DeviceKernel kernel, List<?> arguments, String message) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> stream.launch(kernel, LaunchShape.of(4), arguments));
        assertEquals(message, refusal.getMessage());
    }
}
