package dev.jacquard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The commit that is checked out, read from git's files without running git. */
final class Commit {
    private static final String POINTER = "gitdir: ";
    private static final String REFERENCE = "ref: ";

    private Commit() {}

    /** The commit of {@code project}, or nothing when it is no checkout. */
    static Optional<String> of(Path project) {
        try {
            Path folder = folder(project.resolve(".git"));
            String head = text(folder.resolve("HEAD"));
            return head.startsWith(REFERENCE) ? resolve(folder, head.substring(REFERENCE.length())) : Optional.of(head);
        } catch (IOException e) {
            return Optional.empty(); // an unpacked archive, say
        }
    }

    /** In a second work tree {@code .git} is a file that names the folder. */
    private static Path folder(Path git) throws IOException {
        return Files.isRegularFile(git) ? git.resolveSibling(text(git).substring(POINTER.length())) : git;
    }

    private static Optional<String> resolve(Path folder, String reference) throws IOException {
        Path common = folder.resolve("commondir");
        Path shared = Files.exists(common) ? folder.resolve(text(common)) : folder;
        if (Files.exists(shared.resolve(reference))) {
            return Optional.of(text(shared.resolve(reference)));
        }
        try (Stream<String> packed = Files.lines(shared.resolve("packed-refs"))) {
            return packed.filter(line -> line.endsWith(" " + reference))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .findFirst();
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
