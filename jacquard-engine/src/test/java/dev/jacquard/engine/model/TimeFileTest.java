package dev.jacquard.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times that are kept from one session to the next. */
class TimeFileTest {
    private static final Place GPU = Place.device(ExecutionTarget.OPENCL, "opencl0", 2);
    private static final Place TWIN = Place.device(ExecutionTarget.OPENCL, "opencl1", 3);
    private static final Map<Place, String> TARGETS =
            Map.of(Place.HOST, "host", GPU, "Model of a device", TWIN, "Model of a device");

    @TempDir
    Path folder;

    private Path path() {
        return folder.resolve("cache/times.tsv");
    }

    private TimeFile file() {
        return new TimeFile(path());
    }

    /** A session: learns, and keeps what it has learned. */
    private TimeModel session(Consumer<TimeModel> learns) {
        TimeModel model = new TimeModel();
        model.keepIn(file(), TARGETS);
        learns.accept(model);
        model.keep();
        return model;
    }

    private static void run(TimeModel model, String name, Place place, double nanos, int times) {
        for (int n = 0; n < times; n++) {
            model.add(name, place, 1_500, nanos);
        }
    }

    // ---- from session to session

    @Test
    void aLoadedFileIsNotReadByLookUps() throws IOException {
        session(model -> run(model, "scale", Place.HOST, 1_000, 11));
        TimeModel model = new TimeModel();
        model.keepIn(file(), TARGETS);
        model.load();
        Files.delete(path());
        assertEquals(1_000, model.nanos("scale", Place.HOST, 1_500));
        model.load();
        assertEquals(1_000, model.nanos("scale", Place.HOST, 1_500));
    }

    @Test
    void theNextSessionBeginsWithTheTimes() throws IOException {
        session(model -> {
            run(model, "scale\tby \\ 2\n", Place.HOST, 1_000, 11);
            run(model, "scale\tby \\ 2\n", GPU, 300, 11);
            run(model, "once", Place.HOST, 5, 1);
        });
        assertEquals(
                List.of(
                        new TimeFile.Entry("scale\tby \\ 2\n", "Model of a device", 11, 1_500, 10, 300, 0),
                        new TimeFile.Entry("scale\tby \\ 2\n", "host", 11, 1_500, 10, 1_000, 0)),
                file().read());
        session(model -> {
            assertEquals(1_000, model.nanos("scale\tby \\ 2\n", Place.HOST, 1_500));
            assertEquals(300, model.nanos("scale\tby \\ 2\n", GPU, 1_500));
            assertEquals(300, model.nanos("scale\tby \\ 2\n", TWIN, 1_500), "the same model");
            assertEquals(-1, model.nanos("once", Place.HOST, 1_500), "a first run does not count");
            assertFalse(model.isDue("scale\tby \\ 2\n", TWIN, 1_500), "it is known");
        });
    }

    @Test
    void theFirstRunOfALaterSessionDoesNotCountEither() throws IOException {
        session(model -> run(model, "scale", GPU, 1_000, 11));
        session(model -> {
            run(model, "scale", GPU, 900_000, 1);
            assertEquals(1_000, model.nanos("scale", GPU, 1_500));
            run(model, "scale", GPU, 1_200, 10);
            assertEquals(1_100, model.nanos("scale", GPU, 1_500), 100);
        });
        assertEquals(20, file().read().getFirst().count());
    }

    @Test
    void aStaleTimeIsReplacedAndReported() throws IOException {
        session(model -> run(model, "scale", GPU, 1_000_000, 101));
        List<String> log = Logged.by(TimeFile.class, () -> session(model -> run(model, "scale", GPU, 3_000_000, 6)));
        assertEquals(
                List.of("kept times were stale, and are replaced by those measured now: \"scale\" on Model of a device"
                        + " took 1.00 ms, and takes 3.00 ms"),
                log);
        TimeFile.Entry entry = file().read().getFirst();
        assertEquals(3_000_000, entry.meanNanos());
        assertEquals(5, entry.count());
    }

    /** Tasks of some microseconds vary by more than that with the state of the JVM. */
    @Test
    void aShortTimeIsFollowedWithoutAReport() throws IOException {
        session(model -> run(model, "scale", GPU, 1_000, 101));
        List<String> log = Logged.by(TimeFile.class, () -> session(model -> run(model, "scale", GPU, 5_000, 60)));
        assertEquals(List.of(), log);
        assertEquals(5_000, file().read().getFirst().meanNanos(), 100);
    }

    @Test
    void aTimeIsNotStaleForOneLongRun() throws IOException {
        session(model -> run(model, "scale", GPU, 1_000, 101));
        session(model -> {
            run(model, "scale", GPU, 1_000, 2);
            run(model, "scale", GPU, 80_000, 1);
            run(model, "scale", GPU, 1_000, 3);
        });
        assertEquals(1_000, file().read().getFirst().meanNanos());
        assertEquals(105, file().read().getFirst().count());
    }

