package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the nodes of a graph and connects them, with fan-ins and blocks where very many meet. Confined to the builder.
 */
final class Assembly {
    private final RunState run;
    private final Adjacency edges;
    private final boolean alone;
    private final Sharing sharing;
    private final CompiledTask[] tasks;
    /** The entrances of all tasks, and after them that of the pass's end: the nodes that predecessors count down. */
    private final Entrance[] entrances;
    /** The schedule of the graph's own; null for none. */
    private final @Nullable OwnSchedule schedule;

    private int size;
    /** The task that was added last; null before the first. */
    private @Nullable CompiledTask last;

    Assembly(RunState run, Adjacency edges, Dispatcher dispatcher, @Nullable OwnSchedule schedule) {
        this.run = run;
        this.schedule = schedule;
        this.edges = edges;
        this.alone = run.alone;
        this.sharing = Sharing.of(dispatcher, alone);
        this.tasks = new CompiledTask[edges.tasks()];
        this.entrances = new Entrance[edges.tasks() + 1];
    }

    /** Adds task {@code number}. All tasks are added before {@link #assemble}. */
    void add(int number, KernelBody body, TaskTraits traits) {
        CompiledTask task = made(body, traits);
        if (traits.inner() != null) {
            traits.inner().bind(task);
        }
        if (traits.staged() != null) {
            traits.staged().bind(task);
        }
        if (last != null) {
            last.isBefore(task);
        }
        last = task;
        tasks[number] = task;
        size++;
    }

    private CompiledTask made(KernelBody body, TaskTraits traits) {
        if (traits.staged() != null && traits.staged().launches()) {
            return new DeviceTask(run, body, traits, traits.staged());
        }
        return body instanceof BindingBody binding
                ? new BindingTask(run, binding, traits)
                : new CompiledTask(run, body, traits);
    }

    /** Returns all tasks, by number. */
    CompiledTask[] tasks() {
        return tasks;
    }

    /** Connects all tasks; returns the node that a pass begins with. */
    Node assemble() {
        if (schedule == null) {
            return assembleByEdges();
        }
        return switch (schedule.schedule()) {
            case Scheduler.Fixed fixed -> assembleInOrder(fixed);
            case Scheduler.Dynamic dynamic -> assembleInTurns(schedule.scheduler(), dynamic);
        };
    }

    /** Connects the tasks to a chain. */
    private Node assembleInOrder(Scheduler.Fixed fixed) {
        PassEnd end = new PassEnd(run);
        CompiledNode next = end;
        for (int number : fixed.tasks().reversed()) {
            tasks[number].releases(new CompiledNode[] {next});
            next = tasks[number];
        }
        return next;
    }

