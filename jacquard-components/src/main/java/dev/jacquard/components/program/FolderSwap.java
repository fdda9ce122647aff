package dev.jacquard.components.program;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Puts the files of a {@link WorkFolder} in the place of earlier results, and those back where that was cut off. */
final class FolderSwap {
    private FolderSwap() {}

    /** Renames the folder of the new files to {@code folder}; the other files of an earlier one are moved over. */
    static void rename(WorkFolder work, Path folder) throws IOException {
        boolean there = Files.exists(folder);
        if (there) {
            Files.move(folder, work.before(), StandardCopyOption.ATOMIC_MOVE);
        }
        try {
            Files.move(work.files(), folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            putBack(work, folder);
            throw e;
        }
        if (there) {
            putBack(work, folder);
        }
        WorkFolder.sync(folder.resolveSibling(""));
    }

    /** Moves files one by one; folders that are there keep their other files. */
    static void moveEach(WorkFolder work, Path folder) throws IOException {
        Path from = work.files();
        for (Path made : WorkFolder.below(from)) {
            Path place = folder.resolve(from.relativize(made).toString());
            if (isFolder(made)) {
                Files.createDirectories(place);
            } else {
                Files.move(made, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        WorkFolder.sync(folder);
    }

    /** Takes away what dead processes left in {@code in}; earlier results that one has moved aside go back. */
    static void cleanUp(Path in, Path folder, String prefix) throws IOException {
        for (WorkFolder dead : WorkFolder.ofDead(in, prefix)) {
            try (dead) {
                putBack(dead, folder);
            }
        }
    }

    /** Puts back the earlier files that no new ones replace. Those that cannot be moved stay where they are. */
    private static void putBack(WorkFolder work, Path folder) throws IOException {
        try {
            putBack(work.before(), folder);
        } catch (IOException e) {
            work.keepEarlier();
            throw new IOException(
                    "earlier files of " + folder + " are in " + work.before()
                            + " now, since not all of them could be moved back: " + WholeFile.reason(e),
                    e);
        }
    }

    private static void putBack(Path before, Path folder) throws IOException {
        if (!Files.isDirectory(before)) {
            return;
        }
        if (Files.exists(folder)) {
            moveOthers(before, folder);
        } else {
            Files.move(before, folder, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Moves the files of {@code from} whose names {@code to} does not have, in folders of both, too. */
    private static void moveOthers(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Path place = to.resolve(String.valueOf(file.getFileName()));
                if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
                } else if (isFolder(file) && isFolder(place)) {
                    moveOthers(file, place);
                }
            }
        }
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
