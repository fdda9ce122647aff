package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.RunPlan.Fork;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The edges that begin at the input of a run: one feed for the consumers of every item, and one for each consumer that
 * gets some of the items, or items that are made of these.
 *
 * <p>Threads: the counts are guarded by the {@link Input}; all else is immutable.
 */
final class InputFeeds {
    private final Feed all;
    private final Feed[] some;
    private final List<Fork> forks;
    private final long[] sent;

    /** Creates the feeds to {@code targets}: one list for every item, then one for each of {@code forks}. */
    InputFeeds(ItemSink[][] targets, List<Fork> forks, BufferGrants ledger) {
        boolean isOne = targets.length == 1 && targets[0].length == 1;
        Feed[] feeds = Arrays.stream(targets)
                .map(its -> new Feed(its, ledger, isOne ? ItemSink::newInboxFromOutside : ItemSink::newInbox))
                .toArray(Feed[]::new);
        this.all = feeds[0];
        this.some = Arrays.copyOfRange(feeds, 1, feeds.length);
        this.forks = forks;
        this.sent = new long[some.length];
    }

    boolean isEmpty() {
        return all.isEmpty() && some.length == 0;
    }

    boolean hasInboxesOfStagesOnly() {
        return all.hasInboxesOfStagesOnly() && Arrays.stream(some).allMatch(Feed::hasInboxesOfStagesOnly);
    }

    int backlog() {
        int most = all.backlog();
        for (Feed feed : some) {
            most = Math.max(most, feed.backlog());
        }
        return most;
    }

    /**
     * Returns, per fork, those of the first {@code count} of {@code items} that go on, or what is made of them; null if
     * there is no fork. Calls functions of the user, so no lock may be held.
     *
     * @throws IllegalStateException if an item goes nowhere
     */
    @Nullable
    Object @Nullable [][] select(@Nullable Object[] items, int count) {
        if (isEmpty()) {
            throw Untaken.atInput(items[0]);
        }
        if (some.length == 0) {
            return null;
        }
        @Nullable Object[][] parts = new @Nullable Object[some.length][0];
        boolean[] taken = new boolean[count];
        Arrays.fill(taken, !all.isEmpty());
        for (int i = 0; i < parts.length; i++) {
            parts[i] = select(forks.get(i), items, taken);
        }
        for (int i = 0; i < count; i++) {
            if (!taken[i]) {
                throw Untaken.byEdges("the input got", items[i]);
            }
        }
        return parts;
    }

    private static @Nullable Object[] select(Fork fork, @Nullable Object[] items, boolean[] taken) {
        int ways = fork.ways().size();
        @Nullable Object[] part = new @Nullable Object[taken.length * ways];
        int size = 0;
        for (int i = 0; i < taken.length; i++) {
            for (int way = 0; way < ways; way++) {
                Object made = fork.ways().get(way).apply(Objects.requireNonNull(items[i]));
                if (made != null) {
                    part[size++] = made;
                    taken[i] = true;
                }
            }
        }
        return Arrays.copyOf(part, size);
    }

    /** Hands items to the consumers, with their {@linkplain #select parts}; returns the copies to wake. */
    @Nullable
    Wakeable append(@Nullable Object[] items, int count, @Nullable Object @Nullable [][] parts) {
        Wakeable woken = all.append(items, null, count);
        if (parts == null) {
            return woken;
        }
        WakeList wakes = new WakeList();
        wakes.add(woken);
        for (int i = 0; i < parts.length; i++) {
            sent[i] += parts[i].length;
            wakes.add(parts[i].length == 0 ? null : some[i].append(parts[i], null, parts[i].length));
        }
        return wakes.detach();
    }

    /** Notifies all consumers that no item comes any more; returns the copies to wake. */
    @Nullable
    Wakeable close() {
        WakeList wakes = new WakeList();
        wakes.add(all.close(null));
        for (Feed feed : some) {
            wakes.add(feed.close(null));
        }
        return wakes.detach();
    }

    /** Returns the number of items that were sent through the fork with this number. */
    long sent(int fork) {
        return sent[fork];
    }
}
