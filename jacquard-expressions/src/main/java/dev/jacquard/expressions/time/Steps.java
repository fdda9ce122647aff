package dev.jacquard.expressions.time;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.tree.TreeRuns;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/** The graphs that an integrator runs. Confined to its thread. */
sealed interface Steps {
    /** Runs the next step, or the same again until it is {@linkplain #accept accepted}. */
    void run();

    /** The fields of the step that ran are the fields of the next one. */
    void accept();

    /** Sets how many tasks of a step run at a time, and how many workers the loops of each use. */
    void threads(int tasks, int operators);

    /** Returns how many tasks of a step run at a time, and how many workers the loops of each use. */
    ThreadSplit threads();

    /** Returns the tasks of a step. */
    GraphSnapshot snapshot();

    /** Graphs that are recorded once, and take turns where fields swap. */
    final class Recorded implements Steps {
        private final Deque<CompiledGraph> graphs;
        private final ThreadSizing sizing;
        private final Loops loops;
        /** True once a step has run. */
        private boolean began;

        Recorded(Collection<CompiledGraph> graphs, ThreadSizing sizing, Loops loops) {
            this.graphs = new ArrayDeque<>(graphs);
            this.sizing = sizing;
            this.loops = loops;
        }

        @Override
        public void run() {
            if (!began) {
                began = true;
                loops.awaitWarm();
            }
            sizing.beforeStep();
            CompiledGraph next = graphs.element();
            if (next.isRunning()) {
                next.join(); // a step with an interrupted thread
            }
            next.run();
        }

        @Override
        public void accept() {
            graphs.add(graphs.remove()); // next time the other one
        }

        @Override
        public void threads(int tasks, int operators) {
            sizing.set(tasks, operators);
        }

        @Override
        public ThreadSplit threads() {
            return sizing.split();
        }

        @Override
        public GraphSnapshot snapshot() {
            return graphs.getLast().snapshot();
        }
    }

    /**
     * Graphs with expressions that are assigned to targets.
     *
     * @param workers of the session, which all tasks have, including tasks of devices
     */
    record Assigned(TreeRuns runs, int workers) implements Steps {
        @Override
        public void run() {
            runs.run();
        }

        @Override
        public void accept() {
            // the runs know the fields' graph
        }

        @Override
        public void threads(int tasks, int operators) {
            throw new IllegalStateException("the tasks of steps on several targets have all workers of the session,"
                    + " those of devices too, and cannot be held to " + tasks + " at a time");
        }

        @Override
        public ThreadSplit threads() {
            return new ThreadSplit(workers, 1);
        }

        @Override
        public GraphSnapshot snapshot() {
            return runs.snapshot();
        }
    }
}
