package dev.jacquard.apps.walks;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import java.util.List;
import java.util.SplittableRandom;

/** The component {@code random-walks}: where walks of equal steps to the left or right end, by tasks. */
public final class RandomWalks implements Component {
    /** Walks of a task: some 100 microseconds. */
    private static final int BLOCK = 1024;

    private static final Setting<Integer> WALKS =
            Setting.required("walks", Setting.Type.integer(1, 100_000_000), "the number of walks");
    private static final Setting<Integer> STEPS =
            Setting.required("steps", Setting.Type.integer(1, 1_000_000), "the steps of a walk, to the left or right");
    private static final Setting<Integer> SEED =
            Setting.optional("seed", Setting.Type.integer(0, Integer.MAX_VALUE), "1", "the same seed, the same walks");
    private static final Source<double[]> VALUES = Source.of(
            "values",
            SocketType.of(double[].class),
            "By walk: where it ended, divided by the square root of the number of steps.");

    /** Made by the service loader. */
    public RandomWalks() {}

    @Override
    public String name() {
        return "random-walks";
    }

    @Override
    public String description() {
        return "reports where random walks end; by tasks on all workers";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(WALKS, STEPS, SEED);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(VALUES);
    }

    @Override
    public Instance open(ComponentContext context) {
        int walks = context.settings().get(WALKS);
        int steps = context.settings().get(STEPS);
        int seed = context.settings().get(SEED);
        Session session = context.session();
        TaskGraph graph = session.graph(context.name(), FailurePolicy.STOP);
        context.cancellation().onCancel(graph::cancel);
        Output<double[]> values = context.output(VALUES);
        return () -> {
            Handle<double[]> ends = session.wrap("ends", new double[walks]);
            for (int first = 0; first < walks; first += BLOCK) {
                int begin = first;
                int last = Math.min(walks, first + BLOCK) - 1;
                graph.task("walks " + begin)
                        .accesses(ends, Access.update(Area.of(begin, last)))
                        .run(ctx -> walk(ctx.get(ends), begin, last, steps, seed));
            }
            values.set(graph.task("ends").reads(ends).call(ctx -> ctx.get(ends)).join());
            return true;
        };
    }

    /** Each block has its own numbers, whichever worker draws them. */
    private static void walk(double[] ends, int first, int last, int steps, int seed) {
        SplittableRandom random = new SplittableRandom(((long) seed << 32) + first);
        double scale = 1 / StrictMath.sqrt(steps);
        for (int walk = first; walk <= last; walk++) {
            int right = 0;
            int left = steps;
            for (; left >= Long.SIZE; left -= Long.SIZE) {
                right += Long.bitCount(random.nextLong());
            }
            if (left > 0) {
                right += Long.bitCount(random.nextLong() >>> (Long.SIZE - left));
            }
            ends[walk] = (2L * right - steps) * scale;
        }
    }
}