    /** Puts a turn in front of each task. */
    private Node assembleInTurns(String scheduler, Scheduler.Dynamic dynamic) {
        Scheduled scheduled = new Scheduled(scheduler, dynamic, run, tasks);
        run.orderBy(scheduled, dynamic.needsTimes());
        int[] predecessors = predecessors();
        PassEnd end = new PassEnd(run);
        List<CompiledNode> roots = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Turn turn = new Turn(run, scheduled, tasks[i], alone);
            entrances[i] = new Entrance(turn, predecessors[i]);
            if (predecessors[i] == 0) {
                roots.add(turn);
            }
        }
        entrances[size] = new Entrance(end, predecessors[size]);
        for (int i = 0; i < size; i++) {
            tasks[i].releases(entrancesBehind(i));
        }
        if (roots.isEmpty()) {
            return end;
        }
        FanIn first = new FanIn(alone); // counts for nothing here, but readies all roots at once
        first.releases(roots.toArray(CompiledNode[]::new));
        return first;
    }

    /** Returns the entrances that task {@code i} counts down. */
    private CompiledNode[] entrancesBehind(int i) {
        int[] later = edges.from(i);
        return later.length == 0
                ? new CompiledNode[] {entrances[size].next()}
                : Arrays.stream(later)
                        .mapToObj(edge -> entrances[Adjacency.later(edge)].next())
                        .toArray(CompiledNode[]::new);
    }

    private Node assembleByEdges() {
        int[] predecessors = predecessors();
        PassEnd end = new PassEnd(run);
        for (int i = 0; i < size; i++) {
            entrances[i] = new Entrance(tasks[i], predecessors[i]);
        }
        entrances[size] = new Entrance(end, predecessors[size]);
        for (int i = 0; i < size; i++) {
            tasks[i].releases(successors(i, predecessors));
        }
        StepAhead.order(tasks, edges, predecessors);
        CompiledTask[] roots = new CompiledTask[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (predecessors[i] == 0) {
                roots[count++] = tasks[i];
            }
        }
        return switch (count) {
            case 0 -> end;
            case 1 -> roots[0];
            default -> Block.of(Arrays.copyOf(roots, count), sharing);
        };
    }

    /**
     * Returns the number of predecessors of each task, and last that of the pass's end, which waits for all tasks
     * without successors.
     */
    private int[] predecessors() {
        int[] counts = new int[size + 1];
        for (int i = 0; i < size; i++) {
            int[] later = edges.from(i);
            for (int edge : later) {
                counts[Adjacency.later(edge)]++;
            }
            counts[size] += later.length == 0 ? 1 : 0;
        }
        return counts;
    }

    /** Returns the nodes that task {@code i} counts down. Many tasks that wait for this task alone become one block. */
    private CompiledNode[] successors(int i, int[] predecessors) {
        int[] later = edges.from(i);
        if (later.length == 0) {
            return new CompiledNode[] {entrances[size].next()};
        }
        CompiledNode[] all = new CompiledNode[later.length];
        int own = 0;
        for (int k = 0; k < all.length; k++) {
            int to = Adjacency.later(later[k]);
            own += predecessors[to] == 1 ? 1 : 0;
            all[k] = entrances[to].next();
        }
        return own > Block.SMALL ? blocked(all, later, predecessors) : all;
    }

    /** Returns a block of the tasks that wait for one task alone, and after it the others of {@code all}. */
    private CompiledNode[] blocked(CompiledNode[] all, int[] later, int[] predecessors) {
        List<CompiledTask> own = new ArrayList<>();
        List<CompiledNode> others = new ArrayList<>();
        for (int k = 0; k < all.length; k++) {
            int to = Adjacency.later(later[k]);
            if (predecessors[to] == 1) {
                own.add(tasks[to]);
            } else {
                others.add(all[k]);
            }
        }
        others.addFirst(Block.of(own.toArray(CompiledTask[]::new), sharing));
        return others.toArray(CompiledNode[]::new);
    }

    /** The counters of a node: its own, or fan-ins in front of the node when it has very many predecessors. */
    private final class Entrance {
        private final CompiledNode node;
        /** The fan-ins in front of the node; null for none. */
        private final CompiledNode @Nullable [] doors;

        private int used;

        Entrance(CompiledNode node, int predecessors) {
            this.node = node;
            CompiledNode[] level = null;
            if (predecessors > FanIn.MOST_SHARING) {
                int fanIns = (predecessors + FanIn.WIDTH - 1) / FanIn.WIDTH;
                Entrance inside = new Entrance(node, fanIns);
                level = new CompiledNode[fanIns];
                for (int i = 0; i < fanIns; i++) {
                    FanIn fanIn = new FanIn(alone);
                    fanIn.waitFor(Math.min(FanIn.WIDTH, predecessors - i * FanIn.WIDTH));
                    fanIn.releases(new CompiledNode[] {inside.next()});
                    level[i] = fanIn;
                }
            } else {
                node.waitFor(predecessors);
            }
            doors = level;
        }

        /** Returns the counter for the next predecessor. Neighbours share a fan-in. */
        CompiledNode next() {
            return doors == null ? node : doors[used++ / FanIn.WIDTH];
        }
    }
}
