package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker.Dependents;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted to be frozen instead of run. Their edges are inferred from their accesses, as in a live
 * graph.
 *
 * <p>For compiled graphs, which are made of a recording. Threads: confined to one.
 */
public final class Recording implements Tasks {
    private final Recorded recorded;

    /**
     * Creates an empty recording.
     *
     * @param name for messages
     * @param domain the domain of the session that owns the resources of the tasks
     */
    public Recording(String name, DependencyDomain domain) {
        recorded = new Recorded(new TaskGraph(name, domain, FailurePolicy.CONTINUE));
    }

    /**
     * A recorded task.
     *
     * @param name the name of the task
     * @param body the work of the task, in every run
     * @param accesses the accesses that the task declares
     * @param place the place where the task runs
     * @param staged true if the data that the task accesses is to be brought to that place
     * @param device the work of its device; null when the task runs on the host
     * @param recipe how to do that work again; null when that is unknown
     * @param asked its priority, flags, worker and kernel, as policies ask for them; null when it has none of these
     * @param flags the names of its flags
     */
    public record Entry(
            String name,
            TaskBody body,
            AccessList accesses,
            Place place,
            boolean staged,
            KernelCall.@Nullable OnDevice device,
            @Nullable Recomputation recipe,
            @Nullable ReadyTask asked,
            List<String> flags) {}

    /** A visitor of the edges of a recording. */
    @FunctionalInterface
    public interface EdgeVisitor {
        /**
         * Visits an edge: task number {@code later} waits for task number {@code earlier}.
         *
         * @param label the resource or the tag that both access; empty for other edges
         */
        void edge(int earlier, int later, boolean carriesFailure, Kind kind, String label);
    }

    @Override
    public TaskBuilder task(String task) {
        return new TaskBuilder(recorded, task);
    }

    /** Returns the tasks so far, in order; the number of a task is its index. */
    public List<Entry> entries() {
        return Collections.unmodifiableList(recorded.entries);
    }

    /** Returns the number of tasks so far. */
    public int size() {
        return recorded.entries.size();
    }

    /** Shows all edges to {@code visitor}. */
    public void edges(EdgeVisitor visitor) {
        for (int i = 0; i < recorded.edgeCount; i++) {
            int later = recorded.edges[2 * i + 1];
            visitor.edge(recorded.edges[2 * i], later >> 1, (later & 1) != 0, recorded.kinds[i], recorded.labels[i]);
        }
    }

    /**
     * Records the tasks that {@code tasks} submits, and infers edges as if they had the accesses to which {@code as}
     * maps their declared ones.
     */
    public void as(UnaryOperator<Access> as, Runnable tasks) {
        UnaryOperator<Access> before = recorded.as;
        recorded.as = as;
        try {
            tasks.run();
        } finally {
            recorded.as = before;
        }
    }

    /** Closes the recording: nothing can be submitted any more. */
    public void close() {
        recorded.closed = true;
    }

    /** The tasks and edges so far. */
    static final class Recorded implements Submission, Dependents<Tracked> {
        /** The scope of the graph that the tasks are said to be of, and to which none is submitted. */
        private final Scope scope;

        private final LocalTrackers trackers = new LocalTrackers();
        /** Null where there is no data but the host's. */
        private final @Nullable RecordedWork work;

        private final List<Entry> entries = new ArrayList<>();
        private final IdentityHashMap<TaskNode, Integer> numbers = new IdentityHashMap<>();
        /**
         * The edges, two numbers each: the earlier task, and the later task with the bit that says if the edge carries
         * failure.
         */
        private int[] edges = new int[64];

        private int edgeCount;
        /** The reasons of the edges, in the same order: a kind, and the name of the resource or tag, or nothing. */
        private Kind[] kinds = new Kind[32];

        private String[] labels = new String[32];
        /** The reason of the edges that are added now. */
        private Kind kind = Kind.EXPLICIT;

        private String label = "";
        /** The last synchronizing task. All tasks submitted before it come before all tasks submitted after it. */
        private @Nullable TaskNode barrier;

        /** Maps an access that a task declares to the one that edges are inferred from. */
        private UnaryOperator<Access> as = UnaryOperator.identity();

        private boolean closed;

        Recorded(TaskGraph graph) {
            scope = graph.scope();
            Staging staging = scope.domain.stagingOrNull();
            work = staging == null || !staging.plans() ? null : new RecordedWork(scope.domain.dispatcher, staging);
        }

        @Override
        public Scope scope() {
            return scope;
        }

        @Override
        public boolean runs() {
            return false;
        }

        @Override
        public @Nullable RecordedWork recordedWork() {
            return work;
        }

        @Override
        public boolean mayComeAfter(TaskNode earlier) {
            return numbers.containsKey(earlier);
        }

