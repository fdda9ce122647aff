package dev.jacquard.core.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.Layout;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.View;
import dev.jacquard.core.device.emulated.EmulatedBody;
import dev.jacquard.core.device.emulated.EmulatedDevice;
import dev.jacquard.core.device.emulated.EmulatedOffer;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Kernel;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.session.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs on parts of matrices, on the host and up to three devices, with limits: the result is that of a plain loop. */
class RandomDataTest {
    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    private static final int SIDE = 12;
    private static final int MATRICES = 3;
    private static final int TASKS = 60;
    private static final long MATRIX = SIDE * SIDE * 8L;

    /** One task: it reads some parts, and updates or overwrites one. */
    private record Step(
            List<View> reads,
            View writes,
            boolean updates,
            @org.jspecify.annotations.Nullable Target on,
            int number) {}

    /** What a task does to each element of what it writes, from the sum of what it reads. */
    private static long element(boolean updates, long old, long sum, long number) {
        return (updates ? old * 31 : 0) + sum * 7 + number;
    }

    private static final Kernel MIX = Kernel.named("mix")
            .onDevice(Target.EMULATED, new EmulatedBody("mix", launch -> {
                int reads = launch.intAt(2);
                long sum = 0;
                for (int i = 0; i < reads; i++) {
                    MemorySegment read = launch.memory(3 + i);
                    for (long at = 0; at < read.byteSize(); at += 8) {
                        sum += read.get(ValueLayout.JAVA_LONG, at);
                    }
                }
                MemorySegment written = launch.memory(3 + reads);
                for (long at = 0; at < written.byteSize(); at += 8) {
                    long old = written.get(ValueLayout.JAVA_LONG, at);
                    written.set(ValueLayout.JAVA_LONG, at, element(launch.intAt(1) == 1, old, sum, launch.longAt(0)));
                }
            }))
            .onHost(arguments -> {
                int reads = (int) arguments.integer(2);
                long sum = 0;
                for (int i = 0; i < reads; i++) {
                    sum += sum(arguments.memory(3 + i));
                }
                Memory written = arguments.memory(3 + reads);
                for (long row = 0; row < written.extent(0); row++) {
                    for (long column = 0; column < written.extent(1); column++) {
                        long old = written.getLong(row, column);
                        written.setLong(
                                row, column, element(arguments.integer(1) == 1, old, sum, arguments.integer(0)));
                    }
                }
            });

    private static long sum(Memory memory) {
        long sum = 0;
        for (long row = 0; row < memory.extent(0); row++) {
            for (long column = 0; column < memory.extent(1); column++) {
                sum += memory.getLong(row, column);
            }
        }
        return sum;
    }

