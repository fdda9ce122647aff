package dev.jacquard.insight.analysis;

import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Graphs for tests. */
public final class Graphs {
    private Graphs() {}

    /** The worked example: five unit tasks, a longest path of four (the expressions document, figure 3.15). */
    public static GraphSnapshot workedExample() {
        return GraphSnapshot.builder("worked example")
                .task(0, "A")
                .task(1, "B")
                .task(2, "C")
                .task(3, "D")
                .task(4, "E")
                .edge(0, 1, Kind.EXPLICIT)
                .edge(0, 2, Kind.EXPLICIT)
                .edge(1, 3, Kind.EXPLICIT)
                .edge(2, 3, Kind.EXPLICIT)
                .edge(3, 4, Kind.EXPLICIT)
                .build();
    }

    /** A random graph of up to {@code most} tasks, with gaps in the ids; edges join siblings. */
    public static GraphSnapshot random(long seed, int most, boolean subTasks) {
        Random random = new Random(seed);
        GraphSnapshot.Builder builder = GraphSnapshot.builder("seed " + seed);
        List<Task> tasks = new ArrayList<>();
        int count = random.nextInt(most + 1);
        int weights = random.nextInt(3);
        long id = random.nextInt(3);
        for (int i = 0; i < count; i++, id += 1 + (random.nextInt(4) == 0 ? random.nextInt(5) : 0)) {
            Task task = Task.of(id, "t" + id);
            if (weights == 2 || (weights == 1 && random.nextBoolean())) {
                task = task.withWeight(random.nextInt(6));
            }
            if (subTasks && i > 0 && random.nextInt(3) > 0) {
                task = task.withParent(tasks.get(random.nextInt(i)).id());
            }
            tasks.add(task);
            builder.task(task);
        }
        Kind[] kinds = Kind.values();
        for (Task later : tasks) {
            for (Task earlier : tasks) {
                boolean siblings = earlier.parent() == later.parent() && earlier.id() < later.id();
                for (int twice = 0; siblings && twice < 2; twice++) {
                    if (random.nextInt(4) == 0) {
                        builder.edge(earlier.id(), later.id(), kinds[random.nextInt(kinds.length)]);
                    }
                }
            }
        }
        return builder.build();
    }

    /** Layers of {@code width} tasks, each after two or three of the layer before. */
    public static GraphSnapshot layered(int layers, int width) {
        GraphSnapshot.Builder builder = GraphSnapshot.builder(layers + " layers of " + width);
        for (int i = 0; i < layers * width; i++) {
            builder.task(Task.of(i, "step " + i / width + "." + i % width).withWeight(1_000));
        }
        for (int i = width; i < layers * width; i++) {
            for (int side = -1; side <= 1; side++) {
                int column = i % width + side;
                if (column >= 0 && column < width) {
                    builder.edge(i - width + side, i, Kind.IMPLICIT, "cell " + column);
                }
            }
        }
        return builder.build();
    }
}
