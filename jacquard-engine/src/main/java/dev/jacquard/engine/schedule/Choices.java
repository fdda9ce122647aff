package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.schedule.Explanation.Estimate;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The newest choices of a placement, each with its estimates. The memory of old choices is used again, so that a
 * decision allocates nothing.
 *
 * <p>Threads: any. A choice is guarded by its monitor, from {@link Choice#begin} to {@link Choice#decide}: as many
 * decisions go on at a time as there are choices.
 */
final class Choices {
    /** The number of choices that are remembered; a power of two. */
    private static final int REMEMBERED = 256;

    private final Choice[] ring = new Choice[REMEMBERED];
    /** The number of choices so far. */
    private final AtomicInteger made = new AtomicInteger();

    Choices() {
        Arrays.setAll(ring, i -> new Choice());
    }

    /** Returns the oldest choice, to be made again. */
    Choice next() {
        return ring[made.getAndIncrement() & (REMEMBERED - 1)];
    }

    /** Returns the choices as text and figures, the newest last. */
    List<Explanation> explanations() {
        List<Explanation> all = new ArrayList<>();
        int newest = made.get();
        for (int i = newest; i < newest + REMEMBERED; i++) { // the oldest first
            Choice choice = ring[i & (REMEMBERED - 1)];
            synchronized (choice) {
                if (choice.place != null) {
                    all.add(choice.explanation());
                }
            }
        }
        return List.copyOf(all);
    }

    /** One choice. Guarded by its monitor. */
    static final class Choice {
        private String task = "";
        private String kernel = "";
        /** The chosen place; null before the first choice. */
        private @Nullable Place place;

        /** True if another place looked better, and the chosen one was tried again. */
        private boolean isRetry;

        private int count;
        /** True if {@link Place#HOST} is among the places. */
        private boolean host;

        private @Nullable Place[] places = new @Nullable Place[4];
        private double[] queued = new double[4];
        private double[] data = new double[4];
        private double[] run = new double[4];
        private boolean[] known = new boolean[4];
        private long[] missing = new long[4];
        private int[] tasks = new int[4];

        /** Begins the choice of a place, of {@code most} at most, for a task. */
        void begin(ReadyTask its, int most) {
            task = its.name();
            kernel = its.kernel();
            count = 0;
            host = false;
            if (places.length < most) {
                places = new @Nullable Place[most];
                queued = new double[most];
                data = new double[most];
                run = new double[most];
                known = new boolean[most];
                missing = new long[most];
                tasks = new int[most];
            }
        }

        /** Adds a place with its estimates: see {@link Estimate}. A time to run that is not known is negative. */
        void add(Place one, double queuedNanos, double dataNanos, double runNanos, long missingBytes, int tasksThere) {
            host |= one == Place.HOST;
            places[count] = one;
            queued[count] = queuedNanos;
            data[count] = dataNanos;
            run[count] = runNanos;
            known[count] = runNanos >= 0;
            missing[count] = missingBytes;
            tasks[count++] = tasksThere;
        }

        /**
         * Chooses one of the places: one that is due to be tried again; else the one where the task ends first; while
         * no time to run is known and the host is among them, the one with the fewest tasks.
         */
        Place decide(ReadyTask its, MachineState machine) {
            boolean measured = guessTimes();
            boolean byTasks = !measured && host;
            int best = 0;
            for (int i = 1; i < count; i++) {
                best = (byTasks ? hasFewer(i, best) : isBetter(i, best)) ? i : best;
            }
            int retried = measured ? due(best, its, machine) : best;
            isRetry = retried != best;
            Place chosen = Objects.requireNonNull(places[retried]);
            place = chosen;
            return chosen;
        }

        /** Gives each place without a time the mean of the known times. Returns true if there is one. */
        private boolean guessTimes() {
            double sum = 0;
            int found = 0;
            for (int i = 0; i < count; i++) {
                sum += known[i] ? run[i] : 0;
                found += known[i] ? 1 : 0;
            }
            double usual = found == 0 ? 0 : sum / found;
            for (int i = 0; i < count && found < count; i++) {
                run[i] = known[i] ? run[i] : usual;
            }
            return found > 0;
        }

        /** Returns the first place that is to be tried again, although {@code best} looks better; else that. */
        private int due(int best, ReadyTask its, MachineState machine) {
            double end = end(best);
            for (int i = 0; i < count; i++) {
                boolean looksBad = known[i] ? run[i] > run[best] : host;
                boolean canGain = i != best && Math.max(queued[i], data[i]) < end;
                if (looksBad && canGain && machine.isDue(its, Objects.requireNonNull(places[i]))) {
                    return i;
                }
            }
            return best;
        }

        private double end(int i) {
            return Math.max(queued[i], data[i]) + run[i];
        }

        private boolean isBetter(int one, int other) {
            if (end(one) != end(other)) {
                return end(one) < end(other);
            }
            return missing[one] != missing[other] ? missing[one] < missing[other] : tasks[one] < tasks[other];
        }

        private boolean hasFewer(int one, int other) {
            return tasks[one] != tasks[other] ? tasks[one] < tasks[other] : isBetter(one, other);
        }

        private Explanation explanation() {
            List<Estimate> estimates = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                estimates.add(new Estimate(
                        Objects.requireNonNull(places[i]).name(),
                        queued[i],
                        data[i],
                        run[i],
                        end(i),
                        missing[i],
                        tasks[i]));
            }
            return new Explanation(task, kernel, Objects.requireNonNull(place).name(), isRetry, estimates);
        }
    }
}
