package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointReader.RefusedException;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint of a program over ranks, as one of them sees it. A savepoint has a number; each rank writes its part,
 * and rank 0 the manifest when all parts are in place. Parts of the savepoint before stay until then, so whatever ends
 * the ranks, the manifest names whole parts of one savepoint.
 *
 * <pre>
 *   checkpoint          the manifest: mode, ranks, number of the savepoint, placement; the files of rank 0
 *   checkpoint.files/   copies of these
 *   checkpoint.ranks/   rank-0-7, rank-1-7    the parts of savepoint 7
 *                       rank-1-8              of one that is being made, or was when its run was killed
 *                       rank-1.files/         copies of the files of a rank that is a process
 * </pre>
 *
 * <p>Threads: one at a time, while no component of the rank is executed.
 */
final class RankCheckpoint implements AutoCloseable {
    /** The suffix of the folder of the parts, after the name of the checkpoint. */
    static final String RANKS = ".ranks";

    private static final String IDENTITY = "program of components, the part of a rank";
    private static final String PART = "rank-";

    private final Path file;
    private final Path folder;
    private final int rank;
    private final boolean sharesOutput;
    /** Of the manifest on rank 0, else of the files of this rank; null if rank 0 has the same output folder. */
    private final @Nullable CheckpointPlace place;

    /** The number of the savepoint from which the run goes on; 0 if it begins. */
    private long from;
    /** The number of the savepoint that is made next. */
    private long next = 1;

    /**
     * The checkpoint of a rank.
     *
     * @param file the place of the manifest
     * @param sharesOutput true if all ranks write into one output folder, as they do inside a process
     */
    RankCheckpoint(Path file, OutputFolder output, int rank, boolean sharesOutput) {
        this.file = file;
        this.folder = file.resolveSibling(file.getFileName() + RANKS);
        this.rank = rank;
        this.sharesOutput = sharesOutput;
        this.place = rank == 0
                ? new CheckpointPlace(file, output)
                : sharesOutput ? null : new CheckpointPlace(folder.resolve(PART + rank), output);
    }

    private Path part(int of, long number) {
        return folder.resolve(PART + of + "-" + number);
    }

    private CheckpointPlace place() {
        if (place == null) {
            throw new IllegalStateException("rank " + rank + " has no separate files");
        }
        return place;
    }

    // ---- the begin

    /**
     * Rank 0: refuses a place that cannot be used.
     *
     * @throws InputException if it is such a one
     */
    void requirePlace() {
        place().require();
    }

    /**
     * Rank 0: reads the manifest.
     *
     * @param mode of this run
     * @param ranks of this run
     * @throws InputException if there is none, or it is one of another run
     */
    RankManifest manifest(RunMode mode, int ranks, ProgramState state) {
        place().requireThere();
        try (CheckpointReader in = openManifest()) {
            in.check();
            RankManifest its = RankManifest.read(in);
            RankManifest own = new RankManifest(mode, ranks, !sharesOutput, its.savepoint(), its.placement());
            if (!its.equals(own)) {
                throw new InputException("--resume: " + file + " is a checkpoint of a run " + its.described()
                        + ", and this one is to run " + own.described() + "; give " + its.options()
                        + ", or start without --resume");
            }
            state.requireEqual(in, file);
            return its;
        } catch (IOException e) {
            throw new InputException("--resume: " + e.getMessage(), e);
        }
    }

    private CheckpointReader openManifest() throws IOException {
        try {
            return CheckpointReader.open(file, RankManifest.IDENTITY);
        } catch (RefusedException e) {
            try (CheckpointReader _ = CheckpointReader.open(file, ProgramCheckpoint.IDENTITY)) {
                throw new InputException("--resume: " + file + " is a checkpoint of a run without ranks; give --mode"
                        + " serial or --mode parallel, or start without --resume");
            } catch (RefusedException second) {
                throw e;
            }
        }
    }

