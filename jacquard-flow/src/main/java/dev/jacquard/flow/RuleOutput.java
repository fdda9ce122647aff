package dev.jacquard.flow;

import dev.jacquard.flow.memory.MemoryEdge;

/**
 * The output of a bookkeeper's rule, with the rule's rates: see {@link FlowGraph#prove}.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <B> the type of the items that the rule emits
 */
public final class RuleOutput<B> extends FlowSource<B> {
    final Rate rate;
    private final String bookkeeper;
    /** The number of the rule in its bookkeeper, from 1. */
    private final int number;

    RuleOutput(GraphParts graph, String bookkeeper, int number) {
        super(graph);
        this.bookkeeper = bookkeeper;
        this.number = number;
        this.rate = new Rate("a rule of bookkeeper \"" + bookkeeper + '"');
    }

    @Override
    public RuleOutput<B> endsHere() {
        super.endsHere();
        return this;
    }

    /**
     * Declares that the rule collects items, and emits at each {@code items}-th one. The items that it emits carry the
     * buffers of all items that it collected for them. Without this, the rule emits at each item.
     *
     * @throws IllegalArgumentException if {@code items} is not positive
     */
    public RuleOutput<B> collects(int items) {
        requireOpen();
        rate.collects(items);
        return this;
    }

    /**
     * Declares the number of items that the rule emits, each time that it emits.
     *
     * @throws IllegalArgumentException if {@code items} is negative
     */
    public RuleOutput<B> emits(int items) {
        return emits(items, items);
    }

    /**
     * Declares the least and the largest number of items that the rule emits, each time that it emits.
     *
     * @throws IllegalArgumentException if {@code least} is negative, or larger than {@code most}
     */
    public RuleOutput<B> emits(int least, int most) {
        requireOpen();
        rate.emits(least, most);
        return this;
    }

    /**
     * Declares the number of buffers that the rule releases, each time that it emits.
     *
     * @throws IllegalArgumentException if {@code buffers} is not positive
     */
    public RuleOutput<B> releases(MemoryEdge<?> edge, int buffers) {
        requireOpen();
        FlowSource.requireGiven(edge, "memory edge that bookkeeper \"" + bookkeeper + "\" releases into");
        rate.releases(edge, buffers);
        return this;
    }

    String bookkeeper() {
        return bookkeeper;
    }

    /** Returns the name of the bookkeeper, with the number of the rule unless it is the first. */
    String name() {
        return number == 1 ? bookkeeper : bookkeeper + " rule " + number;
    }
}
