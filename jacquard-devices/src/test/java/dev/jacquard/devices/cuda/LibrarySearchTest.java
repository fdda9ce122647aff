package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySearchTest {
    @Test
    void whatIsAbsentIsNamedWithThePlaces(@TempDir Path folder) {
        String why = new LibrarySearch(List.of(folder))
                .find(List.of("libnone.so.2", "libnone.so"), "install it")
                .absence()
                .orElseThrow();
        assertEquals("none of libnone.so.2, libnone.so is on the loader's path or in " + folder + "; install it", why);
    }

    @Test
    void whatCannotBeLoadedIsNamed(@TempDir Path folder) throws IOException {
        Path broken = Files.writeString(folder.resolve("libbroken.so"), "not a library");
        String why = new LibrarySearch(List.of(folder))
                .find(List.of("libbroken.so"), "install it")
                .absence()
                .orElseThrow();
        assertTrue(why.startsWith(broken + " cannot be loaded"), why);
    }

    @Test
    void aLibraryWithoutWhatIsNeededIsAbsent() {
        String why = new LibrarySearch(List.of())
                .find(List.of("libc.so.6", "libSystem.dylib"), "install it")
                .map(Driver::new)
                .absence()
                .orElseThrow();
        assertEquals("libc.so.6 cannot be used: it has no function cuInit", why);
    }

    @Test
    void foldersAreThoseOfToolkitsTheUsersFirst() {
        List<Path> folders =
                LibrarySearch.of(Map.of("CUDA_HOME", "/opt/cuda-12"), "amd64").folders();
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
