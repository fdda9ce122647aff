package dev.jacquard.bench.programs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** The time of {@code jacquard run FILE --check}, whole process, for a large program with loops in loops. */
final class Checks extends Workload {
    private static final int PARTS = 1000;
    private static final int WIRES = 5000;
    private static final int LOOPS = 200;
    private static final int DEPTH = 5;
    private static final int SINKS = 12;

    Checks() {
        super("components.check", "s", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        return isThere(plan) ? List.of(new CommandLine(plan.project(), plan.clock())) : List.of();
    }

    private static boolean isThere(Plan plan) {
        return Files.isExecutable(plan.project().resolve("jacquard"));
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return isThere(plan)
                ? List.of()
                : List.of(new Absence(
                        "jacquard", "there is no ./jacquard in " + plan.project(), "start it from the project's root"));
    }

    /**
     * Returns a chain of parts, of which some begin or end loops, each within the one that is open, with further wires
     * that lead forward within the innermost open loop.
     */
    static String yaml(long seed) {
        Random random = new Random(seed);
        StringBuilder parts = new StringBuilder("components:\n");
        StringBuilder wires = new StringBuilder("wires:\n");
        Deque<Integer> open = new ArrayDeque<>();
        int count = 0;
        int loops = 0;
        int[] sinks = new int[PARTS];
        for (int i = 0; i < PARTS; i++) {
            boolean closes = !open.isEmpty()
                    && i - open.peek() >= 2
                    && (random.nextInt(2) == 0 || open.size() == DEPTH || PARTS - i <= open.size() + 1);
            parts.append(
                    closes
                            ? String.format(Locale.ROOT, "  p%d: {component: until, passes: 2}\n", i)
                            : String.format(Locale.ROOT, "  p%d: {component: sum, inputs: %d}\n", i, SINKS));
            if (i > 0) {
                wires.append(String.format(Locale.ROOT, "  p%d.%s: p%d.value\n", i, closes ? "value" : "in1", i - 1));
                sinks[i] = closes ? SINKS : 1;
                count++;
            }
            if (closes) {
                int entry = open.pop();
                wires.append(String.format(Locale.ROOT, "  p%d.in%d: p%d.again\n", entry, SINKS, i));
                count++;
            } else if (loops < LOOPS && open.size() < DEPTH && PARTS - i > 3 * (open.size() + 2)) {
                open.push(i);
                loops++;
            }
        }
        while (count < WIRES) {
            int to = 1 + random.nextInt(PARTS - 1);
            if (sinks[to] < SINKS - 1) {
                wires.append(String.format(
                        Locale.ROOT,
                        "  p%d.in%d: p%d.value\n",
                        to,
                        ++sinks[to],
                        Math.max(0, to - 1 - random.nextInt(20))));
                count++;
            }
        }
        return parts.append(wires).toString();
    }

    private static final class CommandLine extends Contender {
        private final Path folder = Files.createTempDirectory("jacquard-checks");
        private final Path file = folder.resolve("large.yaml");
        private final Path project;
        private final Clock clock;

        CommandLine(Path project, Clock clock) throws IOException {
            super("jacquard", 1);
            this.project = project;
            this.clock = clock;
            Files.writeString(file, yaml(1));
        }

        @Override
        public Map<String, Double> round() throws Exception {
            List<String> command = new ArrayList<>();
            command.addAll(List.of(project.resolve("jacquard").toString(), "run", file.toString(), "--check"));
            long begun = clock.nanoTime();
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            double seconds = (clock.nanoTime() - begun) / 1e9;
            verify(exit == 0 && said.contains("can run"), "the answer '" + said + "'");
            return Map.of(MAIN, seconds);
        }

        @Override
        public void close() throws IOException {
            TextProgram.delete(folder);
        }
    }
}
