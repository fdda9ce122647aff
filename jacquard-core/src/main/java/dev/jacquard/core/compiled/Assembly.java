package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.TaskBody;
import java.util.Arrays;

/** Makes the nodes of a graph and connects them, with gates and blocks where very many meet. Confined to the builder. */
final class Assembly {
    private final Edges edges;
    private final Wiring wiring;
    private final CompiledTask[] tasks;
    /** In which the tasks were added. */
    private final int[] order;
    /** Per task, and the end after them: what its predecessors count down. */
    private final Entrance[] entrances;

    private int size;

    Assembly(Wiring wiring, Edges edges) {
        this.wiring = wiring;
        this.edges = edges;
        this.tasks = new CompiledTask[edges.tasks()];
        this.order = new int[edges.tasks()];
        this.entrances = new Entrance[edges.tasks() + 1];
    }

    /** Task {@code number}; all are added before {@link #assemble}, in the order in which they are to lie in memory. */
    void add(int number, TaskBody body) {
        TaskTraits traits = wiring.traits[number];
        CompiledTask task = new CompiledTask(wiring, body, traits);
        if (traits.inner() != null) {
            traits.inner().bind(task);
        }
        if (traits.staged() != null) {
            traits.staged().bind(task);
        }
        tasks[number] = task;
        order[size++] = number;
    }

    /** Connects all tasks; returns what a pass begins with. */
    Node assemble() {
        int[] predecessors = predecessors();
        for (int number : order) {
            entrances[number] = new Entrance(tasks[number], predecessors[number]);
        }
        PassEnd end = new PassEnd(wiring);
        entrances[size] = new Entrance(end, predecessors[size]);
        for (int number : order) {
            wiring.connect(tasks[number], successors(number, predecessors));
        }
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
            default -> Block.of(wiring, Arrays.copyOf(roots, count));
        };
    }

    /** How many each task waits for, and the end after them: it waits for those that nobody else waits for. */
    private int[] predecessors() {
        int[] counts = new int[size + 1];
        for (int i = 0; i < size; i++) {
            int[] later = edges.from(i);
            for (int edge : later) {
                counts[Edges.later(edge)]++;
            }
            counts[size] += later.length == 0 ? 1 : 0;
        }
        return counts;
    }

    /** What task {@code i} counts down; those that wait for it alone are a block when there are many. */
    private int[] successors(int i, int[] predecessors) {
        int[] later = edges.from(i);
        if (later.length == 0) {
            return new int[] {entrances[size].next()};
        }
        CompiledTask[] own = Arrays.stream(later)
                .map(Edges::later)
                .filter(to -> predecessors[to] == 1)
                .mapToObj(to -> tasks[to])
                .toArray(CompiledTask[]::new);
        boolean asBlock = own.length > Block.SMALL;
        int[] all = new int[later.length + 1];
        int count = 0;
        if (asBlock) {
            all[count++] = wiring.add(Block.of(wiring, own));
        }
        for (int edge : later) {
            int to = Edges.later(edge);
            if (!asBlock || predecessors[to] != 1) {
                all[count++] = entrances[to].next();
            }
        }
        return Arrays.copyOf(all, count);
    }

    /** The counters of a node, by number: its own, or gates in front of it when very many wait. */
    private final class Entrance {
        private final int[] doors;
        private int used;

        Entrance(CompiledNode node, int predecessors) {
            int number = wiring.add(node);
            if (predecessors > Gate.MOST_SHARING) {
                int gates = (predecessors + Gate.WIDTH - 1) / Gate.WIDTH;
                Entrance inside = new Entrance(node, gates);
                doors = new int[gates];
                for (int i = 0; i < gates; i++) {
                    Gate gate = new Gate(wiring);
                    gate.waitFor(Math.min(Gate.WIDTH, predecessors - i * Gate.WIDTH));
                    wiring.connect(gate, inside.next());
                    doors[i] = wiring.add(gate);
                }
            } else {
                node.waitFor(predecessors);
                doors = new int[] {number};
            }
        }

        /** For the next predecessor; neighbours share a gate. */
        int next() {
            return doors.length == 1 ? doors[0] : doors[used++ / Gate.WIDTH];
        }
    }
}
