package dev.jacquard.bench.ranks;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.cluster.local.LocalRanks;
import dev.jacquard.cluster.local.LocalRanks.Link;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages on links that take as long as the concurrent computation, which waits: the time of both at once, relative to
 * the longer one. Without overlap it is 2.
 */
final class Overlap extends Workload {
    private static final int BYTES = 1 << 20;
    private static final long NANOS = 50_000_000;
    private static final int STEPS = 10;

    Overlap() {
        super("ranks.overlap", "of the longer", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Ranks(plan.quick() ? 1 : STEPS, plan.clock()));
    }

    private static final class Ranks extends Contender {
        private final int steps;
        private final Clock clock;

        Ranks(int steps, Clock clock) {
            super("jacquard", 2);
            this.steps = steps;
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            Link link = new Link(Duration.ZERO, BYTES / (NANOS / 1e9));
            return Map.of(MAIN, LocalRanks.of(2).over(link).run(this::play).getFirst());
        }

        private double play(Communicator comm) throws InterruptedException {
            byte[] out = new byte[BYTES];
            byte[] in = new byte[BYTES];
            comm.barrier();
            long begun = clock.nanoTime();
            for (int step = 0; step < steps; step++) {
                out[0] = (byte) step;
                Request receive = comm.receiveAsync(Elements.of(in), 1 - comm.rank(), step);
                Request send = comm.sendAsync(Elements.of(out), 1 - comm.rank(), step);
                long end = clock.nanoTime() + NANOS;
                while (clock.nanoTime() - end < 0) {
                    LockSupport.parkNanos(end - clock.nanoTime());
                }
                receive.await();
                send.await();
                verify(in[0] == (byte) step, "the message of step " + step);
            }
            return (clock.nanoTime() - begun) / (double) (steps * NANOS);
        }
    }
}
