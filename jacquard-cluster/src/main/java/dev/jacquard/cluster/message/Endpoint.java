package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator.Waiting;
import dev.jacquard.cluster.communicator.Elements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place where messages for one rank arrive, in the contexts of all its communicators.
 *
 * <p>Threads: any. {@code broken} is written once, before the channels fail; a channel that is made later sees it.
 */
public final class Endpoint {
    private final Transport transport;
    private final ConcurrentHashMap<Long, Channel> channels = new ConcurrentHashMap<>();
    private final Set<Long> closed = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RuntimeException broken;
    /** The thread that is observed; null for none. */
    private volatile @Nullable Thread observed;
    /** The wait of that thread; null for none. Written by it. */
    private volatile @Nullable Wait current;
    /** Confined to that thread. */
    private long waits;

    /** The endpoint of a transport, which is attached to it. */
    public Endpoint(Transport transport) {
        this.transport = transport;
        transport.attach(this);
    }

    /** Returns its transport. */
    public Transport transport() {
        return transport;
    }

    Channel channel(long context) {
        Channel its = channels.computeIfAbsent(context, _ -> new Channel());
        RuntimeException failure = broken;
        if (failure != null) {
            its.fail(failure);
        }
        return its;
    }

    /** Ends the use of a context: messages that were not received, and later ones, are dropped. */
    void close(long context) {
        closed.add(context);
        Channel its = channels.remove(context);
        if (its != null) {
            its.clear();
        }
    }

    /** A message has come. Messages of one sender are delivered in the order of sending, by one thread at a time. */
    public void deliver(Envelope envelope, Payload payload) {
        Channel channel = channels.get(envelope.context());
        if (channel == null) {
            if (closed.contains(envelope.context())) {
                payload.drop();
                return;
            }
            channel = channel(envelope.context());
        }
        if (envelope.kind() == Envelope.ALARM) {
            alarm(channel, envelope, payload);
        } else {
            channel.deliver(envelope, payload);
        }
    }

    private static void alarm(Channel channel, Envelope envelope, Payload payload) {
        byte[] text = new byte[Math.toIntExact(envelope.bytes())];
        payload.receive(
                Elements.of(text),
                _ -> channel.fail(new CommunicationException(new String(text, StandardCharsets.UTF_8))));
    }

    /** Ends all operations that wait, and later ones. */
    public void fail(RuntimeException failure) {
        broken = failure;
        for (Channel each : channels.values()) {
            each.fail(failure);
        }
    }

    /** Returns why no operation is possible any more; null as long as they are. */
    @Nullable
    RuntimeException broken() {
        return broken;
    }

    /** Returns the heads of all messages that were not received; without messages of collective operations. */
    public List<Envelope> unreceived() {
        List<Envelope> all = new ArrayList<>();
        channels.forEach((context, its) -> {
            if (!isCollective(context)) {
                all.addAll(its.waiting());
            }
        });
        return all;
    }

    /** Drops all messages that were not received, and returns the heads that {@link #unreceived} returns. */
    public List<Envelope> clear() {
        List<Envelope> all = new ArrayList<>();
        channels.forEach((context, its) -> {
            List<Envelope> dropped = its.clear();
            if (!isCollective(context)) {
                all.addAll(dropped);
            }
        });
        return all;
    }

    private static boolean isCollective(long context) {
        return (context & 1) != 0;
    }

    /** Observes the calling thread from now on. */
    Supplier<@Nullable Waiting> observe() {
        observed = Thread.currentThread();
        return () -> {
            Wait wait = current;
            return wait == null || wait.isServed() ? null : new Waiting(wait.number(), wait.text());
        };
    }

    /** The calling thread begins to wait; null if it waits no more. */
    void waits(@Nullable Wait wait) {
        if (observed == Thread.currentThread()) {
            if (wait != null) {
                wait.setNumber(waits++);
            }
            current = wait;
        }
    }

    void onEnd(Wait wait) {
        transport.ended(wait);
    }
}
