package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.run.Catalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names jars with components of the user's. */
final class JarOption {
    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "A jar with further components. May be repeated; JACQUARD_JARS names more.")
    private final List<Path> jars = new ArrayList<>();

    /** Returns all components: ours, and the jars' components. */
    Catalog catalog(Environment environment) {
        List<Path> all = new ArrayList<>(environment.jars());
        all.addAll(jars);
        try {
            return Catalog.of(all);
        } catch (InputException e) {
            String message = String.valueOf(e.getMessage());
            for (Path jar : environment.jars()) {
                String option = "--jar " + jar + ":";
                if (message.startsWith(option) && !jars.contains(jar)) {
                    throw new InputException("JACQUARD_JARS: " + message.substring("--jar ".length()), e);
                }
            }
            throw e;
        }
    }
}
