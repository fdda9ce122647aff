package dev.jacquard.bench.programs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.components.component.Component.Instance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The cost of an execution: a loop of a chain of components that do nothing, against a bare loop over objects. */
final class EmptyChain extends Workload {
    private static final int PARTS = 100;
    private static final int PASSES = 10_000;
    private static final int QUICK_PASSES = 100;

    private final boolean waits;
    private final String mode;

    EmptyChain(String name, boolean waits, String mode) {
        super(name, "ns/execution", new Rounds(0, 1), new Rounds(2, 5));
        this.waits = waits;
        this.mode = mode;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        int passes = plan.quick() ? QUICK_PASSES : PASSES;
        List<Contender> all = new ArrayList<>();
        for (int workers : mode.equals("serial") ? List.of(1) : plan.workers()) {
            all.add(new Jacquard(yaml(passes), passes, workers));
        }
        if (mode.equals("serial")) {
            all.add(new BareLoop(passes, plan.clock()));
        }
        return all;
    }

    private String yaml(int passes) {
        String component = waits ? "idle-waiting" : "idle";
        StringBuilder parts = new StringBuilder("mode: " + mode + "\ncomponents:\n");
        StringBuilder wires = new StringBuilder("wires:\n  p0.in: p" + (PARTS - 1) + ".again\n");
        for (int i = 0; i < PARTS; i++) {
            parts.append("  p").append(i).append(": {component: ").append(component);
            parts.append(i == PARTS - 1 ? ", passes: " + passes + "}\n" : "}\n");
            if (i > 0) {
                wires.append(String.format(Locale.ROOT, "  p%d.in: p%d.out\n", i, i - 1));
            }
        }
        return parts.append(wires).toString();
    }

    private static final class Jacquard extends Contender {
        private final TextProgram program;
        private final int passes;

        Jacquard(String yaml, int passes, int workers) throws IOException {
            super("jacquard", workers);
            this.program = new TextProgram(yaml, workers);
            this.passes = passes;
        }

        @Override
        public Map<String, Double> round() throws Exception {
            Map<String, ?> values = program.run().values();
            double nanos = 1e9 * (Double) Objects.requireNonNull(values.get("seconds")); // without files and threads
            verify(String.valueOf(values.get("loops")).contains("passes=[" + passes + "]"), "the number of passes");
            return Map.of(MAIN, nanos / passes / PARTS);
        }

        @Override
        public void close() throws IOException {
            program.close();
        }
    }

    /** The calls alone. */
    private static final class BareLoop extends Contender {
        private final Instance[] instances = new Instance[PARTS];
        private final int passes;
        private final Clock clock;
        private int executed;

        BareLoop(int passes, Clock clock) {
            super("bare loop", 1);
            this.passes = passes;
            this.clock = clock;
            Arrays.setAll(instances, i -> () -> ++executed > 0);
        }

        @Override
        public Map<String, Double> round() throws Exception {
            executed = 0;
            long begun = clock.nanoTime();
            for (int pass = 0; pass < passes; pass++) {
                for (Instance instance : instances) {
                    instance.execute();
                }
            }
            double nanos = clock.nanoTime() - begun;
            verify(executed == passes * PARTS, "the number of executions");
            return Map.of(MAIN, nanos / passes / PARTS);
        }
    }
}
