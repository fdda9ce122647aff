package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Continuation;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a body or rule emits into: collects items while the copy works through cheap ones, so that a consumer's lock is
 * taken once per batch. While items are expensive it holds back one only: most bodies emit last, and then the consumer
 * is woken at the end of the activation, so that it runs before the next item of its producer does.
 *
 * <p>Threads: confined to the copy's activation, but for what the {@link Courier} passes on meanwhile: items up to the
 * count that the activation has published. Both hand items over under this lock, so consumers get them in order.
 */
final class Outlet implements Emitter<Object> {
    /** The most items that are collected. */
    static final int CAPACITY = 256;

    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Outlet.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskInstance copy;
    private final int number;
    private final ItemSink[] targets;
    private final Feed feed;
    /** Per target: the inbox that a copy with a thread of its own has there; null where it has none. */
    private final @Nullable Inbox[] boxes;

    private final @Nullable Object[] items = new @Nullable Object[CAPACITY];
    /** Per item, where consumers want them. */
    private final long @Nullable [] tickets;

    /**
     * How many are collected. Written by the activation: release when it grows, behind the items, which pairs with the
     * courier's acquire; back to 0 under this lock.
     */
    private int count;
    /** How many of them were passed on. Guarded by this. */
    private int passed;

    Outlet(TaskInstance copy, int number, ItemSink[] targets) {
        this.copy = copy;
        this.number = number;
        this.targets = targets;
        this.feed = new Feed(targets, copy.ledger());
        this.boxes = new @Nullable Inbox[targets.length];
        for (int i = 0; i < targets.length && copy.dedicated(); i++) {
            boxes[i] = targets[i] instanceof Stage stage ? stage.newInbox() : null;
        }
        this.tickets = feed.isPlain() ? null : new long[CAPACITY];
    }

    @Override
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    public void emit(Object item) {
        if (item == null) {
            throw new NullPointerException("task \"" + copy.name() + "\" emitted null: an item must be an object");
        }
        copy.checkActive();
        if (tickets != null) {
            tickets[count] = copy.ticketToEmit();
        }
        items[count] = item;
        COUNT.setRelease(this, count + 1);
        if (count >= copy.pace().patience()) {
            flush();
            copy.wakeEagerly();
        }
    }

    /** Hands what was collected to the consumers; the copies to be woken go to the copy's list. */
    void flush() {
        if (count == 0) {
            return;
        }
        if (copy.dedicated()) { // nobody passes on what it holds back
            passAll();
        } else {
            synchronized (this) {
                passAll();
            }
        }
    }

    private void passAll() {
        pass(count, copy.wakes());
        Arrays.fill(items, 0, count, null);
        copy.tally().emitted[number] += count;
        passed = 0;
        count = 0;
    }

    /** Hands over what was collected so far. By the courier. */
    synchronized void passOn(WakeList wakes) {
        pass((int) COUNT.getAcquire(this), wakes);
    }

    /** Hands over those up to {@code end} that are left. Under this lock. */
    private void pass(int end, WakeList wakes) {
        int from = passed;
        int more = end - from;
        if (more == 0) {
            return;
        }
        passed = end;
        @Nullable Object[] next = from == 0 ? items : Arrays.copyOfRange(items, from, end);
        long @Nullable [] their = tickets == null || from == 0 ? tickets : Arrays.copyOfRange(tickets, from, end);
        @Nullable Object[] numbered = feed.arrive(next, their, more);
        for (int i = 0; i < targets.length; i++) {
            @Nullable Object[] given = feed.isNumbered(targets[i]) ? numbered : next;
            wakes.add(
                    targets[i] instanceof Stage stage
                            ? stage.append(boxes[i], given, more, null)
                            : targets[i].append(given, more, null));
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the pool stands for this edge, and its values are of the edge's type
    public <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule) {
        copy.checkActive();
        return (Handle<T>) (Handle<?>) copy.take(edge, rule);
    }

    @Override
    public void release(Handle<?> buffer) {
        copy.checkActive();
        copy.ledger().release(buffer, copy.wakes());
        copy.wakeEagerly();
    }

    @Override
    public Tasks graph() {
        copy.checkActive();
        return copy.deferred().tasks();
    }

    @Override
    public void whenDone(Continuation<Object> then) {
        copy.checkActive();
        copy.deferred().whenDone(this, then);
    }

    @Override
    public boolean stopping() {
        return copy.stopping();
    }

    /** Tells the consumers that this producer is done; {@code own} is the circle that the producer is in. */
    void close(@Nullable Cycle own) {
        for (ItemSink target : targets) {
            copy.wakes().add(target.producerDone(null));
            if (target instanceof Stage stage && stage.cycle() != null && stage.cycle() != own) {
                copy.wakes().add(stage.cycle().give(1, null));
            }
        }
    }
}
