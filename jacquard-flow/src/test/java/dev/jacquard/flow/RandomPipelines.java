package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Distribution.Loads;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Termination;
import java.util.Random;

/** The pipelines of a random graph: their copies, how items are distributed, and copies that send to each other. */
final class RandomPipelines {
    /** The ways of distribution. */
    private enum Way {
        TURNS,
        BLOCKS,
        LEAST,
        OWN,
        EVERYWHERE
    }

    private static final int MOST_COPIES = 3;

    private final long seed;
    private final RandomBodies bodies;

    RandomPipelines(long seed, RandomBodies bodies) {
        this.seed = seed;
        this.bodies = bodies;
    }

    private Random random(int part) {
        return new Random(71 * seed + part);
    }

    private Way way(int part) {
        return Way.values()[random(part).nextInt(Way.values().length)];
    }

    /** Returns the number of copies of the pipeline of a part, which has no devices. */
    int copies(int part) {
        return way(part) == Way.EVERYWHERE ? 2 : 1 + random(part).nextInt(17 * MOST_COPIES) / 17;
    }

    /** Returns the number of copies that get each item. */
    int receivers(int part) {
        return way(part) == Way.EVERYWHERE ? copies(part) : 1;
    }

    /** Adds a pipeline of {@code inner}. */
    FlowPipeline<Item, Item> add(FlowBuilder<?, ?> g, int part, FlowGraph<Item, Item> inner) {
        return g.pipeline("pipe " + part, inner, copies(part))
                .distribute(
                        switch (way(part)) {
                            case TURNS -> Distribution.roundRobin();
                            case BLOCKS -> Distribution.blocks(3);
                            case LEAST -> Distribution.leastLoaded();
                            case OWN -> this::choose;
                            case EVERYWHERE -> Distribution.broadcast();
                        });
    }

    /** Adds a copy of {@code inner} per device, or some without devices where the session has none. */
    FlowPipeline<Item, Item> addOnDevices(FlowBuilder<?, ?> g, int part, FlowGraph<Item, Item> inner) {
        return bodies.devices == 0 || bodies.faulty
                ? g.pipeline("devices " + part, inner, 2)
                : g.pipeline("devices " + part, inner, ExecutionTarget.EMULATED).distribute(Distribution.leastLoaded());
    }

    private int choose(Item item, Loads loads) {
        bodies.burn();
        return Math.floorMod(item.value(), loads.copies());
    }

    /** Returns a graph whose items wander through its copies, and grow by 1 with each step: see {@link #steps}. */
    FlowGraph<Item, Item> wandering(int part) {
        return FlowGraph.build("wandering", g -> {
            SiblingEdge<Item> next = g.siblings("next");
            FlowTask<Item, Item> wander = g.task("wander " + part, 1 + part % 2, () -> new Wandering(next))
                    .sends(next)
                    .terminatedWhen(Termination.whenDrained());
            next.to(wander);
            g.input().to(wander).to(g.output());
        });
    }

    /** Returns the number of steps of an item with that value. */
    static long steps(long value) {
        return RandomBodies.rounds(value);
    }

    /** Sends an item on to the next copy as long as it has steps left. */
    private final class Wandering extends RandomBodies.Counted<Item> {
        private final SiblingEdge<Item> next;

        Wandering(SiblingEdge<Item> next) {
            bodies.super();
            this.next = next;
        }

        @Override
        void work(Item item, Emitter<Item> out) {
            long left = item.rounds() < 0 ? steps(item.value()) : item.rounds();
            if (left == 0) {
                out.emit(Item.of(item.value()));
            } else {
                out.send(next, (pipeline + 1) % out.copies(next), new Item(item.value() + 1, left - 1, item.buffers()));
            }
        }
    }
}
