package dev.jacquard.apps.replay;

import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains the place and the start of a task of a run in sentences: what made it ready, what its worker did before, and
 * how early it could have ended on each other worker, from the times of the run. Times are microseconds from its start.
 *
 * <p>Confined to one call.
 */
final class ReplayReasons {
    private static final double NANOS_PER_MICRO = 1e3;

    private final Replay.Run run;
    private final GraphSnapshot graph;
    private final Map<String, TaskSpec> specs = new HashMap<>();
    private final Map<String, TaskResult> results = new HashMap<>();

    ReplayReasons(TaskProgram program, Replay.Run run) {
        this.run = run;
        this.graph = run.picture("", program);
        program.allTasks().forEach(task -> specs.put(task.name(), task));
        run.result().allTasks().forEach(task -> results.put(task.name(), task));
    }

    /** Returns the sentences on a task of the program. */
    List<String> of(String name) {
        TaskResult its = result(name);
        Execution ran = its.execution();
        if (ran == null) {
            return List.of("task \"" + name + "\" did not run: " + cancelledBecause(name));
        }
        List<String> reasons = new ArrayList<>();
        reasons.add("task \"" + name + "\" ran on " + ran.worker() + " from " + text(ran.start()) + " to "
                + text(ran.end()) + " µs, under policy \"" + run.result().policy() + '"');
        long ready = addReady(name, ran, reasons);
        addWorker(name, ran, ready, reasons);
        if (specs(name).flags().contains(TaskFlag.MAIN)) {
            reasons.add("only the main thread may run it");
            return reasons;
        }
        chosen(name)
                .ifPresent(choice -> choice.estimates()
                        .forEach(estimate -> reasons.add("the policy expected, once it was ready, on " + estimate)));
        for (int worker = 0; worker < run.result().workers(); worker++) {
            String other = worker == 0 ? Execution.MAIN : "w" + worker;
            if (!other.equals(ran.worker())) {
                reasons.add(elsewhere(other, name, ran, ready));
            }
        }
        return reasons;
    }

    private TaskResult result(String name) {
        return Objects.requireNonNull(results.get(name));
    }

    private TaskSpec specs(String name) {
        return Objects.requireNonNull(specs.get(name));
    }

    private String cancelledBecause(String name) {
        for (Edge edge : edgesTo(name)) {
            String earlier = graph.task(edge.earlier()).name();
            if (result(earlier).state() != ReplayResult.EndState.DONE) {
                return "it needs \"" + earlier + "\", which is "
                        + result(earlier).state().text();
            }
        }
        return parentOf(name)
                .map(parent -> "it is inside \"" + parent + "\", which is "
                        + result(parent).state().text())
                .orElse("the run was stopped");
    }

    private List<Edge> edgesTo(String name) {
        return graph.edges().stream()
                .filter(edge -> graph.task(edge.later()).name().equals(name))
                .toList();
    }

    private Optional<String> parentOf(String name) {
        return graph.tasks().stream()
                .filter(task -> task.name().equals(name) && task.parent() != GraphSnapshot.Task.NONE)
                .map(task -> graph.task(task.parent()).name())
                .findFirst();
    }

    /** Adds the reason why the task was not ready before. Returns the time when it was ready. */
    private long addReady(String name, Execution ran, List<String> reasons) {
        Edge last = null;
        long ready = 0;
        for (Edge edge : edgesTo(name)) {
            Execution earlier = result(graph.task(edge.earlier()).name()).execution();
            long end = earlier == null ? 0 : Math.min(earlier.end(), ran.start()); // it may have let go before its end
            if (earlier != null && (last == null || end > ready)) {
                last = edge;
                ready = end;
            }
        }
        if (last != null) {
            String earlier = graph.task(last.earlier()).name();
            Execution its = Objects.requireNonNull(result(earlier).execution());
            boolean early = its.end() > ran.start();
            reasons.add((early ? "it was ready before " : "it was ready at ") + text(ready) + ", when \"" + earlier
                    + (early ? "\" had given up an access on " : "\" ended on ") + its.worker() + because(last));
            return ready;
        }
        Optional<String> parent = parentOf(name);
        long begun = parent.map(this::result)
                .map(TaskResult::execution)
                .map(Execution::start)
                .orElse(0L);
        reasons.add(
                parent.map(its -> "it waits for no task; \"" + its + "\", which it is inside, began at " + text(begun))
                        .orElse("it waits for no task"));
        return begun;
    }

    private static String because(Edge edge) {
        return switch (edge.kind()) {
            case IMPLICIT -> ": both access \"" + edge.label() + '"';
            case EXPLICIT -> ": the program names it in \"after\"";
            case TAG, BARRIER -> ": one of them is a barrier";
            case POLICY -> ": the policy has added that";
        };
    }

    private void addWorker(String name, Execution ran, long ready, List<String> reasons) {
        TaskResult before = previous(ran.worker(), ran.start(), name);
        String its = before == null
                ? ran.worker() + " ran no task before"
                : ran.worker() + " ran \"" + before.name() + "\" until " + text(free(before));
        long free = before == null ? 0 : free(before);
        reasons.add("it began " + text(Math.max(0, ran.start() - Math.max(ready, free))) + " µs after it was ready and "
                + ran.worker() + " was free; " + its);
    }

    /** Returns the time when the body of a task ended; the worker is free then, although sub-tasks go on. */
    private long free(TaskResult task) {
        Execution ran = Objects.requireNonNull(task.execution());
        long body = ran.start() + (long) (specs(task.name()).micros() * NANOS_PER_MICRO);
        return task.tasks().isEmpty() ? ran.end() : Math.min(ran.end(), body);
    }

    /** Returns the task of a worker that began last, up to that time, but for {@code task}; null for none. */
    private @Nullable TaskResult previous(String worker, long start, String task) {
        TaskResult last = null;
        for (TaskResult other : results.values()) {
            Execution ran = other.execution();
            boolean counts = ran != null
                    && ran.worker().equals(worker)
                    && ran.start() <= start
                    && !other.name().equals(task);
            last = counts && (last == null || free(other) > free(last)) ? other : last;
        }
        return last;
    }

    private String elsewhere(String worker, String name, Execution ran, long ready) {
        TaskResult before = previous(worker, ran.start(), name);
        long free = before == null ? 0 : free(before);
        long nanos = free(result(name)) - ran.start();
        return worker + ": free at " + text(free) + (before == null ? "" : ", after \"" + before.name() + '"')
                + ", over at " + text(Math.max(free, ready) + nanos);
    }

    /** Returns the policy's last choice for the task, if it explains its choices and remembers this one. */
    private Optional<Explanation> chosen(String name) {
        return run.placements().reversed().stream()
                .filter(choice -> choice.task().equals(name))
                .findFirst();
    }

    private static String text(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO);
    }
}
