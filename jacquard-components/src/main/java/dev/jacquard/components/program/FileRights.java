package dev.jacquard.components.program;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;

/**
 * The rights of a user over files of other users, so that no rename is planned that the system is going to refuse. In a
 * sticky folder an entry is moved by its owner or the folder's alone; a folder that gets another parent must be
 * writable itself. Where files have no POSIX owners, the system is asked when the time comes.
 *
 * @param user the number of the user
 */
record FileRights(int user) {
    private static final int STICKY = 01000;

    /** The rights of the owner of {@code file}. */
    static FileRights ofOwner(Path file) throws IOException {
        return new FileRights(isPosix(file) ? number(file, "uid") : 0);
    }

    /**
     * Returns true if {@code folder} can be moved out of {@code parent}, and then all that is in it to another folder.
     */
    boolean mayReplace(Path folder, Path parent) throws IOException {
        if (!mayMove(folder, parent)) {
            return false;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!mayMove(entry, folder)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns true if {@code entry} of {@code folder}, which can be written, can be moved elsewhere, or be replaced.
     */
    boolean mayMove(Path entry, Path folder) throws IOException {
        if (user == 0 || !isPosix(folder)) {
            return true;
        }
        boolean writable = !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) || Files.isWritable(entry);
        boolean sticky = (number(folder, "mode") & STICKY) != 0;
        return writable && (!sticky || number(entry, "uid") == user || number(folder, "uid") == user);
    }

    private static boolean isPosix(Path file) throws IOException {
        return Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class);
    }

    private static int number(Path file, String attribute) throws IOException {
        return ((Number) Files.getAttribute(file, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS)).intValue();
    }
}
