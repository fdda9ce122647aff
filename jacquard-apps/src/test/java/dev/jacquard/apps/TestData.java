package dev.jacquard.apps;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The large inputs of tests: files that are not bundled, in the folder that {@code JACQUARD_DATA} names. */
public final class TestData {
    private TestData() {}

    /** Returns the folder of large inputs, or null where the machine has none. */
    public static @Nullable Path root() {
        String data = System.getenv("JACQUARD_DATA");
        return data == null || data.isBlank() ? null : Path.of(data);
    }

    /** Returns the file or folder of this name; skips the calling test where it is absent. */
    public static Path find(String name) {
        Path root = root();
        assumeTrue(root != null, name + " is not tried: JACQUARD_DATA, the folder of large inputs, is not set");
        Path path = Objects.requireNonNull(root).resolve(name);
        assumeTrue(Files.exists(path), name + " is not tried: the folder that JACQUARD_DATA names has no " + path);
        return path;
    }
}
