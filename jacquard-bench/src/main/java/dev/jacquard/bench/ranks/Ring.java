package dev.jacquard.bench.ranks;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.local.LocalRanks;
import java.util.List;
import java.util.Map;

/** A thousand ranks on virtual threads, each of which sends a thousand messages to the next one. */
final class Ring extends Workload {
    private static final int RANKS = 1_000;
    private static final int MESSAGES = 1_000;

    Ring() {
        super("ranks.ring", "s", new Rounds(0, 1), new Rounds(1, 5));
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
            List<Long> tokens = LocalRanks.of(ranks).onVirtualThreads().run(this::play);
            double seconds = (clock.nanoTime() - begun) / 1e9;
            verify(tokens.getFirst() == Math.floorMod(-messages, ranks), "the token of rank 0");
            return Map.of(MAIN, seconds);
        }

        private long play(Communicator comm) throws InterruptedException {
            long[] token = {comm.rank()};
            long[] next = {0};
            int right = (comm.rank() + 1) % comm.size();
            int left = (comm.rank() + comm.size() - 1) % comm.size();
            for (int i = 0; i < messages; i++) {
                comm.exchange(Elements.of(token), right, 0, Elements.of(next), left, 0);
                token[0] = next[0];
            }
            return token[0];
        }
    }
}
