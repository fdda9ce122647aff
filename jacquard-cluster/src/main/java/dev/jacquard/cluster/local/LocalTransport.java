package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.Payload;
import dev.jacquard.cluster.message.Transport;
import dev.jacquard.cluster.message.Wait;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The transport of one rank of a {@link World}. */
final class LocalTransport implements Transport {
    private final World world;
    private final int rank;
    /** The number of the message at which this rank fails while sending. */
    private final long fault;
    /** Messages, counted if this rank is to fail. */
    private final AtomicLong sent = new AtomicLong();

    LocalTransport(World world, int rank) {
        this.world = world;
        this.rank = rank;
        this.fault = world.fault(rank);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return world.size();
    }

    @Override
    public void attach(Endpoint endpoint) {
        world.attach(rank, endpoint);
    }

    @Override
    public void send(int to, Envelope envelope, Elements elements, Payload.Completion then) {
        if (fault != Long.MAX_VALUE && sent.incrementAndGet() >= fault) {
            throw new CommunicationException("rank " + rank + " fails with its message " + fault + ", as was asked");
        }
        Carrier carrier = world.carrier();
        LocalPayload payload = new LocalPayload(elements, then, carrier != null);
        if (carrier == null) {
            world.endpoint(to).deliver(envelope, payload);
        } else {
            payload.keep();
            carrier.carry(rank, to, envelope, payload);
        }
        if (payload.isKept()) {
            then.end(null);
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it hands the carrier thread on, whatever the order of the others
    public void progress() {
        Carrier carrier = world.carrier();
        boolean moved = carrier != null && carrier.progress();
        if (!moved && Thread.currentThread().isVirtual()) {
            Thread.yield(); // a rank that polls would hold its carrier thread, which other ranks need
        }
    }

    @Override
    public void await(Wait wait) throws InterruptedException {
        Carrier carrier = world.carrier();
        if (carrier != null) {
            while (!wait.isOver() && carrier.progress()) {
                // one message more was delivered
            }
        }
        world.block(rank, wait);
        try {
            while (!wait.isOver()) {
                if (Thread.currentThread().isInterrupted()) {
                    world.unblock(wait); // before the interrupt is gone, by which the wait does not count
                    Thread.interrupted();
                    throw new InterruptedException("rank " + rank + " was interrupted while it waited");
                }
                LockSupport.park(this);
            }
        } finally {
            world.unblock(wait);
        }
    }

    @Override
    public void ended(Wait wait) {
        world.ended();
    }

    @Override
    public void execute(Runnable action) {
        world.execute(action);
    }

    @Override
    public Runnable service(Runnable action) {
        return world.service(action);
    }

    @Override
    public AbortedException abort(int code, String reason) {
        return world.abort(rank, code, reason, null);
    }

    @Override
    public OptionalLong handle() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong handle(int[] ranks) {
        return OptionalLong.empty();
    }

    @Override
    public void free(long handle) {
        throw new IllegalStateException("ranks inside one process have no native communicators");
    }
}
