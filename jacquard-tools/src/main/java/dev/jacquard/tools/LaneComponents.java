package dev.jacquard.tools;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.run.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes down the components with loops that run in lanes, for the launcher: it has to ask for the Vector API before
 * the JVM is there to tell.
 */
final class LaneComponents {
    private LaneComponents() {}

    /** {@code args[0]} is the file to write: a name in each line. */
    public static void main(String[] args) throws IOException {
        List<String> names = Catalog.of(List.of()).all().stream()
                .filter(Component::computesInLanes)
                .map(Component::name)
                .toList();
        Files.write(Path.of(args[0]), names);
    }
}
