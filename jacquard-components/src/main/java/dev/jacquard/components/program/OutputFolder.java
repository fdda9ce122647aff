package dev.jacquard.components.program;

import dev.jacquard.base.failure.Suppressed;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder that gets all files of a run or none. Files are written to a {@link WorkFolder} next to it, synced, and put
 * in place by {@link #commit}: that folder is renamed. Earlier results are moved aside before, and their other files
 * are moved over after. A process that is killed in between leaves the earlier results aside, and the next run puts
 * them back. Closing without commit removes the written files, and the folders that {@link #open} made. Confined to one
 * thread at a time, but any may ask for files and write them.
 *
 * <p>A folder that cannot be renamed, such as the current directory, a mount, one in a folder that cannot be written,
 * or another user's in a sticky one, keeps its place: there the files are moved one by one.
 */
public final class OutputFolder implements AutoCloseable {
    /** The times that other runs may come between, one after the other. */
    private static final int TRIES = 32;

    private final Path folder;
    private final WorkFolder work;
    private final boolean renamed;
    private final Deque<Path> made;
    /** The files of all parts of a program. */
    private final OutputFiles files;
    /** The part of a program that it is for; empty for the whole. */
    private final String part;
    /** The folder of that part in this one; empty if it is the same. */
    private final String subfolder;

    private boolean committed;

    private OutputFolder(
            Path folder,
            WorkFolder work,
            boolean renamed,
            Deque<Path> made,
            OutputFiles files,
            String part,
            String subfolder) {
        this.folder = folder;
        this.work = work;
        this.renamed = renamed;
        this.made = made;
        this.files = files;
        this.part = part;
        this.subfolder = subfolder;
    }

    private OutputFolder(Path folder, WorkFolder work, boolean renamed, Deque<Path> made) {
        this(folder, work, renamed, made, new OutputFiles(work.files()), "", "");
    }

    /**
     * Opens {@code folder}, making its parents where they are missing. Removes the files that killed runs left.
     *
     * @throws InputException if it is a file, or cannot be made or written
     */
    public static OutputFolder open(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        Deque<Path> made = new ArrayDeque<>();
        try {
            for (int i = 0; i < TRIES; i++) {
                try {
                    return open(absolute, made);
                } catch (NoSuchFileException e) {
                    // another run has moved the folder aside for a moment, to put its own in the place
                }
            }
            return open(absolute, made);
        } catch (IOException e) {
            made.forEach(OutputFolder::deleteIfEmpty);
            throw new InputException("the output folder " + absolute + " cannot be written: " + WholeFile.reason(e), e);
        }
    }

    private static OutputFolder open(Path absolute, Deque<Path> made) throws IOException {
        Path real = Files.exists(absolute) ? absolute.toRealPath() : absolute;
        Path parent = real.getParent();
        requireFolder(real);
        if (parent != null) {
            makeFolders(parent, made);
            FolderSwap.cleanUp(parent, real, prefix(real));
        }
        WorkFolder beside = parent == null ? null : makeBeside(real, parent);
        if (beside != null) {
            return new OutputFolder(real, beside, true, made);
        }
        FolderSwap.cleanUp(real, real, prefix(real));
        return new OutputFolder(real, WorkFolder.make(real, prefix(real)), false, made);
    }

    /** Makes the folder that is to take the place of {@code folder}; null when that has to keep its place. */
    private static @Nullable WorkFolder makeBeside(Path folder, Path parent) throws IOException {
        boolean there = Files.exists(folder);
        if (there) { // one look: a folder that was moved aside since is not one that cannot be written
            folder.getFileSystem().provider().checkAccess(folder, AccessMode.WRITE);
        }
        if (there && !canBeRenamed(folder, parent)) {
            return null;
        }
        WorkFolder work = WorkFolder.make(parent, prefix(folder));
        boolean well = false;
        try {
            boolean replaces = !there || work.rights().mayReplace(folder, parent);
            if (there && replaces) {
                copyPermissions(folder, work.files());
            }
            well = replaces;
            return well ? work : null;
        } finally {
            if (!well) {
                work.close();
            }
        }
    }

    private static String prefix(Path folder) {
        return "." + (folder.getFileName() == null ? "" : folder.getFileName()) + ".unfinished-";
    }

    private static void requireFolder(Path folder) throws IOException {
        @Nullable Path there = folder;
        while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        if (there != null && Files.isSymbolicLink(there) && !Files.exists(there)) {
            throw new InputException("the output folder " + folder + " cannot be made: " + there
                    + " is a link to something that is not there; make that, or give another folder with --out");
        }
        // One look: a folder may be moved aside between two of them, and is no file for that.
        if (there != null
                && !Files.readAttributes(there, BasicFileAttributes.class).isDirectory()) {
            throw new InputException("the output folder " + folder + " cannot be made: " + there
                    + " is a file; give another folder with --out");
        }
    }

    private static void makeFolders(Path folder, Deque<Path> made) throws IOException {
        @Nullable Path missing = folder;
        Deque<Path> toMake = new ArrayDeque<>();
        while (missing != null && !Files.exists(missing)) {
            toMake.push(missing);
            missing = missing.getParent();
        }
        for (Path next : toMake) {
            try {
                Files.createDirectory(next);
                made.push(next);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(next)) { // else another run has made it
                    throw e;
                }
            }
        }
    }

    private static boolean canBeRenamed(Path folder, Path parent) throws IOException {
        Path here = Path.of("").toAbsolutePath().toRealPath();
        return !here.startsWith(folder)
                && Files.isWritable(parent)
                && Files.getFileStore(folder).equals(Files.getFileStore(parent))
                && isOnOneDevice(folder, parent);
    }

    /** False for a mount of a part of the same file system, too. */
    private static boolean isOnOneDevice(Path folder, Path parent) throws IOException {
        if (!Files.getFileStore(folder).supportsFileAttributeView(PosixFileAttributeView.class)) {
            return true;
        }
        return Files.getAttribute(folder, "unix:dev").equals(Files.getAttribute(parent, "unix:dev"));
    }

    private static void copyPermissions(Path from, Path to) throws IOException {
        if (Files.getFileStore(from).supportsFileAttributeView(PosixFileAttributeView.class)) {
            Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
        }
    }

    /**
     * Returns the folder of that name in this one, for the part of a program of that name: parts may write files of one
     * name. It cannot be committed or closed.
     *
     * @param reserved names of files in this folder that the program itself writes
     */
    public OutputFolder forPart(String name, Set<String> reserved) {
        files.reserve(reserved);
        return new OutputFolder(folder, work, renamed, made, files, name, name);
    }

    /**
     * Returns the same folder for the only part of a program. It cannot be committed or closed.
     *
     * @param reserved names of files that the program itself writes, and the part must not
     */
    public OutputFolder forOnlyPart(String name, Set<String> reserved) {
        files.reserve(reserved);
        return new OutputFolder(folder, work, renamed, made, files, name, "");
    }

    /** The final place of the files. */
    public Path folder() {
        return folder.resolve(subfolder);
    }

    /**
     * Where to write the file that will be called {@code name}, which may be within folders: they are made. Any thread
     * may ask.
     *
     * @throws IllegalArgumentException if the name leads out of the folder
     * @throws IllegalStateException if the program itself writes a file of this name, or a file is a folder for another
     * @throws InputException if there is a folder of this name, a file where a folder of it belongs, or a file of
     *     another user's that cannot be replaced
     */
    public Path file(String name) {
        String its = within(name);
        Path place = folder.resolve(its);
        if (Files.isDirectory(place)) {
            throw new InputException("the output file " + place + " cannot be written: it is a folder");
        }
        if (!renamed && !mayReplace(place)) {
            throw new InputException("the output file " + place + " cannot be written: it belongs to another user, and "
                    + "in this folder only its owner may replace it");
        }
        Path staged = files.stage(its, part);
        makeFolders(place, staged);
        return staged;
    }

    private void makeFolders(Path place, Path staged) {
        for (Path its = place.getParent(); its != null && !its.equals(folder); its = its.getParent()) {
            if (Files.exists(its) && !Files.isDirectory(its)) {
                throw new InputException("the output file " + place + " cannot be written: " + its + " is a file");
            }
        }
        try {
            Files.createDirectories(staged.resolveSibling(""));
        } catch (IOException e) {
            throw new InputException("the output file " + place + " cannot be written: " + WholeFile.reason(e), e);
        }
    }

    /** Returns the name in the whole folder, without detours: two names must not mean the same file. */
    private String within(String name) {
        Path path = Path.of(name).normalize();
        if (path.isAbsolute() || path.startsWith("..") || path.toString().isEmpty()) {
            throw new IllegalArgumentException(
                    "the output file '" + name + "' is not in the output folder; expected the name of a file in it");
        }
        return Path.of(subfolder).resolve(path).toString();
    }

    /**
     * Returns the place of a file that stays there whatever becomes of the run, such as a checkpoint. Makes the folder
     * where it is missing.
     *
     * @throws IllegalArgumentException if the name leads out of the folder
     * @throws IllegalStateException if the program itself writes a file of this name, or a file is a folder for another
     */
    public Path kept(String name) throws IOException {
        String its = within(name);
        files.keep(its, part);
        Path file = folder.resolve(its);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return file;
    }

    /** A file that stays was written, here or elsewhere. */
    public void keeps() {
        files.keep(part);
    }

    /** Returns true if there is a file that stays, of the whole program's. */
    public boolean hasKept() {
        return files.keepers().contains("");
    }

    /** Returns the names of the parts of the program that have written files that stay. */
    public List<String> keepers() {
        return files.keepers().stream().filter(name -> !name.isEmpty()).toList();
    }

    private boolean mayReplace(Path place) {
        try {
            return !Files.exists(place, LinkOption.NOFOLLOW_LINKS)
                    || work.rights().mayMove(place, folder);
        } catch (IOException e) {
            return true; // commit finds out
        }
    }

    /**
     * Returns the folder in which the files lie until they are put in place, with others that were written there. That
     * of a part is there when it has asked for a file.
     */
    public Path unfinished() {
        return work.files().resolve(subfolder);
    }

    /** Returns the names, in the whole folder, of the files that are to be put in place. */
    public List<String> staged() {
        return files.staged();
    }

    /**
     * The program writes these files, which {@link #staged} returned in an earlier run.
     *
     * @throws IllegalStateException if a file is a folder for another
     */
    public void stage(List<String> all) {
        all.forEach(name -> files.stage(name, ""));
    }

    /**
     * Closes {@code its} when all files are in place: the means to get them again, such as a checkpoint, are needed
     * until then.
     */
    public void whenCommitted(Closeable its) {
        files.whenCommitted(its);
    }

    /**
     * Puts all files in place, replacing earlier ones.
     *
     * @throws IOException if they are not in place, or if they are, and some of {@link #whenCommitted} failed
     */
    public void commit() throws IOException {
        requireWhole();
        WorkFolder.syncAll(work.files());
        if (renamed) {
            FolderSwap.rename(work, folder);
        } else {
            FolderSwap.moveEach(work, folder);
        }
        committed = true;
        @Nullable IOException first = null;
        for (Closeable action : files.whenCommitted()) {
            try {
                action.close();
            } catch (IOException e) {
                first = Suppressed.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Returns true if all files are in place, also where {@link #commit} has thrown since. */
    public boolean isCommitted() {
        return committed;
    }

    private void requireWhole() {
        if (!part.isEmpty()) {
            throw new IllegalStateException("the output folder is the whole program's, and not that of one component");
        }
    }

    /** Removes the files that were not committed. */
    @Override
    public void close() throws IOException {
        requireWhole();
        work.close();
        if (!committed) {
            made.forEach(OutputFolder::deleteIfEmpty);
        }
    }

    private static void deleteIfEmpty(Path made) {
        try {
            Files.deleteIfExists(made);
        } catch (IOException e) {
            // Another process has put a file there since: the folder is its own now.
        }
    }
}
