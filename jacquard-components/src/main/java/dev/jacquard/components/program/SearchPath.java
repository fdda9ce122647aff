package dev.jacquard.components.program;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The folders in which a relative input path is looked for, first to last.
 *
 * @param folders absolute, without duplicates
 */
public record SearchPath(List<Path> folders) {
    public SearchPath {
        folders = List.copyOf(folders);
    }

    /**
     * Returns the current directory, the program file's folder, the data folder, and its part {@code dataFolder}.
     *
     * @param programFile the program
     * @param data the folder named by {@code JACQUARD_DATA}, or null
     * @param dataFolder the component's part of the data folder
     */
    public static SearchPath of(Path programFile, @Nullable Path data, String dataFolder) {
        Set<Path> folders = new LinkedHashSet<>();
        folders.add(Path.of("").toAbsolutePath());
        Path beside = programFile.toAbsolutePath().getParent();
        if (beside != null) {
            folders.add(beside.normalize());
        }
        if (data != null) {
            folders.add(data.toAbsolutePath().normalize());
            folders.add(data.resolve(dataFolder).toAbsolutePath().normalize());
        }
        return new SearchPath(List.copyOf(folders));
    }

    /**
     * Returns the first path that exists under {@code name}.
     *
     * @param key names the setting in the error
     * @param kind names in the error the thing that should exist
     * @throws InputException if none exists
     */
    Path find(String key, String name, String kind, Predicate<Path> exists) {
        try {
            Path path = Path.of(name);
            if (path.isAbsolute()) {
                if (exists.test(path)) {
                    return path;
                }
                throw new InputException("'" + key + "': there is no " + kind + " " + path);
            }
            for (Path folder : folders) {
                Path candidate = folder.resolve(path).normalize();
                if (exists.test(candidate)) {
                    return candidate;
                }
            }
        } catch (InvalidPathException e) {
            throw new InputException("'" + key + "' is '" + name + "', which is no path: " + e.getReason(), e);
        }
        throw new InputException("'" + key + "': there is no " + kind + " '" + name + "'; looked in "
                + folders.stream().map(Path::toString).collect(Collectors.joining(", "))
                + " (JACQUARD_DATA names a further folder)");
    }
}
