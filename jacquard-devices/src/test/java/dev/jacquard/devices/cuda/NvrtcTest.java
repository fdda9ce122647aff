package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.memory.device.KernelSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The compiler where it is installed; it needs no device. */
class NvrtcTest {
    private static final String RIGHT = """
            extern "C" __global__ void twice(float* x, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) x[i] *= 2;
            }
            """;

    private static Nvrtc nvrtc() {
        Found<Nvrtc> found = CudaLibraries.nvrtc();
        assumeTrue(found.thing() != null, () -> "NVRTC is absent: " + found.reason());
        return found.orThrow();
    }

    private static KernelSource source(String name, String text) {
        return new KernelSource(KernelSource.Language.CUDA, name, "twice", text);
    }

    @Test
    void makesPtxForDevicesThatItDoesNotKnow() {
        Nvrtc nvrtc = nvrtc();
        var architecture = Nvrtc.Architecture.of(nvrtc.supported(), 999);
        assertFalse(architecture.machineCode());
        Nvrtc.Compiled compiled = nvrtc.compile(source("twice.cu", RIGHT), architecture);
        assertTrue(compiled.isRight(), compiled::log);
        assertTrue(new String(compiled.image(), StandardCharsets.UTF_8).contains(".visible .entry twice("));
    }

    @Test
    void makesMachineCodeForThoseThatItKnows() {
        Nvrtc nvrtc = nvrtc();
        var architecture = Nvrtc.Architecture.of(nvrtc.supported(), 90);
        assertEquals("sm_90", architecture.name());
        byte[] image = nvrtc.compile(source("twice.cu", RIGHT), architecture).image();
        assertEquals("ELF", new String(image, 1, 3, StandardCharsets.US_ASCII));
    }

    @Test
    void whatIsWrongIsSaidWithItsLine() {
        Nvrtc nvrtc = nvrtc();
        Nvrtc.Compiled compiled = nvrtc.compile(
                source("wrong.cu", "\n\n__global__ void f() { nowhere(); }"),
                Nvrtc.Architecture.of(nvrtc.supported(), 90));
        assertFalse(compiled.isRight());
        assertTrue(compiled.log().contains("wrong.cu(3)"), compiled::log);
        assertTrue(compiled.log().contains("nowhere"), compiled::log);
        assertFalse(nvrtc.version().isBlank());
    }

    @Test
    void exactKernelsAreRoundedAsTheyAreWritten() {
        var architecture = new Nvrtc.Architecture("sm_90", true);
        assertEquals(List.of("--gpu-architecture=sm_90", "--std=c++17"), Nvrtc.options(false, architecture));
        List<String> exact = Nvrtc.options(true, architecture);
        assertTrue(
                exact.containsAll(List.of("--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false")),
                exact::toString);
    }

    @Test
    void anArchitectureIsTheDevicesOrTheNextOlderOne() {
        int[] supported = {75, 80, 90};
        assertEquals(new Nvrtc.Architecture("sm_80", true), Nvrtc.Architecture.of(supported, 80));
        assertEquals(new Nvrtc.Architecture("compute_80", false), Nvrtc.Architecture.of(supported, 86));
        assertEquals(new Nvrtc.Architecture("compute_90", false), Nvrtc.Architecture.of(supported, 120));
        assertThrows(IllegalStateException.class, () -> Nvrtc.Architecture.of(supported, 61));
    }
}
