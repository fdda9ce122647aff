package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.View;
import dev.jacquard.core.device.emulated.EmulatedBody;
import dev.jacquard.core.device.emulated.EmulatedDevice;
import dev.jacquard.core.device.emulated.EmulatedFaults;
import dev.jacquard.core.device.emulated.EmulatedFaults.Kind;
import dev.jacquard.core.device.emulated.EmulatedOffer;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Kernel;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One random program on parts of vectors, on a host and one to three emulated devices on which random things go wrong. Each part has the
 * result of a plain loop in the end, or whoever reads it is told why not.
 */
final class FaultTrial {
    private static final int LENGTH = 24;
    private static final int VECTORS = 4;
    private static final int TASKS = 60;
    private static final int CHUNK = 4;

    /** How it ended: how many parts are right, and how many are named as lost; what was recomputed, what fell back. */
    record Verdict(int right, int named, int recomputed, long fellBack, int lost, long corrupted) {}

    /** How a task is submitted. */
    private enum How {
        ANYWHERE,
        DEVICES,
        PINNED,
        HOST,
        BODY
    }

    private record Step(
            int number, How how, int device, List<View> reads, View written, boolean updates, int retries) {}

    private final long seed;
    private final SplittableRandom random;
    private final int devices;
    private final boolean checking;
    /** Whether there are tasks that can go nowhere else, or not be done twice. */
    private final boolean strict;

    private final Path folder;

