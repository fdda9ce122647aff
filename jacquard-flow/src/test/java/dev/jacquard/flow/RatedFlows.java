package dev.jacquard.flow;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.RatedFlow.Injected;
import dev.jacquard.flow.RatedFlow.Item;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.proof.Proof.Verdict;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.runtime.CopyNames;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.testkit.Watchdog;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

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
        FlowRun<Integer, Item> run = flow.graph.start(workers);
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
            bounded(flow);
        } finally {
            close(flow, run);
        }
    }

    private static void bounded(RatedFlow flow) {
        for (int pool = 0; pool < flow.pools(); pool++) {
            if (flow.largest[pool].get() > flow.size(pool)) {
                throw new AssertionError("pool " + pool + ": " + flow.largest[pool] + " live buffers");
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
        for (int pool = 0; pool < flow.pools(); pool++) {
            flow.live[pool].set(0);
        }
    }

    /** Lets one body throw: there are never more live buffers than proved. */
    private static void fail(RatedFlow flow, long seed) {
        flow.fuse.set(new Random(seed).nextInt(60));
        try {
            toTheEnd(flow, new SeededWorkers(seed));
        } catch (FlowFailedException e) {
            if (!(e.getCause() instanceof Injected)) {
                throw e;
            }
        } finally {
            flow.fuse.set(-1);
        }
        bounded(flow);
    }

    /** Plays the events of a refutation, after which nothing moves, and items wait. */
    private static void standsStill(RatedFlow flow, Proof proof) {
        SeededWorkers workers = SeededWorkers.oneByOne(1);
        FlowRun<Integer, Item> run = flow.graph.startUnproved(workers);
        workers.runSome(1_000); // copies begin
        try {
            for (Event event : Objects.requireNonNull(proof.standstill()).events()) {
                play(flow, run, workers, event);
            }
            flow.played = null;
            run.finish();
            workers.runSome(10_000);
            if (run.isDone()) {
                throw new AssertionError("it goes on\n" + run.report());
            }
        } finally {
            flow.played = null;
            close(flow, run);
        }
    }

    private static void play(RatedFlow flow, FlowRun<Integer, Item> run, SeededWorkers workers, Event event) {
        if (event.part().equals(Event.SENT)) {
            run.send(0);
            return;
        }
        flow.played = event;
        flow.worked = false;
        while (!flow.worked) {
            if (!workers.runFirst(node -> CopyNames.of(node).equals(event.part()))) {
                throw new AssertionError("no copy is ready for: " + event + "\n" + run.report());
            }
        }
    }
}
