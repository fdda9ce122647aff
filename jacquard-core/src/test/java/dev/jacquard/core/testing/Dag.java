package dev.jacquard.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random graph without cycles: predecessors by task.
 *
 * @param predecessors per task, ascending
 */
public record Dag(List<List<Integer>> predecessors) {
    /** Draws one of several shapes, so that wide and narrow, many roots and many sinks all occur. */
    public static Dag draw(long seed) {
        Random random = new Random(seed);
        int tasks = 1 + random.nextInt(random.nextInt(10) == 0 ? 600 : 60);
        int shape = random.nextInt(5);
        Dag dag = new Dag(new ArrayList<>());
        for (int task = 0; task < tasks; task++) {
            dag.predecessors.add(drawn(random, shape, task, tasks));
        }
        return dag;
    }

    private static List<Integer> drawn(Random random, int shape, int task, int tasks) {
        List<Integer> earlier = new ArrayList<>();
        if (task > 0) {
            switch (shape) {
                case 0 -> add(earlier, task - 1, random.nextInt(10) > 0); // chains
                case 1 -> add(earlier, random.nextInt(task), random.nextInt(20) > 0); // trees
                case 2 -> addAll(earlier, 0, task, task == tasks - 1); // many into one
                case 3 -> add(earlier, 0, true); // one into many
                default -> {
                    for (int back = random.nextInt(1 + Math.min(task, 6)); back > 0; back--) {
                        int from = random.nextInt(task);
                        add(earlier, from, !earlier.contains(from));
                    }
                }
            }
        }
        earlier.sort(null);
        return earlier;
    }

    private static void add(List<Integer> list, int task, boolean wanted) {
        if (wanted) {
            list.add(task);
        }
    }

    private static void addAll(List<Integer> list, int from, int to, boolean wanted) {
        for (int task = from; wanted && task < to; task++) {
            list.add(task);
        }
    }

    /** How many tasks. */
    public int size() {
        return predecessors.size();
    }
}
