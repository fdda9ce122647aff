package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.foreign.LibrarySearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CudaLibrariesTest {
    @Test
    void aLibraryWithoutWhatIsNeededIsAbsent() {
        String why = LibrarySearch.named("libc.so.6", "libSystem.dylib")
                .find()
                .map(Driver::of)
                .absence()
                .orElseThrow();
        assertEquals(
                "libc.so.6 cannot be used: it has no function cuCtxEnablePeerAccess, cuCtxSetCurrent,"
                        + " cuDeviceCanAccessPeer and 38 more",
                why);
    }

    @Test
    void foldersAreThoseOfToolkitsTheUsersFirst() {
        List<Path> folders = CudaLibraries.search(List.of("libcuda.so.1"), Map.of("CUDA_HOME", "/opt/cuda-12"), "amd64")
                .folders();
        assertEquals(
                List.of(
                        Path.of("/opt/cuda-12/lib64"),
                        Path.of("/opt/cuda-12/targets/x86_64-linux/lib"),
                        Path.of("/usr/local/cuda/lib64"),
                        Path.of("/usr/local/cuda/targets/x86_64-linux/lib")),
                folders.subList(0, 4));
    }

    @Test
    void versionsThatTheDriverRunsComeFirst() {
        assertEquals(
                List.of("libcufft.so.11", "libcufft.so.10", "libcufft.so.12", "libcufft.so"),
                CudaLibraries.names("libcufft", 12, "12", "11", "10"));
        assertEquals(
                List.of("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"),
                CudaLibraries.names("libcublas", 0, "13", "12", "11"));
    }
}
