package dev.jacquard.bench.ranks;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.local.LocalRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;

/**
 * A message that two ranks send each other, one way: on virtual threads, on threads of the platform, and compared with
 * a synchronous queue of the JDK for each direction, through which an array is handed and copied.
 */
final class PingPong extends Workload {
    private final int bytes;
    private final int turns;

    PingPong(String name, int bytes, int turns) {
        super(name, "us/message", new Rounds(0, 1), new Rounds(3, 11));
        this.bytes = bytes;
        this.turns = turns;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int count = plan.quick() ? Math.max(2, turns / 100) : turns;
        List<Contender> all = new ArrayList<>();
        all.add(new Ranks("jacquard", LocalRanks.of(2).onVirtualThreads(), count, plan.clock()));
        all.add(new Ranks("jacquard-platform", LocalRanks.of(2), count, plan.clock()));
        if (plan.includes("queues")) {
            all.add(new Queues(count, plan.clock()));
        }
        return all;
    }

    private final class Ranks extends Contender {
        private final LocalRanks ranks;
        private final int count;
        private final Clock clock;

        Ranks(String system, LocalRanks ranks, int count, Clock clock) {
            super(system, 2);
            this.ranks = ranks;
            this.count = count;
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            return Map.of(MAIN, ranks.run(this::play).getFirst());
        }

        private double play(Communicator comm) throws InterruptedException {
            byte[] memory = new byte[bytes];
            Elements elements = Elements.of(memory);
            comm.barrier();
            long begun = clock.nanoTime();
            for (int i = 0; i < count; i++) {
                if (comm.rank() == 0) {
                    memory[0] = (byte) i;
                    comm.send(elements, 1, 0);
                    comm.receive(elements, 1, 0);
                } else {
                    comm.receive(elements, 0, 0);
                    comm.send(elements, 0, 0);
                }
            }
            double micros = (clock.nanoTime() - begun) / 1e3 / (2.0 * count);
            verify(memory[0] == (byte) (count - 1), "the last message");
            return micros;
        }
    }

    private final class Queues extends Contender {
        private final int count;
        private final Clock clock;

        Queues(int count, Clock clock) {
            super("queues", 2);
            this.count = count;
            this.clock = clock;
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            SynchronousQueue<byte[]> there = new SynchronousQueue<>();
            SynchronousQueue<byte[]> back = new SynchronousQueue<>();
            double[] micros = {0};
            Thread second = Thread.ofVirtual().start(() -> play(there, back, new byte[bytes]));
            Thread first = Thread.ofVirtual().start(() -> {
                long begun = clock.nanoTime();
                byte[] memory = new byte[bytes];
                play(back, there, memory, memory);
                micros[0] = (clock.nanoTime() - begun) / 1e3 / (2.0 * count);
            });
            first.join();
            second.join();
            return Map.of(MAIN, micros[0]);
        }

        private void play(SynchronousQueue<byte[]> from, SynchronousQueue<byte[]> to, byte[] first, byte[] memory) {
            try {
                to.put(first);
                for (int i = 1; i < count; i++) {
                    System.arraycopy(from.take(), 0, memory, 0, bytes);
                    to.put(memory);
                }
                System.arraycopy(from.take(), 0, memory, 0, bytes);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void play(SynchronousQueue<byte[]> from, SynchronousQueue<byte[]> to, byte[] memory) {
            try {
                for (int i = 0; i < count; i++) {
                    System.arraycopy(from.take(), 0, memory, 0, bytes);
                    to.put(memory);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
