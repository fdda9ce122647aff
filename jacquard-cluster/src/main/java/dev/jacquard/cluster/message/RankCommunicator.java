package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A communicator over any transport.
 *
 * <p>Threads: any. The fields that change are written under the monitor; {@code closed} is read without it.
 */
public final class RankCommunicator extends MessageCalls implements Communicator {
    private static final String WORLD = "world";

    private final Endpoint endpoint;
    private final String name;
    private final Group group;
    private final long context;
    private final Channel messages;
    private final Collectives collectives;

    /** Null until the handle is asked for. Guarded by this. */
    private @Nullable OptionalLong handle;

    private volatile boolean closed;

    private RankCommunicator(Endpoint endpoint, String name, Group group, long context) {
        this.endpoint = endpoint;
        this.name = name;
        this.group = group;
        this.context = context;
        this.messages = endpoint.channel(context);
        this.collectives = new Collectives(this, endpoint.channel(context + 1));
    }

    /** The communicator of all ranks. */
    public static RankCommunicator world(Endpoint endpoint) {
        Transport transport = endpoint.transport();
        return new RankCommunicator(endpoint, WORLD, Group.world(transport.rank(), transport.size()), 0);
    }

    @Override
    public int rank() {
        return group.rank();
    }

    @Override
    public int size() {
        return group.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    Channel messages() {
        return messages;
    }

    @Override
    RankCommunicator communicator() {
        return this;
    }

    @Override
    Collectives collectives() {
        return collectives;
    }

    @Override
    Endpoint endpoint() {
        return endpoint;
    }

    @Override
    long context() {
        return context;
    }

    /** Returns the place for messages of errors; empty for the world. */
    String where() {
        return context == 0 ? "" : ", in communicator '" + name + "'";
    }

    // ---- operations

    @Override
    Operation post(int to, Envelope envelope, Elements elements, String action) {
        requireUsable();
        int world = group.world(requireRank("the receiver", to, 0));
        Operation operation = new Operation(endpoint, new Operation.Subject(action, name, world, to, envelope.tag()));
        endpoint.transport().send(world, envelope, elements, operation);
        return operation;
    }

    @Override
    Operation receiving(String action, int from, int tag) {
        requireUsable();
        requireRank("the source", from, ANY_SOURCE);
        requireTag("tag", tag, ANY_TAG);
        return operation(action, from, tag);
    }

    /** Returns an operation that receives. */
    Operation operation(String action, int from, int tag) {
        return new Operation(
                endpoint, new Operation.Subject(action, name, from == ANY_SOURCE ? -1 : group.world(from), from, tag));
    }

    // ---- communicators

    @Override
    public @Nullable Communicator split(int color, int key) throws InterruptedException {
        if (color < -1) {
            throw new IllegalArgumentException(
                    "the color " + color + " of a split; expected one from 0 on, or -1 for no communicator");
        }
        int number = collectives().next();
        Group its = collectives().split(group, color, key);
        if (its == null) {
            return null;
        }
        return new RankCommunicator(endpoint, name + ".split" + color, its, contextOf(number, color));
    }

    @Override
    public Communicator duplicate(String its) throws InterruptedException {
        int number = collectives().next();
        barrier(); // so that an unequal call is seen here
        return new RankCommunicator(endpoint, its, group, contextOf(number, 0));
    }

    /** Returns a number that is the same on all ranks of a new communicator, and no other communicator's. */
    private long contextOf(int number, int color) {
        long mixed = context * 0x9E3779B97F4A7C15L + number * 0xC2B2AE3D27D4EB4FL + color + 1;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed ^ (mixed >>> 32)) & ~1L;
    }

    @Override
    public AbortedException abort(int code, String reason) {
        if (code < 1) {
            throw new IllegalArgumentException("the exit code " + code + " of an abort; expected one from 1 on");
        }
        return endpoint.transport().abort(code, reason);
    }

    @Override
    public synchronized OptionalLong handle() throws InterruptedException {
        OptionalLong its = handle;
        if (its == null) {
            Transport transport = endpoint.transport();
            its = context == 0 ? transport.handle() : transport.handle(group.worldRanks());
            handle = its;
        }
        return its;
    }

    @Override
    public Runnable service(Runnable action) {
        return endpoint.transport().service(action);
    }

    @Override
    public Supplier<@Nullable Waiting> observe() {
        return endpoint.observe();
    }

    @Override
    public List<String> unreceived() {
        return messages.waiting().stream()
                .map(each -> each.content() + " of rank " + each.source() + " with tag " + each.tag() + where())
                .toList();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed || context == 0) {
                return;
            }
            closed = true;
            OptionalLong its = handle;
            if (its != null && its.isPresent()) {
                endpoint.transport().free(its.getAsLong());
            }
        }
        endpoint.close(context);
        endpoint.close(context + 1);
    }

    // ---- checks

    private void requireUsable() {
        if (closed) {
            throw new IllegalStateException("communicator '" + name + "' is closed");
        }
        RuntimeException failure = endpoint.broken();
        if (failure != null) {
            throw Operation.again(failure);
        }
    }

    @Override
    int requireRank(String role, int rank, int least) {
        if (rank < least || rank >= size()) {
            throw new IllegalArgumentException(role + " is rank " + rank + ", and communicator '" + name + "' has "
                    + size() + (size() == 1 ? " rank" : " ranks") + ", from 0 to " + (size() - 1));
        }
        return rank;
    }
}
