package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointReader.RefusedException;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The head of a checkpoint over ranks: it names the parts that the ranks have written. It is written last, when all of
 * these are in place.
 *
 * @param mode of the run
 * @param ranks their number
 * @param areProcesses false if they share one process, and its output folder
 * @param savepoint the number in the names of the parts
 * @param placement the rank of each component; empty if each runs on all ranks
 */
record RankManifest(RunMode mode, int ranks, boolean areProcesses, long savepoint, List<Integer> placement) {
    static final String IDENTITY = "program of components over ranks";

    RankManifest {
        placement = List.copyOf(placement);
    }

    /** Writes it as entries of a checkpoint. */
    void write(CheckpointWriter out) throws IOException {
        out.writeText("mode", mode.name());
        out.writeLong("ranks", ranks);
        out.writeText("kind", areProcesses ? "processes" : "threads");
        out.writeLong("savepoint", savepoint);
        out.writeText("placement", placement.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /**
     * Reads it.
     *
     * @throws IOException if it cannot be right
     */
    static RankManifest read(CheckpointReader in) throws IOException {
        try {
            List<Integer> placement = new ArrayList<>();
            String ranks = in.readText("placement");
            for (String rank : ranks.isEmpty() ? new String[0] : ranks.split(" ", -1)) {
                placement.add(Integer.parseInt(rank));
            }
            return new RankManifest(
                    RunMode.valueOf(in.readText("mode")),
                    Math.toIntExact(in.readLong("ranks")),
                    in.readText("kind").equals("processes"),
                    in.readLong("savepoint"),
                    placement);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException("its head cannot be right: " + e.getMessage(), e);
        }
    }

    /**
     * Reads that of a file that is no checkpoint of a program without ranks.
     *
     * @throws RefusedException the given one, if it is no checkpoint over ranks either
     */
    static RankManifest ofRefused(Path file, RefusedException why) throws IOException {
        try (CheckpointReader in = CheckpointReader.open(file, IDENTITY)) {
            return read(in);
        } catch (RefusedException e) {
            throw why;
        }
    }

    /** Returns the run in words. */
    String described() {
        String kind = areProcesses ? " of a launcher" : " in one process";
        return Setting.Type.nameOf(mode) + " on " + ranks + (ranks == 1 ? " rank" : " ranks") + kind;
    }

    /** Returns the options that give such a run. */
    String options() {
        String kind = areProcesses ? " with --mpi or under mpirun" : " alone";
        return "--mode " + Setting.Type.nameOf(mode) + " --ranks " + ranks + kind;
    }
}
