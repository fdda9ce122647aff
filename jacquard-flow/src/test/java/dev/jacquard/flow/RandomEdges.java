package dev.jacquard.flow;

import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.task.WaitingItems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Parts of a random graph with edges that pass on some of the items, or in another order. */
final class RandomEdges {
    /** The results of a part for a number, by their type. */
    sealed interface Parity {
        long value();
    }

    record Even(long value) implements Parity {}

    record Odd(long value) implements Parity {}

    /** Keeps all items, the newest first. */
    static final class NewestFirst implements WaitingItems<Item> {
        private final Deque<Item> waiting = new ArrayDeque<>();

        @Override
        public void add(Item item, Consumer<? super Item> dropped) {
            waiting.push(item);
        }

        @Override
        public Item next(Consumer<? super Item> dropped) {
            return waiting.pop();
        }
    }

    private final RandomBodies bodies;
    private final FlowBuilder<Item, Item> g;
    private final int part;
    private final int copies;

    RandomEdges(RandomBodies bodies, FlowBuilder<Item, Item> g, int part, int copies) {
        this.bodies = bodies;
        this.g = g;
        this.part = part;
        this.copies = copies;
    }

    /** Makes numbers, which go to the last task: even ones along a converting edge, odd ones by way of another task. */
    FlowTask<Item, Parity> byType() {
        return g.task("split " + part, copies, () -> (item, out) -> {
            bodies.burn();
            for (long image : RandomBodies.images(part, item.value())) {
                out.emit(image % 2 == 0 ? new Even(image) : new Odd(image));
            }
            bodies.requireUsable(part, item.value());
        });
    }

    /**
     * Joins {@link #byType} with the last task, which it returns.
     *
     * @param bound of the two edges by type; 0 for none
     * @param beside whether a plain edge leads from the first task to another one, too
     */
    FlowTask<Item, Item> last(FlowTask<Item, Parity> split, int bound, boolean beside) {
        FlowTask<Odd, Item> odd = g.task("odd " + part, copies, () -> (item, out) -> {
            bodies.burn();
            out.emit(Item.of(item.value()));
        });
        FlowTask<Item, Item> last = g.task("last " + part, copies, () -> (item, out) -> out.emit(item));
        join(split.only(Even.class).as(even -> Item.of(even.value())), last, bound);
        join(split.only(Odd.class), odd, bound);
        odd.to(last);
        if (beside) {
            FlowTask<Parity, Item> all = g.task("beside " + part, copies, () -> (item, out) -> bodies.burn());
            split.to(all);
            all.endsHere();
        }
        return last;
    }

    private static <T> void join(FlowSource<T> from, FlowTask<T, ?> to, int bound) {
        if (bound > 0) {
            from.to(to, bound);
        } else {
            from.to(to);
        }
    }
}
