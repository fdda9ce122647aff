package dev.jacquard.flow.runtime;

/**
 * The tickets of items that overtake in a {@link Line}. Such an item gets a ticket that no other item has: after the
 * tickets of the items that hold buffers which it may ask for, and before that of the eldest item that waits. So it
 * counts as an item from outside that came between these.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class Overtaking {
    /** The pools that the line and the tasks after it take from. */
    private final Pool[] asked;
    /** The number of this line among those of the run in which items overtake: no two of them give the same ticket. */
    private final int number;
    /** The number of these lines. */
    private final int lines;

    /** The largest ticket of an eldest item so far. */
    private long latest;
    /** The number of tickets before that of an eldest item that were given or left out. */
    private long steps;

    Overtaking(Pool[] asked, int number, int lines) {
        this.asked = asked;
        this.number = number;
        this.lines = lines;
    }

    /**
     * Returns a ticket for an item that gets buffers before one with the ticket {@code eldest}; that ticket if there is
     * none left: an item with it holds a buffer already, or too many items have overtaken one.
     *
     * @param ahead whether the buffers are granted out of turn, so that items with smaller tickets may still come
     */
    long before(long eldest, boolean ahead) {
        if (!ahead && eldest > latest) {
            steps = 0;
        }
        latest = Math.max(latest, eldest);
        long first = Numbered.firstBefore(eldest);
        long held = newest();
        long step = Math.max(steps, (held - first) / lines);
        long ticket = first + step * lines + number;
        if (ticket <= held) {
            step++;
            ticket += lines;
        }
        if (ticket >= eldest) {
            return eldest;
        }
        steps = step + 1;
        return ticket;
    }

    /** Returns the largest ticket of an item that was granted, in turn, a buffer of a pool that items here may ask. */
    private long newest() {
        long newest = 0;
        for (Pool pool : asked) {
            newest = Math.max(newest, pool.newest);
        }
        return newest;
    }
}
