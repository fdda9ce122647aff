package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.CopyCounters.Phase;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts and times of a stage: those of its copies, the items that ended without a copy, and the time in which
 * items waited for buffers.
 *
 * <p>Threads: all fields are guarded by the stage.
 */
final class StageFigures {
    /** The counts of items that end without a copy. */
    final ItemCounters own = new ItemCounters();
    /** The counts of the copies, in their order. Filled before the start. */
    private final List<CopyCounters> copies = new ArrayList<>();
    /** True while items wait for buffers, since {@link #starvesSince}. */
    private boolean starves;

    private long starvesSince;
    /** The time in which items waited for buffers, before that. */
    private long starvedNanos;

    /** Adds a copy. Called before the start only. */
    void add(CopyCounters copy) {
        copies.add(copy);
    }

    /** Records the start of the run. Called before the start only. */
    void start(long now) {
        copies.forEach(copy -> copy.start(now));
    }

    /** Records that items begin to wait for buffers, or that no item does any more. */
    void starves(boolean begins, long now) {
        starvedNanos = starved(now);
        starves = begins;
        starvesSince = now;
    }

    /** Counts the items that {@code queue} has discarded. */
    void discarded(ItemQueue queue) {
        own.failed += queue.takeFailed();
        own.dropped += queue.takeDropped();
    }

    void enter(CopyCounters copy, Phase phase, long now) {
        copy.enter(phase, now, starved(now));
    }

    void publish(CopyCounters copy) {
        copy.publish(starved(copy.endNanos));
    }

    /** Returns the counts of each copy as of {@code now}. */
    List<ItemCounters> snapshot(long now) {
        long starved = starved(now);
        return copies.stream().map(copy -> copy.snapshot(now, starved)).toList();
    }

    /** Returns the sum of the counts of the copies, and of the items that ended without one. */
    ItemCounters total(List<ItemCounters> ofCopies) {
        ItemCounters total = own.copy();
        ofCopies.forEach(total::add);
        return total;
    }

    /** Returns the time in which items waited for buffers, up to {@code now}. */
    private long starved(long now) {
        return starvedNanos + (starves ? Math.max(0, now - starvesSince) : 0);
    }
}
