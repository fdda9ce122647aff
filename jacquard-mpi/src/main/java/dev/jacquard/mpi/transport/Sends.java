package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.Payload;
import dev.jacquard.mpi.library.Mpi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Messages with tag 0: heads, and the contents that follow them. A content is copied into a buffer, and the sender goes
 * on; if too many buffers are under way, only once the library has taken the message.
 *
 * <p>Threads: any sends; {@code underWay} is confined to the one that polls. The monitor guards the free buffers.
 */
final class Sends {
    /** Messages under way from which on senders wait for theirs. */
    private static final int MOST_AHEAD = 1024;

    private final Mpi mpi;
    private final Calls calls;
    private final Arena arena;
    /** The buffer that was used last: one exchange instead of the monitor. */
    private final AtomicReference<@Nullable Buffer> last = new AtomicReference<>();

    private final ArrayDeque<Buffer> free = new ArrayDeque<>();
    /** From senders to the one that polls. */
    private final ConcurrentLinkedQueue<Buffer> started = new ConcurrentLinkedQueue<>();

    private final ArrayDeque<Buffer> underWay = new ArrayDeque<>();
    /** Messages that were not sent at once and have not ended. */
    private final AtomicInteger count = new AtomicInteger();

    /** Confined to its sender, and then to the one that polls. */
    private static final class Buffer {
        final MemorySegment memory;
        final NativeRequest request;
        /** Null if the sender has gone on. */
        Payload.@Nullable Completion then;

        Buffer(Mpi mpi, Arena arena, long content) {
            memory = arena.allocate(Frame.HEAD + content, 64);
            request = new NativeRequest(mpi, arena);
        }
    }

    Sends(Mpi mpi, Calls calls, Arena arena) {
        this.mpi = mpi;
        this.calls = calls;
        this.arena = arena;
    }

    /** Sends a message with its content after its head. */
    void send(int to, Envelope envelope, Elements content, Payload.Completion then) {
        long bytes = envelope.bytes();
        boolean goesOn = count.get() < MOST_AHEAD;
        Buffer its = goesOn ? take() : new Buffer(mpi, Arena.ofAuto(), bytes);
        its.then = goesOn ? null : then;
        Frame.write(its.memory, Frame.WHOLE, mpi.rank(), 0, envelope);
        if (bytes > 0) {
            if (content.isContiguous()) {
                MemorySegment.copy(content.memory(), 0, its.memory, Frame.HEAD, bytes);
            } else {
                content.copyTo(its.memory.asSlice(Frame.HEAD, bytes));
            }
        }
        start(its, Frame.HEAD + bytes, to);
        if (goesOn) {
            then.end(null);
        }
    }

    /** Sends a head without a content. */
    void sendHead(int to, byte form, int contentTag, Envelope envelope) {
        Buffer its = take();
        Frame.write(its.memory, form, mpi.rank(), contentTag, envelope);
        its.then = null;
        start(its, Frame.HEAD, to);
    }

    private void start(Buffer its, long bytes, int to) {
        if (!calls.areAtOnce()) {
            count.incrementAndGet();
            calls.run(() -> {
                its.request.send(its.memory, bytes, to, 0);
                started.add(its);
            });
            return;
        }
        its.request.send(its.memory, bytes, to, 0);
        if (its.request.hasEnded()) {
            release(its);
        } else {
            count.incrementAndGet();
            started.add(its);
        }
    }

    private void release(Buffer its) {
        Payload.Completion then = its.then;
        if (then != null) {
            then.end(null); // and the buffer goes
        } else if (!last.compareAndSet(null, its)) {
            synchronized (this) {
                free.addLast(its);
            }
        }
    }

    private Buffer take() {
        Buffer its = last.getAndSet(null);
        if (its != null) {
            return its;
        }
        synchronized (this) {
            its = free.pollLast();
            return its == null ? new Buffer(mpi, arena, Frame.MOST_EAGER) : its;
        }
    }

    /** Ends messages that are over; returns false if there was none. */
    boolean poll() {
        if (count.get() == 0) {
            return false;
        }
        for (Buffer each = started.poll(); each != null; each = started.poll()) {
            underWay.addLast(each);
        }
        boolean moved = false;
        for (int i = underWay.size(); i > 0; i--) {
            Buffer its = underWay.removeFirst();
            if (its.request.hasEnded()) {
                release(its);
                count.decrementAndGet();
                moved = true;
            } else {
                underWay.addLast(its);
                if (!moved) {
                    break; // the first ones end first, as a rule
                }
            }
        }
        return moved;
    }

    boolean isEmpty() {
        return count.get() == 0;
    }
}