    FaultTrial(long seed, Path folder) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.devices = 1 + random.nextInt(3);
        this.checking = random.nextInt(3) == 0;
        this.strict = random.nextInt(3) == 0;
        this.folder = folder;
    }

    private static long element(boolean updates, long old, long sum, long number) {
        return (updates ? old * 31 : 0) + sum * 7 + number;
    }

    /** Arguments: number, whether it updates, then what it reads, and what it writes. */
    private static final Kernel DEVICES_ONLY = Kernel.named("mix")
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
            }));

    private static final Kernel ANYWHERE = DEVICES_ONLY.onHost(arguments -> {
        List<Memory> reads = new ArrayList<>();
        int count = (int) arguments.integer(2);
        for (int i = 0; i < count; i++) {
            reads.add(arguments.memory(3 + i));
        }
        work(reads, arguments.memory(3 + count), arguments.integer(1) == 1, arguments.integer(0));
    });

    private static void work(List<Memory> reads, Memory written, boolean updates, long number) {
        long sum = 0;
        for (Memory read : reads) {
            for (long i = 0; i < read.extent(0); i++) {
                sum += read.getLong(i);
            }
        }
        for (long i = 0; i < written.extent(0); i++) {
            written.setLong(i, element(updates, written.getLong(i), sum, number));
        }
    }

    private View draw(Data data) {
        long from = (long) CHUNK * random.nextInt(LENGTH / CHUNK) + (random.nextInt(6) == 0 ? 1 : 0);
        long to = random.nextInt(6) == 0 ? LENGTH : Math.min(LENGTH, from + CHUNK * (1L + random.nextInt(2)));
        return random.nextInt(5) == 0 ? data.rows(0, LENGTH) : data.rows(from, to);
    }

    private Step draw(List<Data> data, int number) {
        int written = random.nextInt(VECTORS);
        List<View> reads = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            int other = random.nextInt(VECTORS);
            if (other != written) {
                reads.add(draw(data.get(other)));
            }
        }
        int pick = random.nextInt(20);
        How how = pick < 3 ? How.HOST : How.ANYWHERE;
        if (strict && pick > 13) {
            how = pick < 17 ? How.DEVICES : pick < 18 ? How.BODY : How.PINNED;
        }
        return new Step(
                number,
                how,
                random.nextInt(devices),
                reads,
                draw(data.get(written)),
                random.nextInt(3) > 0,
                random.nextInt(4) == 0 ? 2 : 0);
    }

    private static void submit(TaskGraph graph, Step step) {
        TaskBuilder task = graph.task("t" + step.number).retries(step.retries);
        step.reads.forEach(task::reads);
        if (step.updates) {
            task.updates(step.written);
        } else {
            task.writes(step.written);
        }
        switch (step.how) {
            case PINNED -> task.on(Target.named("emulated" + step.device));
            case HOST -> task.on(Target.HOST);
            default -> {}
        }
        if (step.how == How.BODY) {
            task.run(ctx -> work(
                    step.reads.stream().map(ctx::memory).toList(),
                    ctx.memory(step.written),
                    step.updates,
                    step.number));
        } else {
            task.run(
                    step.how == How.DEVICES ? DEVICES_ONLY : ANYWHERE,
                    (long) step.number,
                    step.updates ? 1 : 0,
                    step.reads.size());
        }
    }

    private EmulatedOffer offer(int number) {
        EmulatedFaults faults = EmulatedFaults.NONE.seed(random.nextLong());
        if (random.nextInt(3) > 0) {
            faults = faults.at(Kind.LOSS, 1 + random.nextInt(150));
        }
        for (Kind kind : List.of(Kind.LAUNCH, Kind.COPY, Kind.ALLOCATION)) {
            if (random.nextInt(3) == 0) {
                faults = faults.rate(kind, random.nextDouble(0.1));
            }
        }
        if (checking) {
            faults = faults.rate(Kind.CORRUPTION, random.nextDouble(0.1));
        }
        EmulatedOffer offer = EmulatedDevice.offer("emulated" + number).faults(faults);
        return random.nextBoolean() ? offer : offer.withoutPeers();
    }

    /** What a part has in the end; null when whoever reads it is told that it is lost. */
    private long @Nullable [] read(Session session, View part) {
        long[] found = new long[CHUNK];
        TaskGraph graph = session.graph("read", FailurePolicy.CONTINUE);
        graph.task("read " + part).reads(part).run(ctx -> {
            for (int i = 0; i < CHUNK; i++) {
                found[i] = ctx.memory(part).getLong(i);
            }
        });
        try {
            graph.await();
            return found;
        } catch (TaskFailedException e) {
            requireNamed(String.valueOf(e.getCause()));
            return null;
        }
    }

    private void requireNamed(String message) {
        boolean named = message.contains("has nowhere else to run")
                || message.contains("is lost")
                || message.contains("failed 3 times")
                || message.contains("finds no room");
        if (!named) {
            throw new AssertionError("seed " + seed + ": a failure that does not say enough: " + message);
        }
    }

    /** Runs it; throws an {@link AssertionError} when a result is wrong. */
    Verdict run() {
        SessionBuilder builder = Session.builder().workers(1 + random.nextInt(3));
        long limit = random.nextBoolean() ? 1L << 20 : VECTORS * LENGTH * 8L;
        for (int i = 0; i < devices; i++) {
            builder.device(offer(i), limit);
        }
        if (checking) {
            builder.checking();
        }
        boolean atHome = random.nextBoolean();
        if (!atHome && random.nextBoolean()) {
            builder.hostMemory(VECTORS * LENGTH * 8L).disk(folder, 1L << 20, false);
        }
        @Nullable Verdict verdict = null;
        try (Session session = builder.open()) {
            long[][] cells = new long[VECTORS][LENGTH];
            List<Data> data = new ArrayList<>();
            for (int v = 0; v < VECTORS; v++) {
                Arrays.setAll(cells[v], i -> random.nextLong());
                data.add(vector(session, v, atHome, cells[v].clone()));
            }
            List<Step> steps = new ArrayList<>();
            for (int number = 0; number < TASKS; number++) {
                steps.add(draw(data, number));
            }
            TaskGraph graph = session.graph("random", FailurePolicy.CONTINUE);
            steps.forEach(step -> submit(graph, step));
            await(graph);
            for (Step step : steps) {
                work(
                        step.reads.stream()
                                .map(read -> memory(read, data, cells))
                                .toList(),
                        memory(step.written, data, cells),
                        step.updates,
                        step.number);
            }
            verdict = compare(session, data, cells);
        } catch (IllegalStateException e) { // a device was lost on the way home
            if (verdict == null) {
                throw e;
            }
            requireNamed(String.valueOf(e.getMessage()));
        }
        return verdict;
    }

    private void await(TaskGraph graph) {
        try {
            graph.await();
        } catch (TaskFailedException e) {
            requireNamed(String.valueOf(e.getCause()));
        } catch (CancellationException e) {
            throw new AssertionError("seed " + seed + ": nobody cancelled it", e);
        }
    }

    private Verdict compare(Session session, List<Data> data, long[][] cells) {
        int right = 0;
        int named = 0;
        for (int v = 0; v < VECTORS; v++) {
            for (int from = 0; from < LENGTH; from += CHUNK) {
                long[] found = read(session, data.get(v).rows(from, from + CHUNK));
                long[] expected = Arrays.copyOfRange(cells[v], from, from + CHUNK);
                if (found != null && !Arrays.equals(expected, found)) {
                    throw new AssertionError("seed " + seed + ": v" + v + " from " + from + " has "
                            + Arrays.toString(found) + ", and should have " + Arrays.toString(expected));
                }
                right += found == null ? 0 : 1;
                named += found == null ? 1 : 0;
            }
        }
        Faults faults = session.data().faults();
        return new Verdict(
                right,
                named,
                faults.recomputations().size(),
                faults.fellBack(),
                faults.lost().size(),
                faults.corrupted());
    }

    private static Data vector(Session session, int number, boolean atHome, long[] first) {
        if (atHome) {
            return session.data().vector("v" + number, first);
        }
        Data made = session.data().vector("v" + number, dev.jacquard.core.data.ElementType.INT64, LENGTH);
        session.graph()
                .task("load")
                .writes(made)
                .run(ctx -> ctx.memory(made).segment().copyFrom(MemorySegment.ofArray(first)));
        return made;
    }

    private static Memory memory(View view, List<Data> data, long[][] cells) {
        MemorySegment all = MemorySegment.ofArray(cells[data.indexOf(view.data())]);
        return new Memory(all, view.data().layout()).part(view.box());
    }
}
