package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.engine.model.TimeFile;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions learn times, and later sessions begin with them. */
class LearnedTimesTest {
    private static final int LENGTH = 1_000;

    @TempDir
    Path folder;

    private TimeFile file() {
        return new TimeFile(folder.resolve("times.tsv"));
    }

    private static TimeModel times(Session session) {
        return ((Dispatcher) session.executor()).times();
    }

    @Test
    void tasksOfTheHostAreKnownToTheNextSession() throws IOException {
        solveOnHost();
        TimeFile.Entry kept = file().read().getFirst();
        assertEquals(List.of("solve", "host"), List.of(kept.name(), kept.target()));
        assertEquals(9, kept.count());
        try (Session session = onHost().open()) {
            assertEquals(kept.meanNanos(), times(session).nanos("solve", Place.HOST, 0));
        }
    }

    private SessionBuilder onHost() {
        return Session.builder().workers(1).policy(Policies.named("priority")).learnedTimes(file());
    }

    /** Before any lock is held under which a placement could ask for a time. */
    @Test
    void theFileIsReadWhenASessionWithDevicesIsOpened() throws IOException {
        onDevice("emulated0");
        try (Session session = devices("emulated0").open()) {
            Files.delete(file().path());
            assertTrue(times(session).nanos("look", place(session, "emulated0"), 8 * LENGTH) > 0);
        }
    }

    @Test
    void theFileIsReadWhenASessionOpensWhosePolicyAsksForTimes() throws IOException {
        solveOnHost();
        try (Session session = onHost().open()) {
            Files.delete(file().path());
            assertTrue(times(session).nanos("solve", Place.HOST, 0) > 0);
        }
    }

    @Test
    void aSessionThatNeedsNoTimesDoesNotReadTheFile() throws IOException {
        try (Session session = Session.builder().workers(1).learnedTimes(file()).open()) {
            solveOnHost();
            assertTrue(times(session).nanos("solve", Place.HOST, 0) > 0, "read by this question");
        }
    }

    private void solveOnHost() {
        try (Session session = onHost().open()) {
            for (int n = 0; n < 10; n++) {
                session.graph().task("solve").run(ctx -> {});
            }
        }
    }

    @Test
    void kernelsOfEmulatedDevicesAreKnownByTheName() throws IOException {
        onDevice("emulated0");
        TimeFile.Entry kept = file().read().getFirst();
        assertEquals(List.of("look", "emulated0"), List.of(kept.name(), kept.target()));
        assertEquals(2, kept.count());
        try (Session session = devices("emulated0").open()) {
            Place place = place(session, "emulated0");
            assertEquals(kept.meanNanos(), times(session).nanos("look", place, 8 * LENGTH));
            assertFalse(times(session).isDue("look", place, 8 * LENGTH));
        }
        try (Session session = devices("emulated7").open()) {
            assertEquals(-1, times(session).nanos("look", place(session, "emulated7"), 8 * LENGTH));
        }
    }

    private static Place place(Session session, String name) {
        return Objects.requireNonNull(((Dispatcher) session.executor()).place(ExecutionTarget.named(name)));
    }

    private SessionBuilder devices(String name) {
        return Session.builder().workers(1).device(EmulatedDevice.offer(name)).learnedTimes(file());
    }

    private void onDevice(String name) {
        Kernel look = Kernel.named("look").onHost(arguments -> {});
        try (Session session = devices(name).open()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            for (int n = 0; n < 3; n++) {
                session.graph()
                        .task("look")
                        .updates(x)
                        .on(ExecutionTarget.named(name))
                        .run(look)
                        .join();
            }
        }
    }

    @Test
    void aDamagedFileEndsNoSession() throws IOException {
        Files.writeString(
                file().path(), "jacquard-times\t1\t1\nname\tsolve\t1\ntime\thost\t0\t0.0\t9\tNaN\t0.0\nend\t2\n");
        try (Session session = onHost().open()) {
            for (int n = 0; n < 10; n++) {
                session.graph().task("solve").run(ctx -> {});
            }
        }
        assertEquals(9, file().read().getFirst().count(), "the file is whole again");
    }

    @Test
    void aSessionWithoutLearnedTimesWritesNone() {
        try (Session session = onHost().learnedTimes(null).open()) {
            for (int n = 0; n < 10; n++) {
                session.graph().task("solve").run(ctx -> {});
            }
        }
        assertFalse(Files.exists(file().path()));
    }

    @Test
    void aFailureLosesNoTimes() throws IOException {
        Session session = onHost().open();
        for (int n = 0; n < 10; n++) {
            session.graph().task("solve").run(ctx -> {});
        }
        session.graph().task("fail").run(ctx -> {
            throw new IllegalStateException("no result");
        });
        assertThrows(RuntimeException.class, session::close);
        assertTrue(file().read().stream().anyMatch(entry -> entry.name().equals("solve")));
    }

    /** The build has switched the file of the user off, for the tests and the processes that they start. */
    @Test
    void testsDoNotUseTheFileOfTheUser() {
        assertNull(TimeFile.ofUser());
    }
}
