package dev.jacquard.core.compiled;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Mode;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.graph.Claim;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.Staging;
import dev.jacquard.core.graph.WorkerContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One claim for a whole run of a graph whose tasks touch data on the host alone: no task makes one of its own, so a run asks the coherence
 * once. The first node of each run.
 *
 * <p>When something that the run needs is not there, tasks make their own claims after all, so that the right one says what is missing.
 *
 * <p>Threads: by the worker that begins or ends the run, one behind the other; tasks in between read what is constant meanwhile.
 */
final class RunClaim extends Node {
    private final Staging staging;
    private final CompiledGraph graph;
    private final Object[] accesses;
    private final Node first;
    /** In a run, once it was asked for. */
    private @Nullable Claim claim;
    /** Whether the claim has all. */
    private boolean held;

    RunClaim(Staging staging, CompiledGraph graph, Object[] accesses, Node first) {
        this.staging = staging;
        this.graph = graph;
        this.accesses = accesses;
        this.first = first;
    }

    @Override
    public void run(WorkerContext context) {
        Claim its = claim;
        if (its == null) {
            its = staging.claim(graph.name(), accesses, ANYWHERE);
            claim = its;
            if (!its.begin(() -> graph.dispatcher().ready(this))) {
                return; // readied again
            }
        }
        held = its.failure() == null;
        if (!held) {
            its.release(false);
            claim = null;
        }
        context.readyAtEnd(first);
    }

    /** What tasks of the run in flight use; null when they claim what they need themselves. */
    @Nullable
    Claim held() {
        return held ? claim : null;
    }

    /** The run is over. */
    void release(boolean well) {
        Claim its = held();
        claim = null;
        held = false;
        if (its != null) {
            its.release(well);
        }
    }

    @Override
    public String name() {
        return graph.name();
    }

    /**
     * What the tasks of a graph access, per data and whole: resource and access in turn. What is overwritten whole before anything else
     * touches it need not be there.
     *
     * @param tasks the accesses of each task, in the order of their numbers
     * @param maySkip whether the task of that number may be skipped
     */
    static Object[] union(List<Object[]> tasks, List<Boolean> maySkip) {
        Map<Data, Access> all = new LinkedHashMap<>();
        for (int task = 0; task < tasks.size(); task++) {
            Object[] its = tasks.get(task);
            for (int i = 0; i < its.length; i += 2) {
                if (its[i] instanceof Data data && its[i + 1] instanceof Access access) {
                    Access now = access == Mode.OVERWRITE && !maySkip.get(task)
                            ? Mode.OVERWRITE
                            : access.writes() ? Mode.WRITE : Mode.READ;
                    all.merge(data, now, RunClaim::both);
                }
            }
        }
        return all.entrySet().stream()
                .flatMap(one -> List.of(one.getKey(), one.getValue()).stream())
                .toArray();
    }

    private static Access both(Access before, Access next) {
        return before == Mode.READ && next.writes() ? Mode.WRITE : before;
    }
}
