package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The speed of the kernel of the METG sweeps by itself, in Java and in C++: a slow kernel would flatter its systems.
 */
final class KernelSpeed extends Workload {
    KernelSpeed() {
        super("metg.kernel", "GFLOP/s/thread", new Rounds(0, 1), new Rounds(3, 9));
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Rival.OPENMP.absence().stream().toList();
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            if (ComputeBound.problem().isEmpty()) {
                contenders.add(new JavaKernel(workers, plan.clock()));
            }
            if (Rival.OPENMP.absence().isEmpty()) {
                contenders.add(new NativeKernel(workers));
            }
        }
        return contenders;
    }

    private static final class JavaKernel extends Contender {
        private final Clock clock;

        JavaKernel(int workers, Clock clock) {
            super("java", workers);
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            return Map.of(MAIN, JavaPointRuns.peak(workers(), clock));
        }
    }

    private static final class NativeKernel extends Contender {
        private final RivalProcess program;

        NativeKernel(int workers) throws IOException {
            super("c++", workers);
            Pattern.Tasks none = Pattern.STENCIL_1D.tasks(1, 1);
            program = Rival.OPENMP.start("", workers, "point", none.shape(), none.step(), none.point());
        }

        @Override
        public Map<String, Double> round() throws IOException {
            return Map.of(MAIN, program.peak());
        }

        @Override
        public void close() throws IOException {
            program.close();
        }
    }
}
