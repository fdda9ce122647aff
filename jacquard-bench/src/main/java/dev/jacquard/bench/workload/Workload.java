package dev.jacquard.bench.workload;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Work that several systems do, so that they can be compared. */
public abstract class Workload {
    private static final long PATIENCE_NANOS = 8_000_000_000L;

    /**
     * A system that cannot be run here, so that its rows are left out.
     *
     * @param system its name
     * @param reason why
     * @param install the packages to install, as a command for Debian
     */
    public record Absence(String system, String reason, String install) {
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
    public record Rounds(int warmUps, int measured) {
        public Rounds {
            if (warmUps < 0 || measured < 1) {
                throw new IllegalArgumentException("rounds must be 0 or more to warm up and at least 1 to measure, not "
                        + warmUps + " and " + measured);
            }
        }
    }

    private final String name;
    private final String unit;
    private final Rounds quick;
    private final Rounds full;

    /**
     * For subclasses.
     *
     * @param name like {@code dynamic.chain}; the part before the dot is its group
     * @param unit of the figures, like {@code ns/task}
     */
    protected Workload(String name, String unit, Rounds quick, Rounds full) {
        this.name = name;
        this.unit = unit;
        this.quick = quick;
        this.full = full;
    }

    /** Its name. */
    public final String name() {
        return name;
    }

    /** The unit of the figures. */
    public final String unit() {
        return unit;
    }

    /** The unit of the figures of that part of a round, see {@link Contender#round}. */
    public String unit(String part) {
        return unit();
    }

    /** The number of rounds that each contender runs, and the number of rounds that count. */
    public final Rounds rounds(Plan plan) {
        return plan.quick() ? quick : full;
    }

    /** The systems that do it, Jacquard's first; made, used and closed by one thread. */
    public abstract List<Contender> contenders(Plan plan) throws Exception;

    /** The systems that would do it too if they were installed; {@link #contenders} leaves them out. */
    public List<Absence> absences(Plan plan) {
        return List.of();
    }

    /**
     * How many rounds of a contender run just before the one that counts, and do not count: where its objects are used
     * again and again, it finds them in its caches.
     */
    public int settling() {
        return 0;
    }

    /** How many contenders, the first ones, begin every round, since the figures of the others need theirs. */
    public int leaders() {
        return 0;
    }

    /**
     * The time that a contender may take, in nanoseconds: it sits out the remaining rounds then, once it has figures. A
     * quarter of it may go into rounds that warm up.
     */
    public long patienceNanos() {
        return PATIENCE_NANOS;
    }

    /** Returns true if the first and the fifth round are reported besides the median: where a cold start matters. */
    public boolean tellsRepetitions() {
        return false;
    }

    /** One system at one workload. Confined to the thread that made it, whatever threads it uses inside. */
    public abstract static class Contender implements AutoCloseable {
        /** The key of a round's main figure. */
        public static final String MAIN = "";

        private final String system;
        private final int workers;

        /**
         * For subclasses.
         *
         * @param system the system's name, like {@code forkjoin}
         * @param workers threads that run tasks, the submitter included
         */
        protected Contender(String system, int workers) {
            this.system = system;
            this.workers = workers;
        }

        /** The system's name. */
        public final String system() {
            return system;
        }

        /** The number of threads that run tasks. */
        public final int workers() {
            return workers;
        }

        /**
         * Does the work once.
         *
         * @return figures by the end of the workload's name, {@link #MAIN} for the workload as it is called
         * @throws IllegalStateException when the result is wrong: a system that skips work must not win
         */
        public abstract Map<String, Double> round() throws Exception;

        /**
         * Returns true if the first rounds are slower than later ones. A program that was compiled before it started
         * needs one of them only.
         */
        public boolean warmsUp() {
            return true;
        }

        /** Ends its threads, deletes its files. */
        @Override
        public void close() throws IOException {}

        /** Throws unless the result is right. */
        protected final void verify(boolean right, String what) {
            if (!right) {
                throw new IllegalStateException(
                        system() + " with " + workers() + " workers did not do the work: " + what + " is wrong");
            }
        }
    }
}