    /** Rank 0: returns the number of the next savepoint, such that no part that is there has it. */
    long nextNumber() {
        long newest = 0;
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
                for (Path each : all) {
                    newest = Math.max(newest, number(each));
                }
            } catch (IOException e) {
                throw new InputException("'checkpoint': " + folder + " cannot be read: " + e, e);
            }
        }
        return newest + 1;
    }

    /** Returns the number of the savepoint of a part; -1 for another file. */
    private static long number(Path each) {
        String name = String.valueOf(each.getFileName());
        return name.matches("rank-\\d{1,9}-\\d{1,18}") ? Long.parseLong(name.substring(name.lastIndexOf('-') + 1)) : -1;
    }

    /**
     * Takes the numbers that rank 0 has found.
     *
     * @param resumed the savepoint from which the run goes on; 0 if it begins
     * @param first the one that is made first
     */
    void number(long resumed, long first) {
        from = resumed;
        next = first;
    }

    // ---- saving

    /** Writes the part of this rank. */
    void save(TopState top, OpenedParts parts, Passes passes, ProgramState state) throws IOException {
        Path its = part(rank, next);
        if (place == null) {
            Files.createDirectories(folder);
            try (CheckpointWriter out = CheckpointWriter.create(its, IDENTITY)) {
                write(top, parts, passes, state, out);
                out.commit();
            }
            return;
        }
        place.write(its, IDENTITY, out -> {
            write(top, parts, passes, state, out);
            if (rank > 0) {
                place.files().save(out); // last: the tasks that write data are over
            }
        });
    }

    private void write(TopState top, OpenedParts parts, Passes passes, ProgramState state, CheckpointWriter out)
            throws IOException {
        out.writeLong("savepoint", next);
        state.write(top, parts, passes, out);
    }

    /** Rank 0: all parts are in place; writes the manifest, and deletes the files that it does not name. */
    void complete(RunMode mode, int ranks, List<Integer> placement, ProgramState state) throws IOException {
        CheckpointPlace its = place();
        its.write(file, RankManifest.IDENTITY, out -> {
            new RankManifest(mode, ranks, !sharesOutput, next, placement).write(out);
            state.writeModel(out);
            its.files().save(out);
        });
        its.saved();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, each -> number(each) >= 0)) {
            for (Path each : all) {
                if (number(each) != next) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    /** The manifest is in place. */
    void completed() throws IOException {
        if (rank > 0 && place != null) {
            place.saved();
        }
        next++;
    }

    // ---- restoring

    /** Returns true if the run goes on from a savepoint. */
    boolean resumes() {
        return from > 0;
    }

    /**
     * Restores the files that this rank has saved, if it has.
     *
     * @throws InputException if they cannot be restored
     */
    void restoreFiles() {
        CheckpointPlace its = place;
        if (its == null) {
            return;
        }
        Path there = rank == 0 ? file : part(rank, from);
        try (CheckpointReader in = rank == 0 ? CheckpointReader.open(file, RankManifest.IDENTITY) : openPart(there)) {
            its.files().hold();
            its.files().restore(in);
        } catch (IOException e) {
            throw new InputException("--resume: " + e.getMessage(), e);
        }
    }

    /**
     * Restores the state of this rank.
     *
     * @throws InputException if its part is missing, damaged or another program's
     */
    void restore(TopState top, OpenedParts parts, Passes passes, ProgramState state) {
        Path its = part(rank, from);
        try (CheckpointReader in = openPart(its)) {
            in.check();
            state.requireEqual(in, its);
            state.read(in, its, top, parts, passes);
            if (place != null) {
                place.keeps();
            }
        } catch (IOException e) {
            throw new InputException("--resume: " + e.getMessage(), e);
        }
    }

    private CheckpointReader openPart(Path its) throws IOException {
        if (!Files.exists(its)) {
            throw new InputException("--resume: " + its + " is missing, which " + file + " names; expected the folder "
                    + folder + " as the run has left it, for all ranks, or a run without --resume");
        }
        CheckpointReader in = CheckpointReader.open(its, IDENTITY);
        try {
            long number = in.readLong("savepoint");
            if (number != from) {
                throw new IOException(its + " is of the savepoint " + number + ", and " + file + " names " + from);
            }
            return in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    // ---- the end

    /** Rank 0: takes the checkpoint away: the results are in place. Not if it has become another run's. */
    void delete() throws IOException {
        place().delete(() -> {
            Files.deleteIfExists(file);
            deleteParts();
        });
    }

    private void deleteParts() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "{,.}" + PART + "*")) {
            for (Path each : all) {
                if (Files.isDirectory(each)) {
                    try (FileCopies copies = new FileCopies(each)) {
                        copies.retain(Set.of());
                    }
                } else {
                    Files.deleteIfExists(each);
                }
            }
        }
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // It has files of another program.
        }
    }

    /** Lets other runs have its place. */
    @Override
    public void close() throws IOException {
        if (place != null) {
            place.close();
        }
    }
}
