package dev.jacquard.components.program;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Puts the files of a {@link WorkFolder} in the place of earlier results, and those back where that was cut off. */
final class FolderSwap {
    /** The times that other runs may come between, one behind the other. */
    private static final int TRIES = 32;

    private FolderSwap() {}

    /**
     * Renames the folder of the new files to {@code folder}; the other files of an earlier one are moved over. Other
     * runs may do so at the same time: the one that comes last stays, with the other files of all.
     */
    static void rename(WorkFolder work, Path folder) throws IOException {
        try {
            for (int i = 0; !isRenamed(work, folder, i == TRIES); i++) {
                // another run has put its results there since, which go aside, too
            }
        } catch (IOException e) {
            putBack(work, folder);
            throw e;
        }
        WorkFolder.sync(folder.resolveSibling("")); // before the files that they replace are deleted
        putBack(work, folder);
        WorkFolder.sync(folder.resolveSibling(""));
    }

    /** Moves what is there aside, and the new files to its place; returns false if others have come there meanwhile. */
    private static boolean isRenamed(WorkFolder work, Path folder, boolean isLast) throws IOException {
        try {
            Files.move(folder, work.nextBefore(), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            // there are no earlier results, or another run has them aside, and moves them over
        }
        try {
            Files.move(work.files(), folder, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException e) { // others came there, and may be gone by now
            if (isLast) {
                throw e;
            }
            return false;
        }
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

    /**
     * Puts back the earlier files that no new ones replace, and deletes the others with their folders. Those that
     * cannot be moved stay where they are.
     */
    private static void putBack(WorkFolder work, Path folder) throws IOException {
        for (Path before : work.allBefore()) {
            try {
                putBack(before, folder);
            } catch (IOException e) {
                throw new IOException(
                        "earlier files of " + folder + " are in " + before
                                + " now, since not all of them could be moved back: " + WholeFile.reason(e),
                        e);
            }
        }
    }

    private static void putBack(Path before, Path folder) throws IOException {
        for (int i = 0; !isPutBack(before, folder, i == TRIES); i++) {
            // another run has moved the folder meanwhile: the rest goes to the one that is there now
        }
    }

    private static boolean isPutBack(Path before, Path folder, boolean isLast) throws IOException {
        try {
            if (Files.exists(folder)) {
                moveOthers(before, folder);
            } else {
                Files.move(before, folder, StandardCopyOption.ATOMIC_MOVE);
            }
            return true;
        } catch (IOException e) { // the folder has come or gone meanwhile, or files have come to the other
            if (isLast) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Moves the files of {@code from} whose names {@code to} does not have, in folders of both, too; and deletes
     * {@code from} with the others.
     *
     * @throws DirectoryNotEmptyException if another run, which was about to move files there while it was in the place
     *     of {@code to}, has done so meanwhile
     */
    private static void moveOthers(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Path place = to.resolve(String.valueOf(file.getFileName()));
                if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
                } else if (isFolder(file) && isFolder(place)) {
                    moveOthers(file, place);
                } else {
                    WorkFolder.deleteAll(file);
                }
            }
        }
        Files.delete(from);
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
