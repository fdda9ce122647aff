package dev.jacquard.bench.programs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two chains of ten components that wait for 50 ms each, side by side, in parallel, on two ranks of this process, and
 * one after the other; also inside of two loops of three passes.
 */
final class SideBySide extends Workload {
    private static final int LENGTH = 10;
    private static final int MILLIS = 50;
    private static final int PASSES = 3;

    private final boolean inLoops;

    SideBySide(String name, boolean inLoops) {
        super(name, "s", new Rounds(0, 1), new Rounds(1, 3));
        this.inLoops = inLoops;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        List<Contender> all = new ArrayList<>();
        for (int workers : plan.workers()) {
            all.add(new Jacquard("jacquard", yaml("parallel", plan), workers, plan.clock()));
        }
        all.add(new Jacquard("jacquard-ranks", yaml("task-parallel\nranks: 2", plan), 2, plan.clock()));
        all.add(new Jacquard("jacquard-serial", yaml("serial", plan), 1, plan.clock()));
        return all;
    }

    private String yaml(String mode, Plan plan) {
        int millis = plan.quick() ? 1 : MILLIS;
        StringBuilder parts =
                new StringBuilder("mode: " + mode + "\ncomponents:\n  one: {component: number, value: 1}\n");
        StringBuilder wires = new StringBuilder("wires:\n");
        for (String chain : List.of("a", "b")) {
            parts.append("  %s: {component: sum}\n".formatted(chain));
            wires.append("  %s.in1: one.value\n".formatted(chain));
            String last = chain;
            for (int i = 0; i < LENGTH; i++) {
                String name = chain + i;
                parts.append(String.format(Locale.ROOT, "  %s: {component: delay, millis: %d}\n", name, millis));
                wires.append("  %s.value: %s.value\n".formatted(name, last));
                last = name;
            }
            parts.append("  %s-shown: {component: show}\n".formatted(chain));
            if (inLoops) {
                parts.append(String.format(Locale.ROOT, "  %s-end: {component: until, passes: %d}\n", chain, PASSES));
                wires.append("  %1$s-end.value: %2$s.value\n  %1$s.in2: %1$s-end.again\n".formatted(chain, last));
                last = chain + "-end";
            }
            wires.append("  %s-shown.value: %s.value\n".formatted(chain, last));
        }
        return parts.append(wires).toString();
    }

    private final class Jacquard extends Contender {
        private final TextProgram program;
        private final Clock clock;

        Jacquard(String system, String yaml, int workers, Clock clock) throws IOException {
            super(system, workers);
            this.program = new TextProgram(yaml, workers);
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws Exception {
            long begun = clock.nanoTime();
            Map<String, ?> values = program.run().values();
            double seconds = (clock.nanoTime() - begun) / 1e9;
            double shown = inLoops ? PASSES : 1;
            verify(Map.of("a-shown", shown, "b-shown", shown).equals(values.get("results")), "the sum");
            return Map.of(MAIN, seconds);
        }

        @Override
        public void close() throws IOException {
            program.close();
        }
    }
}