        @Override
        public void submit(TaskNode task, boolean special) {
            TaskRun run = task.ownTaskRun();
            run.recorded = true;
            requireFit(task, run);
            if (special) {
                Accesses.probe(task, trackers::of);
            }
            int number = entries.size();
            numbers.put(task, number);
            AccessList declared = task.declared();
            entries.add(entry(task, run, declared));
            if (work != null) {
                work.add(task.name(), run.options.kernel, declared, task.place());
            }
            because(Kind.EXPLICIT, "");
            for (TaskNode earlier : run.after) {
                link(earlier, task, true);
            }
            run.after = List.of();
            because(Kind.BARRIER, "");
            if (barrier != null) {
                link(barrier, task, false);
            }
            if (run.options.synchronizing) {
                int first = barrier == null ? 0 : number(barrier) + 1;
                for (int before = first; before < number; before++) {
                    addEdge(before, number, false);
                }
                barrier = task;
            }
            AccessList inOrder = run.options.readsFirst ? declared.readsFirst() : declared;
            for (int i = 0; i < inOrder.size(); i++) {
                Resource resource = inOrder.resource(i);
                Access access = inOrder.access(i);
                boolean isTag = access instanceof TagAccess;
                because(isTag ? Kind.TAG : Kind.IMPLICIT, resource.name());
                trackers.of(resource).submit(task, isTag ? access : as.apply(access), this);
            }
        }

        private static Entry entry(TaskNode task, TaskRun run, AccessList declared) {
            TargetSelection route = run.tries.route();
            TaskOptions options = run.options;
            return new Entry(
                    task.name(),
                    task.body(),
                    declared,
                    task.place(),
                    options.staged,
                    route == null ? null : route.onDevice(),
                    route == null ? null : route.recomputation(),
                    asksNothing(options)
                            ? null
                            : new KernelTask(
                                    task.name(),
                                    options.kernel,
                                    options.priority,
                                    options.flags,
                                    options.affinity,
                                    declared),
                    options.flags.isEmpty()
                            ? List.of()
                            : options.flags.stream().map(Flag::name).sorted().toList());
        }

        private static boolean asksNothing(TaskOptions options) {
            return options.priority == 0 && options.affinity < 0 && options.flags.isEmpty() && options.kernel.isEmpty();
        }

        private void because(Kind its, String name) {
            kind = its;
            label = name;
        }

        private void requireFit(TaskNode task, TaskRun run) {
            if (closed) {
                throw new IllegalStateException(
                        "task \"" + task.name() + "\" was submitted to the recording of \"" + scope.graph.name()
                                + "\" after the recording had ended: submit all its tasks inside record(...)");
            }
            String what = unfit(run.options, run.tries.route() != null);
            if (what != null) {
                throw new UnsupportedOperationException("task \"" + task.name() + "\" " + what
                        + ", which compiled graphs cannot do: submit it to a live graph");
            }
        }

        /** Returns the property of a task that cannot be frozen; null when there is none. */
        private static @Nullable String unfit(TaskOptions options, boolean onDevice) {
            if (options.unordered) {
                return "accesses an unordered resource";
            }
            if (options.place != Place.HOST && !onDevice && !options.brings) {
                return "is for the main thread or a target";
            }
            if (options.adjustable) {
                return "is adjustable";
            }
            if (!options.awaitedTags.isEmpty()) {
                return "waits for members of a tag that may still come";
            }
            if (options.retries > 0) {
                return "is to be retried";
            }
            if (options.asynchronous && !onDevice) {
                return "is asynchronous"; // a function on a driver is interruptible, too
            }
            if (options.abandons) {
                return "is abandonable";
            }
            return options.timeLimitNanos > 0 || options.interruptible ? "has a time limit or is interruptible" : null;
        }

        private int number(Tracked task) {
            return Objects.requireNonNull(numbers.get(task));
        }

        @Override
        public void link(Tracked earlier, Tracked later, boolean carriesFailure) {
            addEdge(number(earlier), number(later), carriesFailure);
        }

        @Override
        public boolean isForgotten(Tracked earlier, boolean wrote) {
            return false;
        }

        private void addEdge(int earlier, int later, boolean carriesFailure) {
            if (2 * edgeCount == edges.length) {
                edges = Arrays.copyOf(edges, 2 * edges.length);
                kinds = Arrays.copyOf(kinds, 2 * kinds.length);
                labels = Arrays.copyOf(labels, 2 * labels.length);
            }
            kinds[edgeCount] = kind;
            labels[edgeCount] = label;
            edges[2 * edgeCount] = earlier;
            edges[2 * edgeCount++ + 1] = later << 1 | (carriesFailure ? 1 : 0);
        }
    }
}
