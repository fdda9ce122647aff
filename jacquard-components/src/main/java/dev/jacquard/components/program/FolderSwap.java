package dev.jacquard.components.program;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Puts the files of a {@link WorkFolder} in the place of earlier results, and puts the earlier results back where that
 * was cut off.
 */
final class FolderSwap {
    /** The times that other runs may come between, one after the other. */
    private static final int TRIES = 32;

    private FolderSwap() {}

    /**
     * Renames the folder of the new files to {@code folder}; the other files of an earlier one are moved over. Other
     * runs may do so at the same time: the one that comes last stays, with the other files of all.
     */
    static void rename(WorkFolder work, Path folder) throws IOException {
        Set<Path> own = names(work);
        try {
            for (int i = 0; !isRenamed(work, folder, i == TRIES); i++) {
                // another run has put its results there since, which go aside, too
            }
        } catch (IOException e) {
            putBack(work, folder, Set.of());
            throw e;
        }
        WorkFolder.sync(folder.resolveSibling("")); // before the files that they replace are deleted
        putBack(work, folder, own);
        WorkFolder.sync(folder.resolveSibling(""));
    }

    /** Returns the names of the new files, in folders too. */
    private static Set<Path> names(WorkFolder work) throws IOException {
        Set<Path> all = new HashSet<>();
        for (Path made : WorkFolder.below(work.files())) {
            if (!isFolder(made)) {
                all.add(work.files().relativize(made));
            }
        }
        return all;
    }

    /**
     * Moves the existing files aside, and the new files to their place; returns false if others have come there by
     * then.
     */
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

    /** Removes the files that dead processes left in {@code in}; earlier results that one has moved aside go back. */
    static void cleanUp(Path in, Path folder, String prefix) throws IOException {
        for (WorkFolder dead : WorkFolder.ofDead(in, prefix)) {
            try (dead) {
                putBack(dead, folder, Set.of());
            }
        }
    }

    /**
     * Puts back the earlier files that no new ones replace, and deletes the others with their folders. Files that
     * cannot be moved stay where they are.
     *
     * @param own the names of the new files: these are never put back, since another run may have moved the new ones
     *     aside by then
     */
    private static void putBack(WorkFolder work, Path folder, Set<Path> own) throws IOException {
        for (Path before : work.allBefore()) {
            try {
                for (Path name : own) {
                    deleteOwn(before, name);
                }
                putBack(before, folder);
            } catch (IOException e) {
                throw new IOException(
                        "earlier files of " + folder + " are in " + before
                                + " now, since not all of them could be moved back: " + WholeFile.reason(e),
                        e);
            }
        }
    }

    /** Deletes the entry of that name in {@code before}, unless a link leads there. */
    private static void deleteOwn(Path before, Path name) throws IOException {
        for (Path its = name.getParent(); its != null; its = its.getParent()) {
            if (!isFolder(before.resolve(its))) {
                return;
            }
        }
        WorkFolder.deleteAll(before.resolve(name));
    }

    private static void putBack(Path before, Path folder) throws IOException {
        for (int i = 0; !isPutBack(before, folder, i == TRIES); i++) {
            // another run has moved the folder: the rest goes to the one that is there now
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
        } catch (IOException e) { // the folder has come or gone, or files have come to the other
            if (isLast) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Moves the files of {@code from} to {@code to}, files in folders of both, too, and deletes {@code from}. Of two
     * files of one name the later one stays.
     *
     * @throws DirectoryNotEmptyException if another run, which was about to move files there while it was in the place
     *     of {@code to}, has done so
     */
    private static void moveOthers(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Path place = to.resolve(String.valueOf(file.getFileName()));
                if (isMoved(file, place)) {
                    continue;
                }
                if (isFolder(file) && isFolder(place)) {
                    moveOthers(file, place);
                } else if (isLater(file, place)) {
                    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
                } else {
                    WorkFolder.deleteAll(file);
                }
            }
        }
        Files.delete(from);
    }

    /**
     * Moves {@code file} to {@code place} unless something is there, which stays; returns true if it was moved. A file
     * is linked there first: a move would replace a file that another run has put there since the check.
     */
    private static boolean isMoved(Path file, Path place) throws IOException {
        if (!isFolder(file)) {
            try {
                Files.createLink(place, file);
                Files.delete(file);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            } catch (UnsupportedOperationException | FileSystemException e) {
                // there are no links here, or none to files of others
            }
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }

    /** Returns true if both are files, and {@code one} was written later: another run has moved it aside. */
    private static boolean isLater(Path one, Path other) throws IOException {
        return Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS)
                && Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(one).compareTo(Files.getLastModifiedTime(other)) > 0;
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