    private static Box draw(SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            return Box.whole(SIDE, SIDE);
        }
        int step = random.nextInt(3) == 0 ? 1 : 4; // mostly tiles, so that parts meet again
        long row = random.nextInt(SIDE / step) * (long) step;
        long column = random.nextInt(SIDE / step) * (long) step;
        long rows = Math.min(SIDE - row, step * (1L + random.nextInt(2)));
        long columns = Math.min(SIDE - column, step * (1L + random.nextInt(2)));
        return Box.of(new long[] {row, column}, new long[] {row + rows, column + columns});
    }

    private static List<Step> draw(SplittableRandom random, List<Data> data, int devices) {
        List<Step> steps = new ArrayList<>();
        for (int number = 0; number < TASKS; number++) {
            int written = random.nextInt(data.size());
            List<View> reads = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                int other = random.nextInt(data.size());
                if (other != written) {
                    reads.add(data.get(other).part(draw(random)));
                }
            }
            int where = random.nextInt(devices + 2);
            steps.add(new Step(
                    reads,
                    data.get(written).part(draw(random)),
                    random.nextInt(3) > 0,
                    where == 0 ? Target.HOST : where <= devices ? Target.named("emulated" + (where - 1)) : null,
                    number));
        }
        return steps;
    }

    private static void runPlainly(List<Step> steps, List<Data> data, long[][] cells) {
        for (Step step : steps) {
            long sum = 0;
            for (View read : step.reads()) {
                sum += sum(memory(read, data, cells));
            }
            Memory written = memory(step.writes(), data, cells);
            for (long row = 0; row < written.extent(0); row++) {
                for (long column = 0; column < written.extent(1); column++) {
                    long old = written.getLong(row, column);
                    written.setLong(row, column, element(step.updates(), old, sum, step.number()));
                }
            }
        }
    }

    private static Memory memory(View view, List<Data> data, long[][] cells) {
        MemorySegment all = MemorySegment.ofArray(cells[data.indexOf(view.data())]);
        return new Memory(all, Layout.of(ElementType.INT64, SIDE, SIDE)).part(view.box());
    }

    private static void submit(TaskGraph graph, Step step) {
        TaskBuilder task = graph.task("t" + step.number());
        step.reads().forEach(task::reads);
        if (step.updates()) {
            task.updates(step.writes());
        } else {
            task.writes(step.writes());
        }
        if (step.on() != null) {
            task.on(step.on());
        }
        task.run(MIX, (long) step.number(), step.updates() ? 1 : 0, step.reads().size());
    }

    /** The user's array, or memory of the engine's with the same contents. */
    private static Data matrix(Session session, int number, boolean atHome, long[] home) {
        Layout layout = Layout.of(ElementType.INT64, SIDE, SIDE);
        if (atHome) {
            return session.data().home("m" + number, layout, MemorySegment.ofArray(home));
        }
        Data made = session.data().of("m" + number, layout);
        session.graph()
                .task("load")
                .writes(made)
                .run(ctx -> ctx.memory(made).segment().copyFrom(MemorySegment.ofArray(home)));
        return made;
    }

    private static void store(Session session, Data data, boolean atHome, long[] home) {
        if (atHome) {
            session.data().fetch(data);
        } else {
            session.graph()
                    .task("store")
                    .reads(data)
                    .run(ctx -> MemorySegment.ofArray(home)
                            .copyFrom(ctx.memory(data).segment()))
                    .join();
        }
    }

    private void runOne(long seed, int workers, int devices, Policy policy) {
        SplittableRandom random = new SplittableRandom(seed);
        Session.Builder builder = Session.builder().workers(workers).policy(policy);
        long limit = random.nextBoolean() ? 1L << 20 : MATRICES * MATRIX;
        for (int i = 0; i < devices; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i);
            builder.device(random.nextBoolean() ? offer : offer.withoutPeers(), limit);
        }
        long[][] cells = new long[MATRICES][SIDE * SIDE];
        long[][] homes = new long[MATRICES][SIDE * SIDE];
        for (int m = 0; m < MATRICES; m++) {
            for (int i = 0; i < cells[m].length; i++) {
                cells[m][i] = random.nextLong();
                homes[m][i] = cells[m][i];
            }
        }
        boolean atHome = random.nextBoolean();
        if (!atHome) {
            builder.hostMemory(MATRICES * MATRIX).disk(folder, 1L << 20, random.nextBoolean());
        }
        if (seed % 3 == 0) {
            builder.checking();
        }
        try (Session session = builder.open()) {
            List<Data> data = new ArrayList<>();
            for (int m = 0; m < MATRICES; m++) {
                data.add(matrix(session, m, atHome, homes[m]));
            }
            List<Step> steps = draw(random, data, devices);
            TaskGraph graph = session.graph("random", FailurePolicy.CONTINUE);
            if (random.nextBoolean()) {
                graph.window(1 + random.nextInt(30));
            }
            steps.forEach(step -> submit(graph, step));
            graph.await();
            for (int m = 0; m < MATRICES; m++) {
                store(session, data.get(m), atHome, homes[m]);
            }
            runPlainly(steps, data, cells);
            for (int m = 0; m < MATRICES; m++) {
                assertArrayEquals(
                        cells[m],
                        homes[m],
                        "seed " + seed + ", " + workers + " workers, " + devices + " devices, " + policy.name());
            }
            session.data()
                    .transfers()
                    .spaces()
                    .forEach(used -> assertTrue(used.peak() <= used.limit(), () -> "seed " + seed + ": " + used));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void giveTheResultOfAPlainLoop(int devices) {
        for (long seed = 0; seed < 100; seed++) {
            runOne(1_000L * devices + seed, 1 + (int) (seed % 4), devices, Policies.named("stealing"));
        }
    }

    static Stream<Policy> policies() {
        return Policies.all().stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void giveItUnderEveryPolicy(Policy policy) {
        for (long seed = 0; seed < 20; seed++) {
            runOne(10_000 + seed, 1 + (int) (seed % 3), 2, policy);
        }
    }

    @Test
    void boxesMinusBoxesAreDisjointAndComplete() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            Box all = draw(random);
            Box cut = draw(random);
            List<Box> rest = all.without(cut);
            long elements = all.intersects(cut) ? all.intersection(cut).elements() : 0;
            for (Box box : rest) {
                elements += box.elements();
                assertTrue(all.contains(box) && !box.intersects(cut));
                assertTrue(rest.stream().filter(box::intersects).count() == 1);
            }
            assertTrue(elements == all.elements());
        }
    }
}
