package dev.jacquard.cluster.local;

import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages in an order drawn from a seed: whenever a rank waits, or asks for progress, the next message of a
 * drawn pair of ranks.
 *
 * <p>Threads: any. The monitor guards all, and is held while a message is delivered, so that pairs keep their order.
 */
final class DrawnOrder implements Carrier {
    private final World world;
    private final SplittableRandom random;
    private final Map<Long, Queue<UnderWay>> queues = new HashMap<>();
    private final List<Queue<UnderWay>> filled = new ArrayList<>();
    /** Written under the monitor, read by any thread. */
    private final AtomicInteger count = new AtomicInteger();

    private record UnderWay(Endpoint to, Envelope envelope, LocalPayload payload) {}

    DrawnOrder(World world, long seed) {
        this.world = world;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public synchronized void carry(int from, int to, Envelope envelope, LocalPayload payload) {
        Queue<UnderWay> queue = queues.computeIfAbsent((long) from * world.size() + to, _ -> new ArrayDeque<>());
        if (queue.isEmpty()) {
            filled.add(queue);
        }
        queue.add(new UnderWay(world.endpoint(to), envelope, payload));
        count.incrementAndGet();
        while (random.nextInt(3) == 0 && deliverOne()) {
            // sometimes a message goes on at once
        }
    }

    @Override
    public synchronized boolean progress() {
        return deliverOne();
    }

    private boolean deliverOne() {
        if (filled.isEmpty()) {
            return false;
        }
        int drawn = random.nextInt(filled.size());
        Queue<UnderWay> queue = filled.get(drawn);
        @Nullable UnderWay next = queue.poll();
        if (queue.isEmpty()) {
            filled.set(drawn, filled.getLast());
            filled.removeLast();
        }
        if (next == null) {
            return false;
        }
        next.to.deliver(next.envelope, next.payload);
        count.decrementAndGet();
        return true;
    }

    @Override
    public int underWay() {
        return count.get();
    }

    @Override
    public void close() {}
}
