package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointReader.RefusedException;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Saves the state of a program and the files that its components have written, and restores them.
 *
 * <p>Threads: one at a time, while no component is executed.
 */
final class ProgramCheckpoint implements AutoCloseable {
    static final String IDENTITY = "program of components, each with its folder";

    private final CheckpointPlace place;
    private final ProgramState state;

    ProgramCheckpoint(Path file, OutputFolder output, ProgramState state) {
        this.place = new CheckpointPlace(file, output);
        this.state = state;
    }

    /**
     * Refuses the place of a run that is not over, and one where no file can be written.
     *
     * @throws InputException if it is such a one
     */
    void requirePlace() {
        place.require();
    }

    /** Returns true if an earlier run has left a checkpoint here. */
    boolean isThere() {
        return Files.exists(place.file());
    }

    /** Returns the line for people about an earlier checkpoint, which a run from the start replaces. */
    String replaced() {
        return "starts from the beginning: the first checkpoint of this run replaces " + place.file()
                + "; --resume goes on from it";
    }

    void save(TopState top, OpenedParts parts, Passes passes) throws IOException {
        place.write(place.file(), IDENTITY, out -> {
            state.write(top, parts, passes, out);
            place.files().save(out); // last: the tasks that write data are over
        });
        place.saved();
    }

    /**
     * Restores the saved state.
     *
     * @throws InputException if there is no checkpoint, or it is one of another program; the message has the
     *     differences
     */
    void restore(TopState top, OpenedParts parts, Passes passes) {
        Path file = place.file();
        place.requireThere();
        try (CheckpointReader in = open(file)) {
            in.check();
            state.requireEqual(in, file);
            place.files().hold();
            place.files().restore(in);
            state.read(in, file, top, parts, passes);
            place.keeps();
        } catch (IOException e) {
            throw new InputException("--resume: " + e.getMessage(), e);
        }
    }

    private static CheckpointReader open(Path file) throws IOException {
        try {
            return CheckpointReader.open(file, IDENTITY);
        } catch (RefusedException e) {
            RankManifest other = RankManifest.ofRefused(file, e);
            throw new InputException("--resume: " + file + " is a checkpoint of a run " + other.described() + "; give "
                    + other.options() + ", or start without --resume");
        }
    }

    /** Takes the checkpoint away: the results are in place. Not if it has become another run's. */
    void delete() throws IOException {
        place.delete(() -> Files.deleteIfExists(place.file()));
    }

    /** Lets other runs have its place. */
    @Override
    public void close() throws IOException {
        place.close();
    }
}
