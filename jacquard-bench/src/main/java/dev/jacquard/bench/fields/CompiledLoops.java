package dev.jacquard.bench.fields;

import dev.jacquard.bench.rival.Compilation;
import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Workload.Absence;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A running program of {@code fields.cpp}, which describes the protocol. Confined to the contenders' thread. */
final class CompiledLoops implements AutoCloseable {
    /** The name of the system in messages, and the start of the names of its contenders. */
    static final String SYSTEM = "c";

    private final Program program;

    /** How the compiler treats a product and a sum of it. */
    enum Contraction {
        /** Each is rounded, as in Jacquard's loops. */
        OFF("off"),
        /** They become one operation, which is the compiler's default. */
        FAST("fast");

        private final String option;

        Contraction(String option) {
            this.option = option;
        }

        private Compilation compilation() {
            return Compilation.of(new Compilation.Source(
                    CompiledLoops.class, "fields", List.of(), List.of("-ffp-contract=" + option)));
        }
    }

    private CompiledLoops(Program program) {
        this.program = program;
    }

    /** Returns the reason why it cannot be run here, if so. The first call compiles, which takes some seconds. */
    static Optional<Absence> absence() {
        return Optional.ofNullable(Contraction.FAST.compilation().problem())
                .map(problem -> new Absence(SYSTEM, problem, Compilation.REMEDY));
    }

    /**
     * Starts the program for a grid of the unit square or cube.
     *
     * @throws NullPointerException when it is absent
     */
    static CompiledLoops start(Contraction contraction, Grid grid) throws IOException {
        Path program = Objects.requireNonNull(contraction.compilation().program(), "program");
        ProcessBuilder command = new ProcessBuilder(
                program.toString(),
                grid.type() == DataType.FLOAT32 ? "float32" : "float64",
                Integer.toString(grid.dimensions()),
                Integer.toString(grid.cells(0)),
                Integer.toString(grid.ghostLayers(0)));
        return new CompiledLoops(Program.start(SYSTEM, command));
    }

    /** Returns the runs of one of its loops. */
    Measured.Runs runs(String loop) {
        return times -> {
            String answer = program.ask("round " + loop + " " + times, "[0-9]+ \\S+");
            int space = answer.indexOf(' ');
            return new Measured(
                    Long.parseLong(answer.substring(0, space)), Double.parseDouble(answer.substring(space + 1)));
        };
    }

    /** Ends the program. May be called again. */
    @Override
    public void close() throws IOException {
        program.close();
    }
}
