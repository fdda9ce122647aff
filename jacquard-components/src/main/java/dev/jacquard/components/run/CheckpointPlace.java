package dev.jacquard.components.run;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of a checkpoint, with the copies of the files of an output folder next to it.
 *
 * <p>Threads: one at a time.
 */
final class CheckpointPlace implements AutoCloseable {
    /** The suffix of the folder of the copies of files, after the name of the checkpoint. */
    static final String FILES = ".files";

    private final Path file;
    private final OutputFolder output;
    private final SavedFiles files;

    /** Writes the entries of a checkpoint. */
    @FunctionalInterface
    interface Contents {
        void write(CheckpointWriter out) throws IOException;
    }

    /** Deletes files. */
    @FunctionalInterface
    interface Deletion {
        void run() throws IOException;
    }

    CheckpointPlace(Path file, OutputFolder output) {
        this.file = file;
        this.output = output;
        this.files = new SavedFiles(output, file.resolveSibling(file.getFileName() + FILES), SavedFiles.OLD_MILLIS);
    }

    Path file() {
        return file;
    }

    SavedFiles files() {
        return files;
    }

    /**
     * Refuses the place of a run that is not over, and one where no file can be written.
     *
     * @throws InputException if it is such a one
     */
    void require() {
        try {
            if (!isFree()) {
                throw new InputException("the checkpoint " + file + " belongs to a run that is not over; expected"
                        + " another folder, with --out or 'checkpoint: {every: N, folder: …}', for each run at the"
                        + " same time");
            }
            Path there = file.toAbsolutePath();
            while (there.getParent() != null && !Files.exists(there.getParent())) {
                there = there.getParent();
            }
            if (there.equals(file.toAbsolutePath())) {
                AtomicFile.create(file).close(); // next to its place, and removed again
            } else if (!Files.isWritable(there.resolveSibling("")) || !Files.isDirectory(there.resolveSibling(""))) {
                throw new IOException(file + " cannot be written: " + there.getParent()
                        + " is no folder, or one that cannot be written; expected a folder for checkpoints");
            }
        } catch (IOException e) {
            throw new InputException("'checkpoint': " + e.getMessage(), e);
        }
    }

    private boolean isFree() throws IOException {
        try {
            return files.isFree();
        } catch (IOException e) { // has a path alone, often
            throw new IOException(file + " cannot be written: " + e, e);
        }
    }

    /**
     * Refuses to resume without a checkpoint.
     *
     * @throws InputException if there is none
     */
    void requireThere() {
        if (!Files.exists(file)) {
            throw new InputException("--resume: there is no checkpoint " + file
                    + "; expected that of a run with 'checkpoint: {every: N}' that was stopped after pass N");
        }
    }

    /**
     * Writes a file here or next to it, which is in place whole or not at all.
     *
     * @param contents may have copies of files; if the file cannot be written, the added copies are deleted
     */
    void write(Path to, String identity, Contents contents) throws IOException {
        boolean isDecided = false; // from then on the new file may be in its place
        try (CheckpointWriter out = create(to, identity)) {
            contents.write(out);
            isDecided = true;
            out.commit();
        } catch (IOException | RuntimeException | Error e) {
            if (!isDecided) {
                discard(e);
            }
            throw e;
        }
    }

    private CheckpointWriter create(Path to, String identity) throws IOException {
        Files.createDirectories(to.toAbsolutePath().getParent());
        files.hold();
        return CheckpointWriter.create(to, identity);
    }

    private void discard(Throwable why) {
        try {
            files.discard();
        } catch (IOException e) {
            Suppressed.add(why, e);
        }
    }

    /** The checkpoint is in its place: copies that only earlier ones name are deleted. */
    void saved() throws IOException {
        files.saved();
        keeps();
    }

    /** A run that is stopped leaves a checkpoint. */
    void keeps() {
        output.keeps();
    }

    /** Deletes the checkpoint, and the copies then. Not if it has become another run's. */
    void delete(Deletion deletion) throws IOException {
        try (files) {
            if (files.isFree()) {
                deletion.run();
                files.delete();
            }
        }
    }

    /** Lets other runs have its place. */
    @Override
    public void close() throws IOException {
        files.close();
    }
}