    /** A program that runs a kernel three times: too few to replace a kept time at once. */
    @Test
    void aFewRunsOfEachSessionCountToo() throws IOException {
        session(model -> run(model, "scale", GPU, 1_000_000, 9));
        session(model -> run(model, "scale", GPU, 1_200_000, 3));
        assertEquals(1_050_000, file().read().getFirst().meanNanos());
        assertEquals(10, file().read().getFirst().count());
        for (int n = 0; n < 20; n++) {
            session(model -> run(model, "scale", GPU, 5_000_000, 3));
        }
        assertEquals(5_000_000, file().read().getFirst().meanNanos(), 100_000);
        session(model -> {
            assertEquals(5_000_000, model.nanos("scale", GPU, 1_500), 100_000);
            assertEquals(50, model.entries().getFirst().count());
        });
    }

    @Test
    void sessionsThatEndAtTheSameTimeKeepBothTimes() throws IOException {
        session(model -> run(model, "both", GPU, 1_000, 5));
        session(outer -> {
            run(outer, "outer", GPU, 1_000, 5);
            run(outer, "both", GPU, 1_200, 5);
            session(inner -> {
                run(inner, "inner", GPU, 1_000, 5);
                run(inner, "both", GPU, 1_000, 5);
            });
        });
        List<TimeFile.Entry> all = file().read();
        assertEquals(
                List.of("both", "inner", "outer"),
                all.stream().map(TimeFile.Entry::name).toList());
        assertEquals(12, all.getFirst().count());
        assertEquals(1_050, all.getFirst().meanNanos(), 50);
    }

    @Test
    void devicesOfOneModelShareTheirTimes() throws IOException {
        session(model -> {
            run(model, "scale", GPU, 1_000, 9);
            run(model, "scale", TWIN, 1_400, 9);
            assertEquals(1_000, model.nanos("scale", GPU, 1_500));
            assertEquals(1_400, model.nanos("scale", TWIN, 1_500));
        });
        assertEquals(1, file().read().size());
        assertEquals(1_200, file().read().getFirst().meanNanos());
        assertEquals(200, file().read().getFirst().deviationNanos());
        assertEquals(16, file().read().getFirst().count());
    }

    @Test
    void aSessionThatLearnsNothingWritesNothing() {
        session(model -> model.nanos("scale", GPU, 1_500));
        session(model -> run(model, "scale", GPU, 1_000, 1));
        assertFalse(Files.exists(path()));
    }

    @Test
    void theNamesUsedLastAreKept() throws IOException {
        session(model -> run(model, "an old name", GPU, 1_000, 5));
        session(model -> run(model, "forgotten", GPU, 1_000, 5));
        for (int i = 0; i < 2; i++) {
            int batch = i;
            session(model -> {
                model.nanos("an old name", GPU, 1_500); // is used, not measured
                for (int n = 0; n < 1_500; n++) {
                    run(model, "tile " + batch + "-" + n, GPU, 1_000, 2);
                }
            });
        }
        List<String> names = file().read().stream().map(TimeFile.Entry::name).toList();
        assertEquals(2_000, names.size());
        assertTrue(names.contains("an old name"));
        assertFalse(names.contains("forgotten"));
        assertTrue(names.containsAll(
                IntStream.range(0, 1_500).mapToObj(n -> "tile 1-" + n).toList()));
    }

    @Test
    void aNameCanBeForgotten() throws IOException {
        assertFalse(file().forget("scale"));
        session(model -> {
            run(model, "scale", GPU, 1_000, 5);
            run(model, "add", GPU, 1_000, 5);
        });
        assertFalse(file().forget("scal"));
        assertTrue(file().forget("scale"));
        assertEquals(
                List.of("add"), file().read().stream().map(TimeFile.Entry::name).toList());
    }

    @Test
    void anInterruptDoesNotLoseTheTimes() throws IOException {
        session(model -> {
            run(model, "scale", GPU, 1_000, 5);
            Thread.currentThread().interrupt();
        });
        assertTrue(Thread.interrupted(), "the thread stays interrupted");
        assertEquals(1, file().read().size());
    }

    // ---- processes

    @Test
    void processesThatEndAtTheSameTimeLoseNothing() throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Learner.class.getName(),
                            path().toString(),
                            "process " + i)
                    .inheritIO()
                    .start());
        }
        for (Process process : processes) {
            assertTrue(process.waitFor(2, TimeUnit.MINUTES));
            assertEquals(0, process.exitValue());
        }
        List<TimeFile.Entry> all = file().read();
        assertEquals(2 * Learner.SESSIONS + 1, all.size());
        TimeFile.Entry both = all.stream()
                .filter(entry -> entry.name().equals("both"))
                .findFirst()
                .orElseThrow();
        assertEquals(2 * Learner.SESSIONS * 4, both.count());
        assertEquals(1_000, both.meanNanos());
    }

    /** A process with many sessions: each learns a new name, and the times of one name that all have. */
    static final class Learner {
        static final int SESSIONS = 20;

        private Learner() {}

        public static void main(String[] args) {
            for (int session = 0; session < SESSIONS; session++) {
                TimeModel model = new TimeModel();
                model.keepIn(new TimeFile(Path.of(args[0])), TARGETS);
                run(model, args[1] + ", session " + session, GPU, 1_000, 5);
                run(model, "both", GPU, 1_000, 5);
                model.keep();
            }
        }
    }
}
