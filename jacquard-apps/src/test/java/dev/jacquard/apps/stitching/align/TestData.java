package dev.jacquard.apps.stitching.align;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Finds the plates that are not bundled: in {@code JACQUARD_DATA}, or beside the project. */
final class TestData {
    private TestData() {}

    /** The folder of {@code plate}; skips the calling test when it is not there. */
    static Path plate(String plate) {
        Optional<Path> folder = root().map(root -> root.resolve("stitching").resolve(plate));
        Assumptions.assumeTrue(
                folder.isPresent() && Files.isDirectory(folder.get()),
                "plate " + plate + " is absent: set JACQUARD_DATA to the folder that holds stitching/" + plate);
        return folder.orElseThrow();
    }

    private static Optional<Path> root() {
        String chosen = System.getenv("JACQUARD_DATA");
        if (chosen != null) {
            return Optional.of(Path.of(chosen));
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path beside = at.resolve("shared").resolve("data");
            if (Files.isDirectory(beside.resolve("stitching"))) {
                return Optional.of(beside);
            }
        }
        return Optional.empty();
    }
}
