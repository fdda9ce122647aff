package dev.jacquard.base.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.session.Session;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CycleClockTest {
    private static final int READINGS = 200_000;
    private static final int THREADS = 4;
    /** So much a processor may read ahead between threads; far less in truth. */
    private static final long AHEAD_NANOS = 10_000;

    @TempDir
    private Path folder;

    private CycleTrust trust(String system, String architecture, String source, boolean nativeAccess) throws Exception {
        Path file = Files.writeString(folder.resolve(source.strip()), source);
        return new CycleTrust(system, architecture, file, nativeAccess);
    }

    @Test
    void isTrustedWhereTheKernelTrustsIt() throws Exception {
        assertTrue(trust("Linux", "amd64", "tsc\n", true).objection().isEmpty());
    }

    @Test
    void isTheSystemsClockElsewhere() throws Exception {
        Path missing = folder.resolve("missing");
        List<CycleTrust> others = List.of(
                trust("Windows 11", "amd64", "tsc\n", true),
                trust("Linux", "aarch64", "tsc\n", true),
                trust("Linux", "amd64", "tsc\n", false),
                new CycleTrust("Linux", "amd64", missing, true),
                trust("Linux", "amd64", "hpet\n", true));

        for (CycleTrust other : others) {
            assertTrue(other.objection().isPresent(), other::toString);
            assertFalse(CycleClock.orSystem(other) instanceof CycleClock, other::toString);
        }
        assertEquals(
                "the kernel keeps time by hpet, not by tsc",
                others.getLast().objection().orElseThrow());
    }

    @Test
    void isMadeOnce() {
        assertSame(Clock.cycles(), Clock.cycles());
    }

    @Test
    void neverGoesBackOnAThread() throws Exception {
        Clock clock = Clock.cycles();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Callable<Boolean> reader = () -> {
                long last = clock.nanoTime();
                for (int i = 0; i < READINGS; i++) {
                    long now = clock.nanoTime();
                    if (now < last) {
                        return false;
                    }
                    last = now;
                }
                return true;
            };
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(reader));
            }
            for (Future<Boolean> one : all) {
                assertTrue(one.get());
            }
        }
    }

    @Test
    void agreesBetweenThreads() throws Exception {
        Clock clock = Clock.cycles();
        AtomicLong newest = new AtomicLong(clock.nanoTime());
        AtomicLong most = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (int j = 0; j < READINGS; j++) {
                        long seen = newest.get();
                        long now = clock.nanoTime();
                        most.accumulateAndGet(seen - now, Math::max);
                        newest.accumulateAndGet(now, Math::max);
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertTrue(most.get() < AHEAD_NANOS, "a reading was " + most + " ns after one that came later");
    }

    @Test
    void runsAsFastAsTheSystemsClock() {
        Clock clock = Clock.cycles();
        Clock system = Clock.system();
        double best = Double.MAX_VALUE;
        for (int tries = 0; tries < 20 && best > 2e-4; tries++) {
            long from = system.nanoTime();
            long start = clock.nanoTime();
            while (system.nanoTime() - from < 20_000_000) {
                Thread.onSpinWait();
            }
            long to = system.nanoTime();
            long end = clock.nanoTime();
            best = Math.min(best, Math.abs((end - start) / (double) (to - from) - 1));
        }
        assertTrue(best < 1e-3, "in each interval the rates differed by " + best + " and more");
    }

    @Test
    void aTraceTakesItUnlessItsSessionHasAClockOfTheUsers() {
        try (Session traced = Session.builder().workers(1).trace(16).open();
                Session untraced = Session.builder().workers(1).open();
                Session users = Session.builder()
                        .workers(1)
                        .trace(16)
                        .clock(new AtomicInteger()::incrementAndGet)
                        .open()) {
            assertSame(Clock.cycles(), traced.trace().clock());
            assertFalse(traced.clock() instanceof CycleClock);
            assertFalse(untraced.trace().clock() instanceof CycleClock);
            assertSame(untraced.clock(), untraced.trace().clock());
            assertSame(users.clock(), users.trace().clock());
        }
    }

    @Test
    void isTheCounterWithNativeAccess() throws Exception {
        CycleTrust trust = CycleTrust.ofThisMachine();
        assumeTrue(trust.objection().isEmpty(), () -> trust.objection().orElse(""));

        assertInstanceOf(CycleClock.class, Clock.cycles());
        assertEquals("counter", told("--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void withoutNativeAccessNothingIsPrinted() throws Exception {
        assertEquals("system", told("-XX:+UseSerialGC"));
    }

    /** What a process with this option prints that traces a task. */
    private static String told(String option) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = String.join(
                System.getProperty("path.separator"),
                at(Session.class),
                at(CycleClockTest.class),
                at(NullMarked.class));
        Process process = new ProcessBuilder(java, option, "-Xmx64m", "-cp", classes, CycleClockTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        assertEquals(0, process.waitFor(), told);
        return told.strip();
    }

    private static String at(Class<?> one) throws Exception {
        return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    /** Traces a task, and says by what. */
    public static void main(String[] arguments) {
        try (Session session = Session.builder().workers(1).trace(16).open()) {
            session.graph().task("task").run(context -> {}).join();
            System.out.println(session.trace().clock() instanceof CycleClock ? "counter" : "system");
        }
    }
}
