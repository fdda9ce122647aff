package dev.jacquard.flow;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.RatedWork.Injected;
import dev.jacquard.flow.RatedWork.Item;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.proof.Proof.Verdict;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.runtime.CopyNames;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.testkit.Watchdog;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;

/**
 * Compares the proofs of random graphs with runs of the engine: a graph that is proved ends in every run, and one that
 * is refuted stands still after the order of events that the proof states.
 */
final class RatedFlows {
    private static final int ITEMS = 12;

    /** The number of graphs per verdict. */
    final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);

    /** Runs random graphs from the command line: the first seed, their number, runs of each. */
    public static void main(String... arguments) {
        long from = Long.parseLong(arguments[0]);
        int seeds = Integer.parseInt(arguments[1]);
        int runs = Integer.parseInt(arguments[2]);
        RatedFlows flows = new RatedFlows();
        for (long seed = from; seed < from + seeds; seed++) {
            flows.check(seed, runs);
        }
        System.out.println(flows.counts);
        if (flows.isUnknownTooOften()) {
            System.exit(1);
        }
    }

    /** Returns true if more than 5 % of the graphs are neither proved nor refuted. */
    boolean isUnknownTooOften() {
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        return counts.getOrDefault(Verdict.UNKNOWN, 0) > all / 20;
    }

    /** Checks the proof of one graph in {@code runs} runs. */
    void check(long seed, int runs) {
        RatedFlow flow = new RatedFlow(seed);
        Proof proof = flow.graph.prove();
        counts.merge(proof.verdict(), 1, Integer::sum);
        try {
            switch (proof.verdict()) {
                case PROVED -> {
                    for (int i = 0; i < runs; i++) {
                        run(flow, seed * 1_000 + i);
                    }
                    fail(flow, seed);
                    cancel(flow, seed);
                }
                case REFUTED -> standsStill(flow, proof);
                case UNKNOWN -> {}
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + proof, e);
        }
    }

    private static void run(RatedFlow flow, long seed) {
        if (seed % 4 != 3) {
            toTheEnd(flow, new SeededWorkers(seed));
        } else {
            try (ThreadedWorkers workers = new ThreadedWorkers(1 + (int) (seed / 4 % 4))) {
                toTheEnd(flow, workers);
            }
        }
    }

    private static void toTheEnd(RatedFlow flow, Workers workers) {
        toTheEnd(flow, workers, flow.graph.start(workers));
    }

    private static void toTheEnd(RatedFlow flow, Workers workers, FlowRun<Integer, Item> run) {
        try {
            for (int i = 0; i < ITEMS; i++) {
                run.send(i);
            }
            run.finish();
            if (workers instanceof SeededWorkers) {
                run.await(); // an AssertionError if nothing is ready
            } else {
                Watchdog.until(run::isDone, "the end of the run");
            }
        } finally {
            close(flow, run);
        }
        bounded(flow, run);
    }

    /** There were never more live buffers and bytes than proved, by the counts of the bodies and by the profile. */
    private static void bounded(RatedFlow flow, FlowRun<?, ?> run) {
        List<Proof.Memory> proved = flow.graph.prove().memories().stream()
                .filter(memory -> !memory.isBound())
                .toList();
        for (int i = 0; i < proved.size(); i++) {
            FlowProfile.Memory its = run.profile().memories().get(i);
            Proof.Memory bound = proved.get(i);
            if (its.peak() > bound.size() || (bound.bytes() >= 0 && its.peakBytes() > bound.bytes())) {
                throw new AssertionError(its + " is more than " + bound);
            }
        }
        for (RatedWork.Pool pool : flow.work.pools) {
            long bytes = pool.edge instanceof SizedEdge<?> sized ? sized.bytes() : 0;
            if (pool.largest.get() > pool.edge.size() || pool.mostBytes.get() > bytes) {
                throw new AssertionError("memory edge \"" + pool.edge + "\": " + pool.largest + " live buffers, "
                        + pool.mostBytes + " bytes");
            }
        }
    }

    private static void close(RatedFlow flow, FlowRun<?, ?> run) {
        run.cancel();
        try {
            run.close();
        } catch (IllegalStateException e) {
            // names the buffers of items that are left in rules, or in the queues of a run that was cancelled
        }
        flow.work.pools.forEach(RatedWork.Pool::forget);
    }

    /** Lets one body throw. */
    private static void fail(RatedFlow flow, long seed) {
        flow.work.fuse.set(new Random(seed).nextInt(60));
        SeededWorkers workers = new SeededWorkers(seed);
        FlowRun<Integer, Item> run = flow.graph.start(workers);
        try {
            toTheEnd(flow, workers, run);
        } catch (FlowFailedException e) {
            if (!(e.getCause() instanceof Injected)) {
                throw e;
            }
        } finally {
            flow.work.fuse.set(-1);
        }
        bounded(flow, run);
    }

    /** Cancels a run at some moment. */
    private static void cancel(RatedFlow flow, long seed) {
        SeededWorkers workers = new SeededWorkers(seed);
        FlowRun<Integer, Item> run = flow.graph.start(workers);
        int[] left = {new Random(~seed).nextInt(60)};
        workers.beforeEach(() -> {
            if (--left[0] == 0) {
                run.cancel();
            }
        });
        try {
            toTheEnd(flow, workers, run);
        } catch (CancellationException e) {
            bounded(flow, run);
        }
    }

    /** Plays the events of a refutation, after which nothing moves, and items wait. */
    private static void standsStill(RatedFlow flow, Proof proof) {
        SeededWorkers workers = SeededWorkers.oneByOne(1);
        FlowRun<Integer, Item> run = flow.graph.startUnproved(workers);
        while (workers.runFirst(node -> !CopyNames.of(node).equals("start"))) {
            // copies begin
        }
        try {
            for (Event event : Objects.requireNonNull(proof.standstill()).events()) {
                play(flow, run, workers, event);
            }
            flow.work.played = null;
            run.finish();
            workers.runSome(10_000);
            if (run.isDone()) {
                throw new AssertionError("it goes on\n" + run.report());
            }
        } finally {
            flow.work.played = null;
            close(flow, run);
        }
    }

    private static void play(RatedFlow flow, FlowRun<Integer, Item> run, SeededWorkers workers, Event event) {
        if (event.part().equals(Event.SENT)) {
            run.send(0);
            return;
        }
        flow.work.played = event;
        long before = executed(run, event.part());
        while (executed(run, event.part()) == before) {
            if (!workers.runFirst(node -> CopyNames.of(node).equals(event.part()))) {
                throw new AssertionError("no copy is ready for: " + event + "\n" + run.report());
            }
        }
    }

    private static long executed(FlowRun<?, ?> run, String part) {
        return run.report().tasks().stream()
                .filter(task -> task.task().equals(part))
                .mapToLong(task -> task.executed() + task.dropped())
                .sum();
    }
}
