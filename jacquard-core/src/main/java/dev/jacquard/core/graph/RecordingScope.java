package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.depend.Dependents;
import dev.jacquard.core.depend.Exclusions;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The scope of recorded tasks, none of which ever runs. Confined to the thread that records. */
final class RecordingScope extends Scope {
    private final LocalTrackers trackers = new LocalTrackers();
    private final List<Recording.Entry> entries = new ArrayList<>();
    private final IdentityHashMap<TaskNode, Integer> numbers = new IdentityHashMap<>();
    private final Exclusions<TaskNode, Outcome> exclusions = new Exclusions<>();
    /**
     * The edges, two numbers each: the earlier task, and the later task with the bit that says if the edge carries
     * failure.
     */
    private int[] edges = new int[64];

    private int edgeCount;
    /** The last synchronizing task. All tasks before it come before all tasks behind it. */
    private @Nullable TaskNode barrier;

    private boolean closed;

    private final Dependents<TaskNode> links = new Dependents<>() {
        @Override
        public void link(TaskNode earlier, TaskNode later, boolean carriesFailure) {
            addEdge(earlier, later, carriesFailure);
        }

        @Override
        public boolean isForgotten(TaskNode earlier, boolean wrote) {
            return false;
        }
    };

    RecordingScope(TaskGraph graph, DependencyDomain domain) {
        super(graph, domain, new SpinLock());
    }

    @Override
    void submit(TaskNode task, boolean special) {
        requireOpen(task);
        if (special) {
            probe(task);
        }
        int number = entries.size();
        numbers.put(task, number);
        Extras extras = task.extras();
        KernelCall.OnDevice device = extras == null || extras.route == null ? null : extras.route.onDevice();
        entries.add(new Recording.Entry(
                task.name(), task.body(), task.declared(), task.place(), extras != null && extras.staged, device));
        if (extras != null) {
            extras.after.forEach(earlier -> addEdge(earlier, task, true));
            extras.after = List.of();
        }
        if (barrier != null) {
            addEdge(barrier, task, false);
        }
        if (extras != null && extras.synchronizing) {
            int first = barrier == null ? 0 : Objects.requireNonNull(numbers.get(barrier)) + 1;
            for (int before = first; before < number; before++) {
                addEdge(before, number, false);
            }
            barrier = task;
        }
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Resource resource = declared.resource(i);
            Access access = declared.access(i);
            tracker(resource).submit(task, access, links);
        }
    }

    @Override
    void requireOpen(TaskNode task) {
        if (closed) {
            throw new IllegalStateException("task \"" + task.name() + "\" was submitted to the recording of \""
                    + graph.name() + "\" after that was over");
        }
        Extras extras = task.extras();
        String what = extras == null ? null : unfit(extras);
        if (what != null) {
            throw new UnsupportedOperationException("task \"" + task.name() + "\" " + what
                    + ", which compiled graphs cannot do: submit it to a live graph");
        }
    }

    /** Returns the property of a task that cannot be frozen; null when there is none. */
    private static @Nullable String unfit(Extras extras) {
        if (extras.unordered) {
            return "accesses an unordered resource";
        }
        if (extras.place != Place.HOST && extras.route == null) {
            return "is for the main thread or a target";
        }
        if (extras.adjustable) {
            return "is adjustable";
        }
        if (!extras.awaitedTags.isEmpty()) {
            return "waits for members of a tag that may still come";
        }
        if (extras.retry != null) {
            return "is to be retried";
        }
        if (extras.timeLimitNanos > 0 || extras.interruptible) {
            return "has a time limit or is interruptible";
        }
        return extras.asynchronous && extras.route == null ? "is asynchronous" : null;
    }

    private void addEdge(TaskNode earlier, TaskNode later, boolean carriesFailure) {
        addEdge(
                Objects.requireNonNull(numbers.get(earlier)),
                Objects.requireNonNull(numbers.get(later)),
                carriesFailure);
    }

    private void addEdge(int earlier, int later, boolean carriesFailure) {
        if (2 * edgeCount == edges.length) {
            edges = Arrays.copyOf(edges, 2 * edges.length);
        }
        edges[2 * edgeCount] = earlier;
        edges[2 * edgeCount++ + 1] = later << 1 | (carriesFailure ? 1 : 0);
    }

    List<Recording.Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    void edges(Recording.EdgeVisitor visitor) {
        for (int i = 0; i < edgeCount; i++) {
            visitor.edge(edges[2 * i], edges[2 * i + 1] >> 1, (edges[2 * i + 1] & 1) != 0);
        }
    }

    void close() {
        closed = true;
    }

    @Override
    AccessTracker<TaskNode> tracker(Resource resource) {
        return trackers.of(resource);
    }

    // ---- what only tasks that run need

    @Override
    long count() {
        return submitted();
    }

    @Override
    long submitted() {
        return entries.size();
    }

    @Override
    long ended() {
        return 0;
    }

    @Override
    void end(WorkerContext worker, TaskState last) {}

    @Override
    Exclusions<TaskNode, Outcome> exclusions() {
        return exclusions;
    }

    @Override
    @Nullable
    TaskNode parent() {
        return null;
    }
}
