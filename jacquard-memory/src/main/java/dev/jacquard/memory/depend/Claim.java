package dev.jacquard.memory.depend;

import java.util.function.Consumer;

/** A task that holds unordered resources, or waits for them. Guarded by the monitor of its {@link Exclusions}. */
final class Claim<T, P> implements Comparable<Claim<T, P>> {
    final T task;
    final long rank;
    /** The order of arrival. */
    final long number;

    final Consumer<P> spoiled;

    ClaimGroup<T, P> group;
    /** Its index among the holders of its group. */
    int place;
    /** While it was the oldest waiter of a tree: how many younger ones that conflict with it came first. */
    int overtaken;

    Claim(T task, long rank, long number, ClaimGroup<T, P> group, Consumer<P> spoiled) {
        this.task = task;
        this.rank = rank;
        this.number = number;
        this.group = group;
        this.spoiled = spoiled;
    }

    boolean isOlder(Claim<T, P> other) {
        return number < other.number;
    }

    /** By rank, then by age. */
    @Override
    public int compareTo(Claim<T, P> other) {
        int byRank = Long.compare(rank, other.rank);
        return byRank != 0 ? byRank : Long.compare(number, other.number);
    }
}
