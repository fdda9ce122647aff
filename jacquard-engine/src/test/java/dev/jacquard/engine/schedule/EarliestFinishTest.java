package dev.jacquard.engine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that sends a task where it ends first, and tries places again that looked bad. */
class EarliestFinishTest {
    private static final Place HOST = Place.HOST;
    private static final Place GPU = Place.device(ExecutionTarget.EMULATED, "emulated0", 2);
    private static final Place FPGA = Place.device(ExecutionTarget.EMULATED, "emulated1", 3);
    private static final long BYTES = 1 << 20;

    private final TimeModel times = new TimeModel();
    private final EarliestFinish rule = new EarliestFinish();

    /** A kernel. */
    private record Job(String name, String kernel) implements ReadyTask {}

    private static final Job JOB = new Job("task", "work");

    /** Places that are idle, but for what a test says. */
    private final class Idle implements MachineState {
        private final List<Place> places;
        private final Map<Place, Double> data = new HashMap<>();
        private final List<Place> asked = new ArrayList<>();

        Idle(Place... places) {
            this.places = List.of(places);
        }

        @Override
        public List<Place> places() {
            return places;
        }

        @Override
        public int tasks(Place place) {
            return 0;
        }

        @Override
        public double queuedNanos(Place place) {
            return 0;
        }

        @Override
        public double runNanos(ReadyTask task, Place place) {
            return times.nanos(task.kernel(), place, BYTES);
        }

        @Override
        public boolean isDue(ReadyTask task, Place place) {
            asked.add(place);
            return times.isDue(task.kernel(), place, BYTES);
        }

        @Override
        public double dataNanos(ReadyTask task, Place place) {
            return data.getOrDefault(place, 0.0);
        }

        @Override
        public long missingBytes(ReadyTask task, Place place) {
            return data.getOrDefault(place, 0.0) > 0 ? BYTES : 0;
        }

        @Override
        public long bytes(ReadyTask task) {
            return BYTES;
        }

        @Override
        public boolean isAway(Place place) {
            return false;
        }
    }

    private void run(Place place, double nanos, int count) {
        for (int i = 0; i < count; i++) {
            times.add(JOB.kernel(), place, BYTES, nanos);
        }
    }

    @Test
    void retriesOfASlowPlaceTakeLittleTime() {
        Idle machine = new Idle(HOST, GPU);
        run(HOST, 1e6, 3);
        run(GPU, 7e6, 3);
        double elsewhere = 0;
        double retries = 0;
        for (int i = 0; i < 100_000; i++) {
            if (rule.place(JOB, machine) == GPU) {
                retries += 7e6;
                run(GPU, 7e6, 1);
            } else {
                elsewhere += 1e6;
                run(HOST, 1e6, 1);
            }
        }
        double share = retries / (elsewhere + retries);
        assertTrue(retries > 0 && share <= 1.0 / 64, () -> "share of the retries: " + share);
    }

    @Test
    void aPlaceThatIsFastAgainIsFound() {
        Idle machine = new Idle(HOST, GPU);
        run(HOST, 1e6, 3);
        run(GPU, 7e6, 10);
        int tasks = 0;
        int last = 0;
        for (; tasks < 10_000 && last < 10; tasks++) {
            Place place = rule.place(JOB, machine);
            run(place, place == GPU ? 1e5 : 1e6, 1);
            last = place == GPU ? last + 1 : 0;
        }
        int count = tasks;
        assertEquals(10, last, "the last ten went there");
        assertTrue(count <= 2 * 64 * 7 + 12, () -> "after " + count + " tasks");
        assertFalse(rule.explanations().getLast().isRetry());
    }

    @Test
    void aRetryIsExplained() {
        Idle machine = new Idle(HOST, GPU);
        run(HOST, 1e6, 3);
        run(GPU, 2e6, 3);
        Place place = HOST;
        for (int i = 0; i < 1_000 && place == HOST; i++) {
            place = rule.place(JOB, machine);
            run(place, 1e6, 1);
        }
        Explanation retry = rule.explanations().getLast();
        assertTrue(retry.isRetry());
        assertTrue(
                retry.toString().startsWith("task \"task\" is tried on emulated0; host: over after 1000.0"),
                retry::toString);
    }

    /** A copy that takes longer than the task elsewhere: the place cannot be better, however fast it is. */
    @Test
    void aPlaceThatCannotGainIsNotAsked() {
        Idle machine = new Idle(HOST, GPU);
        machine.data.put(GPU, 1.5e6);
        run(HOST, 1e6, 3);
        run(GPU, 2e6, 3);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(HOST, rule.place(JOB, machine));
            run(HOST, 1e6, 1);
        }
        assertEquals(List.of(), machine.asked);
    }

    /** Tasks that come one at a time, with their data on the host, where a tie goes. */
    @Test
    void aPlaceThatWasNotMeasuredIsTriedWhereTheHostIsWeighed() {
        Idle machine = new Idle(HOST, GPU);
        machine.data.put(GPU, 1e4);
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Place place = rule.place(JOB, machine);
            places.add(place);
            run(place, place == GPU ? 1e5 : 1e6, 1);
        }
        assertEquals(HOST, places.getFirst());
        assertEquals(GPU, places.getLast(), places::toString);
    }

    @Test
    void amongDevicesNoneIsTriedForBeingUnknown() {
        Idle machine = new Idle(GPU, FPGA);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(GPU, rule.place(JOB, machine));
            run(GPU, 1e6, 1);
        }
    }
}
