package dev.jacquard.numerics.openblas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeCacheTest {
    @TempDir
    Path temp = Path.of("");

    private URL entry(String jar, byte[] content) throws IOException {
        Path file = temp.resolve(jar);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new JarEntry("linux/lib.so"));
            out.write(content);
        }
        return URI.create("jar:" + file.toUri() + "!/linux/lib.so").toURL();
    }

    private Path unpack(URL entry) throws IOException {
        Map<String, Path> unpacked = new NativeCache(temp.resolve("cache")).unpack(List.of(entry));
        assertEquals(List.of("lib.so"), List.copyOf(unpacked.keySet()));
        return List.copyOf(unpacked.values()).getFirst();
    }

    @Test
    void whatIsThereIsUsedAndWhatIsDamagedIsReplaced() throws IOException {
        byte[] content = {1, 2, 3, 4};
        URL entry = entry("a.jar", content);
        Path file = unpack(entry);
        assertArrayEquals(content, Files.readAllBytes(file));
        Object inode = Files.getAttribute(file, "unix:ino");
        assertEquals(file, unpack(entry));
        assertEquals(inode, Files.getAttribute(file, "unix:ino"));
        for (byte[] damage : new byte[][] {{1, 2, 3}, {1, 2, 3, 5}, {}}) {
            Files.write(file, damage);
            unpack(entry);
            assertArrayEquals(content, Files.readAllBytes(file));
        }
    }

    @Test
    void otherContentsLieElsewhere() throws IOException {
        assertNotEquals(unpack(entry("a.jar", new byte[] {1})), unpack(entry("b.jar", new byte[] {2})));
    }

    @Test
    void manyAtOnceLeaveOneFile() throws Exception {
        byte[] content = new byte[300_000];
        URL entry = entry("a.jar", content);
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Path>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(pool.submit(() -> {
                    start.await();
                    return unpack(entry);
                }));
            }
            for (Future<Path> one : all) {
                assertArrayEquals(content, Files.readAllBytes(one.get()));
            }
            try (Stream<Path> files = Files.list(all.getFirst().get().getParent())) {
                assertEquals(1, files.count());
            }
        }
    }

    @Test
    void whatIsNotInAJarIsRefused() throws IOException {
        URL file = Files.createFile(temp.resolve("lib.so")).toUri().toURL();
        var error = assertThrows(IOException.class, () -> unpack(file));
        assertTrue(String.valueOf(error.getMessage()).endsWith("is not in a jar"));
    }

    @Test
    void platformsAreNamedAsInTheJar() {
        assertEquals("linux-x86_64", BundledLibrary.platform("Linux", "amd64"));
        assertEquals("linux-arm64", BundledLibrary.platform("Linux", "aarch64"));
        assertEquals("macosx-arm64", BundledLibrary.platform("Mac OS X", "aarch64"));
    }
}
