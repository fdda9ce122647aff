package dev.jacquard.bench.streams;

import dev.jacquard.bench.rival.Compilation;
import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Workload.Absence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** oneTBB's function nodes: {@code onetbb.cpp} describes the protocol. */
final class OneTbb {
    static final String SYSTEM = "onetbb";

    private static final Compilation.Source SOURCE =
            new Compilation.Source(OneTbb.class, SYSTEM, List.of(), List.of("-ltbb"));

    private OneTbb() {}

    static boolean isPresent() {
        return Compilation.of(SOURCE).program() != null;
    }

    /** Returns the reason why it cannot be run here, if so. */
    static List<Absence> absences() {
        String problem = Compilation.of(SOURCE).problem();
        return problem == null ? List.of() : List.of(new Absence(SYSTEM, problem, Compilation.REMEDY + " libtbb-dev"));
    }

    /**
     * Starts the program.
     *
     * @throws IllegalStateException when it is absent
     */
    static Program start(String what, int... numbers) throws IOException {
        Compilation made = Compilation.of(SOURCE);
        if (made.program() == null) {
            throw new IllegalStateException(SYSTEM + " is absent: " + made.problem());
        }
        List<String> command = new ArrayList<>(List.of(made.program().toString(), what));
        for (int number : numbers) {
            command.add(String.valueOf(number));
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(key -> key.startsWith("TBB_"));
        return Program.start(SYSTEM, builder);
    }
}
