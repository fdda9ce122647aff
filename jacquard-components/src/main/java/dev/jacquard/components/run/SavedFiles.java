package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.run.FileCopies.Copy;
import dev.jacquard.components.run.SavedFile.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that components have written so far, which are not in place yet, as a part of a checkpoint. A file that has
 * not changed since the checkpoint before is not copied again: its number, its length and the times of its last changes
 * tell that, once these are so long ago that a later change has later ones; before, and where times say nothing, its
 * bytes are compared.
 *
 * <p>Confined to one thread at a time, while no component is executed.
 */
final class SavedFiles implements AutoCloseable {
    private static final String FILES = "files";
    private static final String NAMES = "names of files";

    @SuppressWarnings("unchecked") // that of lists of texts
    private static final Codec<List<String>> TEXTS = (Codec<List<String>>)
            Codecs.standard().of(List.class, List.of(Codecs.standard().of(String.class)));

    /** Twice the coarsest clock of a file system. */
    static final long OLD_MILLIS = 4_000;
    /** File systems in memory, on which a change through mapped memory leaves all times as they are. */
    private static final Set<String> WITHOUT_TIMES = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");

    private final OutputFolder output;
    private final Path root;
    private final FileCopies copies;
    private final long oldMillis;
    /** By path: the copies of the last checkpoint. */
    private Map<String, Known> known = new HashMap<>();
    /** By path: the files of the checkpoint that is being made. */
    private Map<String, Known> next = new HashMap<>();

    /**
     * A copy of the last checkpoint.
     *
     * @param stamp the file's attributes when it had these bytes
     * @param isTelling true if every change since then has changed them
     */
    private record Known(Copy copy, Map<String, Object> stamp, boolean isTelling) {}

    /**
     * The files of an output folder.
     *
     * @param folder for the copies, next to the checkpoint
     * @param oldMillis the age of a change from which on a later one has another time
     */
    SavedFiles(OutputFolder output, Path folder, long oldMillis) {
        this.output = output;
        this.root = output.unfinished();
        this.copies = new FileCopies(folder);
        this.oldMillis = oldMillis;
    }

    /** Returns true if no other run, which is not over, needs the copies that are there. */
    boolean isFree() throws IOException {
        return !copies.isOthers();
    }

    /**
     * Keeps other runs from the checkpoint until this one is closed.
     *
     * @throws IOException if it is another run's, which is not over
     */
    void hold() throws IOException {
        copies.requireOwn();
    }

    // ---- saving

