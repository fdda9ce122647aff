package dev.jacquard.bench.ranks;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.local.LocalRanks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * A thousand ranks on virtual threads, each of which sends a thousand messages to the next one. A second run collects
 * the garbage after the first quarter of the messages and after the last one, and measures the memory that is held.
 */
final class Ring extends Workload {
    private static final int RANKS = 1_000;
    private static final int MESSAGES = 1_000;
    private static final int QUARTERS = 4;
    /** The garbage of ranks that still run when a collection begins is gone after one of these. */
    private static final int COLLECTIONS = 3;

    private static final String HEAP = ".heap";

    Ring() {
        super("ranks.ring", "s", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public String unit(String part) {
        return part.startsWith(HEAP) ? "MB" : unit();
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Ranks(plan.quick() ? 10 : RANKS, plan.quick() ? 10 : MESSAGES, plan.clock()));
    }

    private static final class Ranks extends Contender {
        private final int ranks;
        private final int messages;
        private final Clock clock;

        Ranks(int ranks, int messages, Clock clock) {
            super("jacquard", Runtime.getRuntime().availableProcessors());
            this.ranks = ranks;
            this.messages = messages;
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            long begun = clock.nanoTime();
            run(messages + 1, _ -> {});
            double seconds = (clock.nanoTime() - begun) / 1e9;
            List<Double> held = new ArrayList<>();
            run(messages / QUARTERS, _ -> held.add(held()));
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(MAIN, seconds);
            figures.put(HEAP + ".first", held.getFirst());
            figures.put(HEAP + ".last", held.getLast());
            return figures;
        }

        /** Returns the megabytes of the heap that are no garbage. */
        private static double held() {
            Runtime runtime = Runtime.getRuntime();
            long bytes = Long.MAX_VALUE;
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
                bytes = Math.min(bytes, runtime.totalMemory() - runtime.freeMemory());
            }
            return bytes / 1e6;
        }

        /**
         * Runs all ranks.
         *
         * @param between the number of messages between two looks of rank 0
         */
        private void run(int between, IntConsumer look) throws InterruptedException {
            List<Long> tokens = LocalRanks.of(ranks).onVirtualThreads().run(comm -> play(comm, between, look));
            verify(tokens.getFirst() == Math.floorMod(-messages, ranks), "the token of rank 0");
        }

        private long play(Communicator comm, int between, IntConsumer look) throws InterruptedException {
            long[] token = {comm.rank()};
            long[] next = {0};
            int right = (comm.rank() + 1) % comm.size();
            int left = (comm.rank() + comm.size() - 1) % comm.size();
            for (int i = 1; i <= messages; i++) {
                comm.exchange(Elements.of(token), right, 0, Elements.of(next), left, 0);
                token[0] = next[0];
                if (i % between == 0) {
                    comm.barrier();
                    if (comm.rank() == 0) {
                        look.accept(i);
                    }
                    comm.barrier(); // else the others would make garbage before the look
                }
            }
            return token[0];
        }
    }
}
