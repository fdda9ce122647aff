package dev.jacquard.core.testing;

import dev.jacquard.core.data.Handle;
import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.testing.Program.Line;
import dev.jacquard.core.testing.Program.Touch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** One run of a program on a graph. Confined to the graph's submitter. */
public final class Trial {
    private final Program program;
    private final TaskGraph graph;
    private final List<Handle<long[]>> handles = new ArrayList<>();
    private final List<Result<?>> results = new ArrayList<>();

    /**
     * Nothing is submitted yet.
     *
     * @param program what to run
     * @param graph where
     * @param wrap makes a handle from a name and cells
     */
    public Trial(Program program, TaskGraph graph, BiFunction<String, long[], Handle<long[]>> wrap) {
        this.program = program;
        this.graph = graph;
        for (long[] cells : program.cells()) {
            handles.add(wrap.apply("f" + handles.size(), cells));
        }
    }

    /** Whether every line was submitted. */
    public boolean isSubmitted() {
        return results.size() == program.lines().size();
    }

    /** Submits the next line. */
    public void submitNext() {
        Line line = program.lines().get(results.size());
        TaskBuilder task = graph.task(line.name());
        for (Touch touch : line.touches()) {
            task.accesses(handles.get(touch.field()), touch.access());
        }
        results.add(task.run(context -> {
            program.perform(line, field -> context.get(handles.get(field)));
            if (line.fails()) {
                throw new PlannedFailure(line);
            }
        }));
    }

    /** Submits all lines, waits, and verifies. */
    public void run() {
        while (!isSubmitted()) {
            submitNext();
        }
        try {
            graph.await();
        } catch (TaskFailedException e) {
            if (!(e.getCause() instanceof PlannedFailure)) {
                throw e;
            }
        }
        verify();
    }

    /**
     * Compares with the sequential run.
     *
     * @throws AssertionError when a task ended otherwise, or cells differ
     */
    public void verify() {
        Expectation expected = Expectation.of(program);
        for (int i = 0; i < results.size(); i++) {
            TaskState end = results.get(i).state();
            require(
                    end == expected.ends().get(i),
                    program.lines().get(i) + " ended as " + end + " instead of "
                            + expected.ends().get(i));
        }
        for (int i = 0; i < handles.size(); i++) {
            long[] found = handles.get(i).value();
            int differs = Arrays.mismatch(found, expected.cells().get(i));
            require(differs < 0, "cell " + differs + " of f" + i + " is not what the sequential run left there");
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message + "; the program: " + program);
        }
    }

    /** What a failing line throws. Without a stack trace: thousands are thrown. */
    private static final class PlannedFailure extends Exception {
        private static final long serialVersionUID = 1;

        PlannedFailure(Line line) {
            super("planned failure of t" + line.id(), null, false, false);
        }
    }
}
