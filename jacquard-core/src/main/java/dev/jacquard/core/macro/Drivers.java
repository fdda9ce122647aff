package dev.jacquard.core.macro;

import java.util.Objects;
import java.util.concurrent.Executor;

/** The drivers that are built in. */
final class Drivers {
    private Drivers() {}

    private static int checked(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a fork-join driver has at least 1 thread, not " + most);
        }
        return most;
    }

    /** A loop of the workers: a helper looks for other work after each item. */
    static final class EngineWorkers implements ForkJoinDriver {
        @Override
        public String name() {
            return "workers";
        }

        @Override
        public void fork(Strands strands) throws Exception {
            strands.context().parallelFor(0, strands.items(), 1, (from, to) -> strands.runNext());
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /** The threads of an executor. */
    record OnExecutor(String name, Executor executor, int most) implements ForkJoinDriver {
        OnExecutor {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(executor, "executor");
            checked(most);
        }

        @Override
        public void fork(Strands strands) {
            for (int i = 0; i < Math.min(most, strands.items()); i++) {
                executor.execute(strands::runAll);
            }
        }
    }

    /** Virtual threads of the session. */
    record VirtualThreads(int most) implements ForkJoinDriver {
        VirtualThreads {
            checked(most);
        }

        @Override
        public String name() {
            return "virtual-threads";
        }

        @Override
        public void fork(Strands strands) {
            for (int i = 0; i < Math.min(most, strands.items()); i++) {
                strands.runOnVirtualThread();
            }
        }
    }

    /** Background threads of the session. */
    record PlainThreads(int most) implements ForkJoinDriver {
        PlainThreads {
            checked(most);
        }

        @Override
        public String name() {
            return "threads";
        }

        @Override
        public void fork(Strands strands) {
            for (int i = 0; i < Math.min(most, strands.items()); i++) {
                strands.runInBackground();
            }
        }
    }
}
