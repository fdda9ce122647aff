package dev.jacquard.insight.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A graph of tasks as it stood at one moment: tasks in submission order, and their edges with the reasons. All graphs,
 * live, compiled, from a file or simulated, hand snapshots to analysis and drawing.
 *
 * <p>Edges run from earlier to later submitted tasks, so there is no cycle among tasks of one level. Sub-tasks of a
 * refined task name it as their parent: it is over when they are.
 *
 * <p>Threads: immutable. Source: the resource-register document, section 3.
 */
public final class GraphSnapshot {
    /** The reason why a task waits for another. */
    public enum Kind {
        /** Their accesses to a resource conflict; the edge's label is the resource's name. */
        IMPLICIT,
        /** The program said so. */
        EXPLICIT,
        /** The program ordered a group after a group; the edge's label is the earlier group's tag. */
        TAG,
        /** One of them is a barrier. */
        BARRIER,
        /** A scheduling policy added it: part of the scheduling graph alone. */
        POLICY
    }

    /**
     * One task.
     *
     * @param id its number in submission order, not negative; numbers may have gaps
     * @param name as the program named it; need not be unique
     * @param state the name of its state, such as "READY"; empty when tasks have none
     * @param weightNanos the time that its own body took or is expected to take, without its sub-tasks;
     *     {@link #UNKNOWN} or not negative
     * @param parent the id of the refined task that it is a sub-task of, or {@link #NONE}
     * @param priority higher is more urgent
     * @param flags the names of its flags
     * @param worker the worker that ran, runs, or is to run it, or {@link #NONE}
     * @param accesses its accesses as text, such as "READ a, UPDATE b"; may be empty
     */
    public record Task(
            long id,
            String name,
            String state,
            long weightNanos,
            long parent,
            int priority,
            List<String> flags,
            int worker,
            String accesses) {
        /** An unknown weight. */
        public static final long UNKNOWN = -1;
        /** No parent; no worker. */
        public static final int NONE = -1;

        /**
         * A task.
         *
         * @throws IllegalArgumentException when a number is out of its range
         */
        public Task {
            if (id < 0) {
                throw new IllegalArgumentException("task \"" + name + "\" has the negative id " + id);
            }
            if (weightNanos < UNKNOWN) {
                throw new IllegalArgumentException("task " + id + " \"" + name + "\" has the negative weight "
                        + weightNanos + " ns; Task.UNKNOWN (-1) says that it is not known");
            }
            if (parent < NONE || parent >= id) {
                throw new IllegalArgumentException("task " + id + " \"" + name + "\" names task " + parent
                        + " as its parent; a parent is submitted earlier, and Task.NONE (-1) says that there is none");
            }
            flags = List.copyOf(flags);
        }

        /** A task of which nothing is known but its place and name. */
        public static Task of(long id, String name) {
            return new Task(id, name, "", UNKNOWN, NONE, 0, List.of(), NONE, "");
        }

        /** This task in a state. */
        public Task withState(String newState) {
            return new Task(id, name, newState, weightNanos, parent, priority, flags, worker, accesses);
        }

        /** This task with the time of its body. */
        public Task withWeight(long nanos) {
            return new Task(id, name, state, nanos, parent, priority, flags, worker, accesses);
        }

        /** This task as a sub-task. */
        public Task withParent(long parentId) {
            return new Task(id, name, state, weightNanos, parentId, priority, flags, worker, accesses);
        }

        /** This task with a priority. */
        public Task withPriority(int newPriority) {
            return new Task(id, name, state, weightNanos, parent, newPriority, flags, worker, accesses);
        }

        /** This task with flags. */
        public Task withFlags(List<String> newFlags) {
            return new Task(id, name, state, weightNanos, parent, priority, newFlags, worker, accesses);
        }

        /** This task with its worker. */
        public Task withWorker(int newWorker) {
            return new Task(id, name, state, weightNanos, parent, priority, flags, newWorker, accesses);
        }

        /** This task with the text of its accesses. */
        public Task withAccesses(String text) {
            return new Task(id, name, state, weightNanos, parent, priority, flags, worker, text);
        }

        /** Returns true if {@link #weightNanos} is known. */
        public boolean hasWeight() {
            return weightNanos != UNKNOWN;
        }

        /** Returns true if this is a sub-task. */
        public boolean hasParent() {
            return parent != NONE;
        }
    }

    /**
     * A task that waits for another.
     *
     * @param earlier the id of the task that is waited for
     * @param later the id of the task that waits
     * @param kind why it waits
     * @param label the resource of an implicit edge, the tag of a group, or empty
     */
    public record Edge(long earlier, long later, Kind kind, String label) {
        /** An edge with a known reason. */
        public Edge {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(label, "label");
        }
    }

    private final String name;
    private final List<Task> tasks;
    private final List<Edge> edges;
    /** Of the tasks, ascending; shared with snapshots of the same tasks, never written. */
    private final long[] ids;

