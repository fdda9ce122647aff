package dev.jacquard.sim;

import dev.jacquard.engine.work.GuardedTask;

/** A task of a run as policies see it. Threads: confined to one run. */
final class SimTask extends GuardedTask {
    final int number;
    private final String name;
    private final int priority;
    private final int depth;
    private final int consumers;
    private long expectedNanos;

    SimTask(int number, String name, int priority, int depth, int consumers) {
        this.number = number;
        this.name = name;
        this.priority = priority;
        this.depth = depth;
        this.consumers = consumers;
    }

    void expect(long nanos) {
        expectedNanos = nanos;
    }

    /** Returns the weight of the task in the load of a worker, as the engine counts it. */
    long load() {
        return Math.max(1, expectedNanos);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kernel() {
        return name;
    }

    @Override
    public long id() {
        return number;
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int consumers() {
        return consumers;
    }

    @Override
    public long expectedNanos() {
        return expectedNanos;
    }

    @Override
    public String toString() {
        return name;
    }
}
