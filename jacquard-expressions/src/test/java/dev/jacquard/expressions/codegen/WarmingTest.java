package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Watchdog;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warming by a clock that only the calls advance. */
class WarmingTest {
    private final AtomicLong now = new AtomicLong();
    private final Warming warming = new Warming(WarmingTest::start, now::get);

    private static void start(Runnable body) {
        new Thread(body).start();
    }

    /** A call that takes long until it was run some number of times. */
    private final class Call implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        final int slow;

        Call(int slow) {
            this.slow = slow;
        }

        @Override
        public void run() {
            now.addAndGet(runs.incrementAndGet() <= slow ? 1_000 : 10);
        }
    }

    @Test
    void aCallIsRepeatedUntilItIsFast() {
        Call call = new Call(100);
        warming.add(call, 20);
        warming.await();
        assertTrue(call.runs.get() > 100 && call.runs.get() < 120, () -> call.runs + " runs");
    }

    @Test
    void callsTakeTurnsAndAnotherThreadTakesLaterOnes() {
        List<Call> calls = List.of(new Call(100), new Call(0), new Call(300));
        calls.forEach(call -> warming.add(call, 20));
        warming.await();
        assertTrue(calls.get(0).runs.get() > 100);
        assertTrue(calls.get(1).runs.get() < 20, "it was fast at once");
        assertTrue(calls.get(2).runs.get() > 300);
        Call later = new Call(50);
        warming.add(later, 20);
        warming.await();
        assertTrue(later.runs.get() > 50);
    }

    @Test
    void aCallThatStaysSlowIsGivenUp() {
        AtomicInteger runs = new AtomicInteger();
        warming.add(
                () -> {
                    runs.incrementAndGet();
                    now.addAndGet(Warming.MOST_NANOS / 100);
                },
                20);
        warming.await();
        assertTrue(runs.get() >= 100 && runs.get() < 120, () -> runs + " runs");
    }

    @Test
    void aCallThatFailsIsRepeatedNoMoreAndOthersAre() {
        repeatBeside(() -> {
            throw new IllegalStateException("of the test");
        });
        repeatBeside(() -> {
            throw new StackOverflowError("of the test");
        });
    }

    private void repeatBeside(Runnable failing) {
        AtomicInteger runs = new AtomicInteger();
        List<Boolean> ends = new CopyOnWriteArrayList<>();
        Call other = new Call(100);
        warming.add(
                () -> {
                    runs.incrementAndGet();
                    failing.run();
                },
                20,
                ends::add);
        warming.add(other, 20);
        warming.await();
        assertEquals(1, runs.get());
        assertEquals(List.of(false), ends);
        assertTrue(other.runs.get() > 100);
    }

    @Test
    void whatIsStoppedIsRepeatedNoMore() {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        List<Boolean> ends = new CopyOnWriteArrayList<>();
        warming.add(
                () -> {
                    runs.incrementAndGet();
                    now.addAndGet(1_000);
                    began.countDown();
                    Watchdog.await(stopped, "the stop");
                },
                20,
                ends::add);
        Watchdog.await(began, "the first call");
        warming.add(new Call(100), 20, ends::add);
        warming.stop();
        assertEquals(List.of(false), ends, "the call that waits for its turn");
        stopped.countDown();
        warming.await();
        assertTrue(runs.get() < 20, () -> runs + " runs");
        assertEquals(List.of(false, false), ends);
    }

    @Test
    void noWaitIsLongerThanItsBound() {
        CountDownLatch waited = new CountDownLatch(1);
        Warming slow = new Warming(WarmingTest::start, () -> now.addAndGet(Warming.MOST_WAIT_NANOS));
        slow.add(() -> Watchdog.await(waited, "the end of the wait"), 20);
        slow.await(); // while the call goes on
        waited.countDown();
    }

    /** Accesses outside of its memory would be refused, and fail here. */
    @Test
    void scratchLoopsStayInTheirMemory() {
        Loops loops = new Loops();
        for (long seed = 1; seed <= 60; seed++) {
            RandomGenerator random = new Random(seed);
            DataType type = random.nextBoolean() ? DataType.FLOAT64 : DataType.FLOAT32;
            LoopBody body = RandomBody.of(random, type, random.nextInt(1, 4), random.nextInt(1, 300));
            int lanes = Lanes.count(type == DataType.FLOAT32);
            new ScratchLoop(body, loops.loop(body, Loops.Form.LANES), lanes).run();
        }
    }

    /** Their calls have no rows, and on a line there are none beside these. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void scratchLoopsThatKeepRowsRun(int dimensions) {
        LoopBody body = RowCacheLoopTest.stencilOfAStencil(dimensions);
        Loop loop = new Loops().loop(body, Loops.Form.LANES);
        assertInstanceOf(RowCacheLoop.class, loop);
        new ScratchLoop(body, loop, Lanes.count(false)).run();
    }

    @Test
    void loopsInLanesAreWarmedWhereThatIsAskedFor() {
        LoopBody body = RandomBody.of(new Random(1), DataType.FLOAT64, 3, 20);
        Loops loops = new Loops(WarmingTest::start, true);
        loops.loop(body, Loops.Form.PLAIN);
        loops.loop(body, Loops.Form.INTERPRETER);
        assertEquals(0, loops.warmed());
        loops.loop(body, Loops.Form.LANES);
        loops.loop(body, Loops.Form.LANES);
        assertEquals(1, loops.warmed());
        loops.warm(false);
        loops.loop(RandomBody.of(new Random(3), DataType.FLOAT64, 3, 20), Loops.Form.LANES);
        assertEquals(1, loops.warmed());
        loops.awaitWarm();
        Loops cold = new Loops();
        cold.loop(body, Loops.Form.LANES);
        assertEquals(0, cold.warmed());
    }

    /** Makes segments when something is warmed; a program of its own. */
    static final class LaterSegments {
        public static void main(String[] none) {
            Warming _ = new Warming(WarmingTest::start, System::nanoTime);
            System.out.println("later");
            Object[] arrays = {
                new byte[1], new short[1], new char[1], new int[1], new long[1], new float[1], new double[1]
            };
            for (Object array : arrays) {
                MemorySegment _ = switch (array) {
                    case byte[] its -> MemorySegment.ofArray(its);
                    case short[] its -> MemorySegment.ofArray(its);
                    case char[] its -> MemorySegment.ofArray(its);
                    case int[] its -> MemorySegment.ofArray(its);
                    case long[] its -> MemorySegment.ofArray(its);
                    case float[] its -> MemorySegment.ofArray(its);
                    default -> MemorySegment.ofArray((double[]) array);
                };
            }
        }
    }

    /** A class of segments that is loaded when loops are compiled has the JVM throw away what it has compiled. */
    @Test
    @Timeout(180)
    void theClassesOfSegmentsAreLoadedBefore() throws Exception {
        String path = Stream.of(Warming.class, WarmingTest.class, Clock.class, Watchdog.class)
                .map(its -> Path.of(URI.create(its.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        path,
                        LaterSegments.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> told = process.inputReader().lines().toList();
        assertEquals(0, process.waitFor(), () -> String.join("\n", told));
        int later = told.indexOf("later");
        List<Integer> loaded = IntStream.range(0, told.size())
                .filter(line -> told.get(line).contains("HeapMemorySegmentImpl$Of"))
                .boxed()
                .toList();
        assertEquals(7, loaded.size());
        assertTrue(loaded.getLast() < later, () -> told.get(loaded.getLast()));
    }
}