    /** Copies files that have changed; earlier copies stay until {@link #saved}. */
    void save(CheckpointWriter out) throws IOException {
        next = new HashMap<>();
        List<SavedFile> all = new ArrayList<>();
        boolean hasTimes = !WITHOUT_TIMES.contains(store().type());
        for (Path file : below(root)) {
            try {
                all.add(saved(file, hasTimes));
            } catch (NoSuchFileException e) {
                if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw e;
                } // a file for a moment, of a separate thread
            }
        }
        copies.sync();
        out.writeValue(FILES, SavedFile.ALL, all);
        out.writeValue(NAMES, TEXTS, output.staged());
    }

    private FileStore store() throws IOException {
        return Files.getFileStore(root);
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder)).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private SavedFile saved(Path file, boolean hasTimes) throws IOException {
        String path =
                root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
        BasicFileAttributes its = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (its.isSymbolicLink()) {
            String target = Files.readSymbolicLink(file).toString();
            return new SavedFile(path, Kind.LINK, "", target, SavedFile.NONE);
        }
        String rights = isPosix() ? PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) : "";
        if (its.isDirectory()) {
            return new SavedFile(path, Kind.FOLDER, rights, "", SavedFile.NONE);
        }
        if (!its.isRegularFile()) {
            throw new IOException("the output file '" + path + "' cannot be saved in a checkpoint: expected a file, a"
                    + " folder or a link");
        }
        Known copy = copied(file, known.get(path), hasTimes);
        next.put(path, copy);
        return new SavedFile(path, Kind.FILE, rights, "", copy.copy);
    }

    private boolean isPosix() throws IOException {
        return store().supportsFileAttributeView(PosixFileAttributeView.class);
    }

    private Known copied(Path file, @Nullable Known before, boolean hasTimes) throws IOException {
        if (before != null && before.isTelling && before.stamp.equals(stamp(file))) {
            return before;
        }
        boolean isTelling = hasTimes && isOld(file);
        if (isTelling) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.force(true); // from now on a change through mapped memory changes its times
            }
            isTelling = isOld(file);
        }
        Map<String, Object> stamp = stamp(file);
        Copy copy = before != null && copies.isSame(file, before.copy) ? before.copy : copies.add(file);
        return new Known(copy, stamp, isTelling);
    }

    private boolean isOld(Path file) throws IOException {
        FileTime changed = changed(stamp(file));
        return copies.now().toMillis() - changed.toMillis() >= oldMillis;
    }

    private static Map<String, Object> stamp(Path file) throws IOException {
        boolean isUnix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        String all = isUnix ? "unix:ino,size,lastModifiedTime,ctime" : "fileKey,size,lastModifiedTime";
        return Files.readAttributes(file, all, LinkOption.NOFOLLOW_LINKS);
    }

    private static FileTime changed(Map<String, Object> stamp) {
        Object time = stamp.get("ctime");
        return (FileTime) Objects.requireNonNull(time == null ? stamp.get("lastModifiedTime") : time);
    }

    /** The checkpoint is in its place: only the copies that it names are kept. */
    void saved() throws IOException {
        known = next;
        copies.retain(known.values().stream().map(its -> its.copy.number()).collect(Collectors.toSet()));
    }

    /** There is no new checkpoint: deletes the copies for it. */
    void discard() throws IOException {
        copies.discard();
    }

    /** Deletes all copies: the program is over. */
    void delete() throws IOException {
        copies.retain(Set.of());
    }

    // ---- restoring

    /**
     * Gives the unfinished output folder the files that it had.
     *
     * @throws IOException if the stored data cannot be right, or a copy is missing or damaged
     */
    void restore(CheckpointReader in) throws IOException {
        List<SavedFile> all = in.readValue(FILES, SavedFile.ALL);
        Set<Path> places = new HashSet<>();
        for (SavedFile file : all) {
            places.add(place(file));
        }
        for (Path file : below(root).reversed()) {
            if (!places.contains(file)) {
                Files.delete(file);
            }
        }
        for (SavedFile file : all) {
            restore(file, place(file));
        }
        for (SavedFile file : all.reversed()) {
            if (!file.rights().isEmpty() && isPosix()) {
                Files.setPosixFilePermissions(place(file), PosixFilePermissions.fromString(file.rights()));
            }
        }
        try {
            output.stage(in.readValue(NAMES, TEXTS));
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Path place(SavedFile file) throws IOException {
        Path place = root.resolve(file.path()).normalize();
        if (!place.startsWith(root) || place.equals(root)) {
            throw new IOException("the output file '" + file.path() + "' lies outside of the output folder");
        }
        return place;
    }

    private void restore(SavedFile file, Path place) throws IOException {
        boolean isFile = file.kind() == Kind.FILE && Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
        boolean isFolder = file.kind() == Kind.FOLDER && Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
        if (!isFile && !isFolder) {
            Files.deleteIfExists(place);
        }
        switch (file.kind()) {
            case FILE -> {
                copies.restore(file.copy(), place);
                known.put(file.path(), new Known(file.copy(), Map.of(), false));
            }
            case FOLDER -> Files.createDirectories(place);
            case LINK -> Files.createSymbolicLink(place, Path.of(file.target()));
        }
    }

    @Override
    public void close() throws IOException {
        copies.close();
    }
}
