package dev.jacquard.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long tasks took, by name: moving averages. Kept for a session, so that the next graph knows what this one has
 * shown.
 *
 * <p>Source: the expressions thesis, section 3.1.8.
 *
 * <p>Threads: any. Two measurements of one name at a time may count as one.
 */
final class Timings {
    /** More names than that are not told apart by their times: names with numbers in them must not fill the memory. */
    private static final int MOST_NAMES = 1 << 14;
    /** How much one measurement moves the average: 1/8. */
    private static final int STEP_BITS = 3;

    private final ConcurrentHashMap<String, Average> averages = new ConcurrentHashMap<>();

    /** Nanoseconds; 0 when not known. */
    long of(String name) {
        Average average = averages.get(name);
        return average == null ? 0 : average.nanos();
    }

    void add(String name, long nanos) {
        Average average = averages.get(name);
        if (average == null) {
            if (averages.size() >= MOST_NAMES) {
                return;
            }
            average = averages.computeIfAbsent(name, any -> new Average());
        }
        average.add(nanos);
    }

    private static final class Average {
        private static final VarHandle NANOS;

        static {
            try {
                NANOS = MethodHandles.lookup().findVarHandle(Average.class, "nanos", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** Opaque, by any worker: an estimate, of which a lost change is no harm. */
        @SuppressWarnings("unused") // through NANOS
        private long nanos;

        long nanos() {
            return (long) NANOS.getOpaque(this);
        }

        void add(long measured) {
            long old = nanos();
            long more = Math.max(1, measured);
            NANOS.setOpaque(this, old == 0 ? more : Math.max(1, old + ((more - old) >> STEP_BITS)));
        }
    }
}
