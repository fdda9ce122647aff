package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The vendor's compiler takes every kernel that lies in the source folders of this project. */
class KernelSourcesTest {
    @Test
    void compile(@TempDir Path folder) throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        assumeTrue(root != null && Files.exists(root.resolve("jacquard-core")), "the sources are not here");
        List<Path> sources;
        try (Stream<Path> modules = Files.list(root)) {
            sources = modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(KernelSourcesTest::kernels)
                    .toList();
        }
        assertFalse(sources.isEmpty());
        String nvcc = Tools.program("nvcc");
        for (Path source : sources) {
            Tools.run(List.of(
                    nvcc, "-ptx", "-arch=sm_90", "-o", folder.resolve("out.ptx").toString(), source.toString()));
        }
    }

    private static Stream<Path> kernels(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".cu")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
