package dev.jacquard.engine;

/**
 * Decides by the gain of thefts whether a worker without work steals.
 *
 * <p>A stolen node moves half a dozen cache lines to the thief's core, and the lines that it changes move back. Where
 * the cores are far from each other and the nodes short, two workers that steal from each other are slower than one.
 * The thief cannot see the cost of a node or a line, but it can see how many nodes it and its victim run together: it
 * steals for a while, then looks away for a while, and compares the two rates. The time of the better choice doubles,
 * that of the worse one stays short.
 *
 * <pre>
 *   more nodes ran per time while it stole:
 *        steals          looks away          steals           looks away
 *   |-- 4 thefts --|----- as long -----|-- twice as long --|--- 1/32 ---|-- ...
 *   fewer did:
 *   |-- 4 thefts --|----- as long -----|-- 4 thefts --|-- twice as long --|-- ...
 * </pre>
 *
 * <p>No constant of a machine is in this: both rates are of the same nodes, workers and cores, moments apart. A thief
 * that stole something which fed it for long steals on without a comparison, and an owner that runs no node while the
 * thief looks away is always helped.
 *
 * <p>A thief that takes the last node of a thread which submits, and runs none, is the faster of the two. At its heels
 * each waits for cache lines that the other has just written, which slows down the thread that both depend on. So the
 * thief lets some nodes gather: after such a theft it looks away for the shortest time, in which it runs its loot.
 *
 * <p>Confined to the worker's steps.
 */
final class StealBackoff {
    /** Thefts before the thief first looks away. */
    static final int THEFTS = 4;
    /** The time for which loot has to feed the thief to be worth it on any machine. */
    static final long ALWAYS_NANOS = 20_000;
    /**
     * The longest time that the thief looks away: nodes that become worth stealing in that time wait for their owner.
     */
    static final long LONGEST_AWAY_NANOS = 50_000;
    /** The shortest time that the thief looks away, in which an owner of short nodes runs several. */
    static final long SHORTEST_AWAY_NANOS = 2_000;
    /**
     * The part of its time, one in {@value}, for which a thief with thefts that pay looks away, to see if they still
     * do.
     */
    static final int PART = 32;

    /** The most questions after which a thief looks again, on a clock that stands still. */
    static final int MOST_QUESTIONS = 1 << 14;

    private static final long LONGEST_STEALING_NANOS = PART * LONGEST_AWAY_NANOS;

    private enum State {
        /** Has stolen nothing since the last comparison. */
        FRESH,
        STEALING,
        AWAY
    }

    private State state = State.FRESH;
    /** The time at which the state began; the nodes that thief and victim had run until then follow. */
    private long since;

    private int nodesBefore;
    /** Since when the loot of the last theft feeds the thief. */
    private long stoleAt;

    private int thefts;
    private int questions;
    /** True while nodes gather in a deque from which the last one was stolen. */
    private boolean gathering;
    /** The victim that lost its last node most recently, and how many it had run by then. */
    private int emptied = -1;

    private int nodesWhenEmptied;
    /** Nodes per nanosecond in the last time of stealing, and how long that was. */
    private double rate;

    private long stealingNanos;
    /**
     * How long to steal, but for {@link #THEFTS} at least, and how long to look away then; 0 where nothing is known.
     */
    private long toSteal;

    private long toLookAway;

    /** True if the others' deques are left alone now. As of the last look. */
    boolean isAway() {
        return state == State.AWAY || gathering;
    }

    /**
     * True if the next {@link #look} needs the number of nodes at time {@code now}: that is a line of the victim's, so
     * it is read seldom.
     */
    boolean isDue(long now) {
        return switch (state) {
            case FRESH -> false;
            case STEALING -> thefts >= THEFTS && now - since >= toSteal;
            case AWAY -> now - since >= toLookAway || ++questions >= MOST_QUESTIONS;
        };
    }

    /** The thief is out of work at time {@code now}. */
    void outOfWork(long now) {
        if (state == State.STEALING && now - stoleAt >= ALWAYS_NANOS) {
            state = State.FRESH;
            toLookAway = 0;
        }
        if (gathering && (now - stoleAt >= SHORTEST_AWAY_NANOS || ++questions >= MOST_QUESTIONS)) {
            gathering = false;
        }
    }

    /** The thief goes to sleep: the nodes that it finds when it wakes have nothing to do with earlier ones. */
    void sleeps() {
        state = State.FRESH;
        gathering = false;
        toSteal = 0;
        toLookAway = 0;
    }

    /** Decides the next phase; thief and victim have run {@code nodes} nodes so far. */
    void look(long now, int nodes) {
        double nanos = Math.max(1, now - since);
        double seen = (nodes - nodesBefore) / nanos;
        if (state == State.STEALING) {
            rate = seen;
            stealingNanos = now - since;
            if (toLookAway == 0) {
                toLookAway = Math.clamp(stealingNanos, SHORTEST_AWAY_NANOS, LONGEST_AWAY_NANOS);
            }
            state = State.AWAY;
            questions = 0;
            since = now;
            nodesBefore = nodes;
        } else {
            if (rate >= seen) {
                toSteal = Math.min(2 * stealingNanos, LONGEST_STEALING_NANOS);
                toLookAway = Math.max(toSteal / PART, SHORTEST_AWAY_NANOS);
            } else {
                toSteal = 0;
                toLookAway = Math.min(2 * toLookAway, LONGEST_AWAY_NANOS);
            }
            state = State.FRESH;
        }
    }

    /** True if the next theft begins a time of stealing, for which the number of nodes is needed. */
    boolean isFresh() {
        return state == State.FRESH;
    }

    /**
     * A time of stealing begins with a theft at time {@code now}; thief and victim have run {@code nodes} nodes so far.
     */
    void begin(long now, int nodes) {
        state = State.STEALING;
        since = now;
        nodesBefore = nodes;
        thefts = 0;
    }

    /** A node was taken at time {@code now}. */
    void took(long now) {
        stoleAt = now;
        thefts++;
    }

    /** That was the last node of a victim, which has run {@code nodes} nodes so far. */
    void emptied(int victim, int nodes) {
        gathering = victim == emptied && nodes == nodesWhenEmptied;
        questions = 0;
        emptied = victim;
        nodesWhenEmptied = nodes;
    }
}
