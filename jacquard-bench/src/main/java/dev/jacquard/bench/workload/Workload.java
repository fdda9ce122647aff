package dev.jacquard.bench.workload;

import java.util.List;

/** Work that several systems do, so that they can be compared. */
public interface Workload {
    /** Its name, like {@code dynamic.chain}; the part before the dot is its group. */
    String name();

    /** What the figures count, like {@code ns/task}. */
    String unit();

    /** The unit of the figures of that part of a round, see {@link Contender#round}. */
    default String unit(String part) {
        return unit();
    }

    /** How many rounds of each contender are run, and how many of these count. */
    Rounds rounds(Plan plan);

    /** The systems that do it, Jacquard's first; made, used and closed by one thread. */
    List<Contender> contenders(Plan plan) throws Exception;

    /** The systems that would do it too if they were installed; {@link #contenders} leaves them out. */
    default List<Absence> absences(Plan plan) {
        return List.of();
    }

    /**
     * How many rounds of a contender run just before the one that counts, and do not count: where what it made is used
     * again and again, it finds it in its caches.
     */
    default int settling() {
        return 0;
    }

    /** Whether the first and the fifth round are told besides the median: where a cold start matters. */
    default boolean tellsRepetitions() {
        return false;
    }
}
