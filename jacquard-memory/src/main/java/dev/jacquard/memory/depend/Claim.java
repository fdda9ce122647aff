package dev.jacquard.memory.depend;

/** A task that holds unordered resources, or waits for them. Guarded by the monitor of its {@link Exclusions}. */
final class Claim<T, P> implements Comparable<Claim<T, P>> {
    final T task;
    final long rank;
    /** The order of arrival. */
    final long number;

    final Exclusions.Told<P> told;

    ClaimGroup<T, P> group;
    /** Its index among the holders of its group. */
    int place;
    /** While it was the oldest waiter of a tree: how many younger ones that conflict with it came first. */
    int overtaken;

    /** The number of the last poison when it began to hold. */
    long poisons;

    Claim(T task, long rank, long number, ClaimGroup<T, P> group, Exclusions.Told<P> told) {
        this.task = task;
        this.rank = rank;
        this.number = number;
        this.group = group;
        this.told = told;
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
