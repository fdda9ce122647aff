package dev.jacquard.cluster.local;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.cluster.message.Envelope;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * A link between each two ranks: a message takes its bytes divided by the bandwidth, after the messages before it on
 * the link, and then the latency.
 *
 * <p>Threads: any send; one thread delivers, in the order of arrival. The monitor guards the queue and the links.
 */
final class Delays implements Carrier {
    private final World world;
    private final LocalRanks.Link link;
    private final Clock clock;
    private final Thread thread;
    /** By pair: when the link is free again. */
    private final long[] free;

    private final PriorityQueue<UnderWay> queue = new PriorityQueue<>();
    private long number;
    private boolean closed;
    private volatile int count;

    private record UnderWay(long time, long number, int to, Envelope envelope, LocalPayload payload)
            implements Comparable<UnderWay> {
        @Override
        public int compareTo(UnderWay other) {
            int byTime = Long.compare(time - other.time, 0);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Delays(World world, LocalRanks.Link link, Clock clock, ThreadFactory threads) {
        this.world = world;
        this.link = link;
        this.clock = clock;
        this.free = new long[Math.multiplyExact(world.size(), world.size())];
        java.util.Arrays.fill(free, clock.nanoTime());
        this.thread = threads.newThread(this::deliver);
        thread.start();
    }

    @Override
    public void carry(int from, int to, Envelope envelope, LocalPayload payload) {
        long now = clock.nanoTime();
        synchronized (this) {
            int pair = from * world.size() + to;
            long begin = free[pair] - now > 0 ? free[pair] : now;
            long end = begin + link.nanos(envelope.bytes());
            free[pair] = end;
            queue.add(new UnderWay(end + link.latencyNanos(), number++, to, envelope, payload));
            count = count + 1;
        }
        LockSupport.unpark(thread);
    }

    private void deliver() {
        while (true) {
            UnderWay next;
            long wait = Long.MAX_VALUE;
            synchronized (this) {
                if (closed) {
                    return;
                }
                next = queue.peek();
                if (next != null) {
                    wait = next.time - clock.nanoTime();
                    if (wait <= 0) {
                        queue.remove();
                    }
                }
            }
            if (next == null) {
                LockSupport.park(this);
            } else if (wait > 0) {
                LockSupport.parkNanos(this, wait);
            } else {
                world.endpoint(next.to).deliver(next.envelope, next.payload);
                synchronized (this) {
                    count = count - 1;
                }
                world.check(); // it may have been the last hope
            }
        }
    }

    @Override
    public boolean progress() {
        return false;
    }

    @Override
    public int underWay() {
        return count;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        LockSupport.unpark(thread);
        Threads.join(thread);
    }
}
