package dev.jacquard.bench.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Work that several systems do, so that they can be compared. */
public interface Workload {
    /**
     * A system that cannot be run here, so that its rows are left out.
     *
     * @param system its name
     * @param reason why
     * @param install what to install, as a command for Debian
     */
    record Absence(String system, String reason, String install) {
        /** As part of a JSON document. */
        public Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("system", system);
            values.put("reason", reason);
            values.put("install", install);
            return values;
        }
    }

    /**
     * How often a workload is run.
     *
     * @param warmUps first rounds, which do not count
     * @param measured rounds that count, at least 1
     */
    record Rounds(int warmUps, int measured) {
        public Rounds {
            if (warmUps < 0 || measured < 1) {
                throw new IllegalArgumentException("rounds must be 0 or more to warm up and at least 1 to measure, not "
                        + warmUps + " and " + measured);
            }
        }
    }

    /** Its name, like {@code dynamic.chain}; the part before the dot is its group. */
    String name();

    /** The unit of the figures, like {@code ns/task}. */
    String unit();

    /** The unit of the figures of that part of a round, see {@link Contender#round}. */
    default String unit(String part) {
        return unit();
    }

    /** The number of rounds that each contender runs, and of those that count. */
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

    /** Returns true if the first and the fifth round are told besides the median: where a cold start matters. */
    default boolean tellsRepetitions() {
        return false;
    }
}