    private GraphSnapshot(String name, List<Task> tasks, List<Edge> edges, long[] ids) {
        this.name = name;
        this.tasks = tasks;
        this.edges = edges;
        this.ids = ids;
    }

    /** A builder of a snapshot of the graph {@code name}. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** The graph's name. */
    public String name() {
        return name;
    }

    /** The tasks, by ascending id. */
    public List<Task> tasks() {
        return tasks;
    }

    /** The edges, in the order in which they were added; two tasks may be joined by several. */
    public List<Edge> edges() {
        return edges;
    }

    /**
     * The task with an id.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Task task(long id) {
        return tasks.get(indexOf(id));
    }

    /**
     * Where in {@link #tasks()} the task with an id is: constant time when ids have no gaps, else logarithmic.
     *
     * @throws IllegalArgumentException when there is none
     */
    public int indexOf(long id) {
        int index = search(ids, id);
        if (index < 0) {
            throw new IllegalArgumentException("graph \"" + name + "\" has no task with id " + id);
        }
        return index;
    }

    /** The graph without the edges that a policy added: the demands of the program. */
    public GraphSnapshot dependencyGraph() {
        List<Edge> demanded =
                edges.stream().filter(edge -> edge.kind() != Kind.POLICY).toList();
        return demanded.size() == edges.size() ? this : new GraphSnapshot(name, tasks, demanded, ids);
    }

    /** The graph with all edges, which the workers obey. */
    public GraphSnapshot schedulingGraph() {
        return this;
    }

    @Override
    public String toString() {
        return "graph \"" + name + "\": " + tasks.size() + " tasks, " + edges.size() + " edges";
    }

    /** The index of {@code id} in {@code ids}, or a negative number. */
    private static int search(long[] ids, long id) {
        if (ids.length > 0 && id >= ids[0] && id - ids[0] < ids.length && ids[(int) (id - ids[0])] == id) {
            return (int) (id - ids[0]);
        }
        return Arrays.binarySearch(ids, id);
    }

    /** Collects a snapshot. Threads: confined. */
    public static final class Builder {
        private final String name;
        private final List<Task> tasks = new ArrayList<>();
        private final List<Edge> edges = new ArrayList<>();

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        /**
         * Adds a task.
         *
         * @throws IllegalArgumentException when its id is not above that of the task before it
         */
        public Builder task(Task task) {
            if (!tasks.isEmpty() && tasks.getLast().id() >= task.id()) {
                throw new IllegalArgumentException(
                        "task " + task.id() + " \"" + task.name() + "\" was added after task "
                                + tasks.getLast().id() + "; add tasks in submission order, that of their ids");
            }
            tasks.add(task);
            return this;
        }

        /** Adds a task of which nothing is known but its place and name. */
        public Builder task(long id, String taskName) {
            return task(Task.of(id, taskName));
        }

        /** Adds an edge without a label. See {@link #edge(long, long, Kind, String)}. */
        public Builder edge(long earlier, long later, Kind kind) {
            return edge(earlier, later, kind, "");
        }

        /**
         * Adds an edge; its tasks may be added later.
         *
         * @throws IllegalArgumentException when {@code earlier} is not below {@code later}
         */
        public Builder edge(long earlier, long later, Kind kind, String label) {
            if (earlier >= later) {
                throw new IllegalArgumentException("the " + kind + " edge from task " + earlier + " to task " + later
                        + " does not run forward; a task waits for tasks that were submitted before it");
            }
            edges.add(new Edge(earlier, later, kind, label));
            return this;
        }

        /**
         * The snapshot.
         *
         * @throws IllegalArgumentException when an edge or a parent names a task that was not added, or an edge joins a
         *     task and one that it is part of
         */
        public GraphSnapshot build() {
            long[] ids = tasks.stream().mapToLong(Task::id).toArray();
            for (Task task : tasks) {
                if (task.hasParent() && search(ids, task.parent()) < 0) {
                    throw new IllegalArgumentException("task " + task.id() + " \"" + task.name() + "\" names task "
                            + task.parent() + " as its parent, which is not in graph \"" + name + "\"");
                }
            }
            edges.forEach(edge -> check(edge, ids));
            return new GraphSnapshot(name, List.copyOf(tasks), List.copyOf(edges), ids);
        }

        private void check(Edge edge, long[] ids) {
            int later = search(ids, edge.later());
            if (later < 0 || search(ids, edge.earlier()) < 0) {
                throw new IllegalArgumentException("the " + edge.kind() + " edge from task " + edge.earlier()
                        + " to task " + edge.later() + " names a task that is not in graph \"" + name + "\"");
            }
            Task inner = tasks.get(later);
            while (inner.parent() > edge.earlier()) { // parents have lower ids than their sub-tasks
                inner = tasks.get(search(ids, inner.parent()));
            }
            if (inner.parent() == edge.earlier()) {
                throw new IllegalArgumentException("the " + edge.kind() + " edge from task " + edge.earlier()
                        + " to task " + edge.later() + " would never let go: task " + edge.earlier()
                        + " is over when its sub-tasks are, and this is one of them");
            }
        }
    }
}
