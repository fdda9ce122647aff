package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.SingleConsumerQueue;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.memory.coherence.Coherence.BlockingThreads;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device, and the thread that waits for its enqueued commands in order. The driver makes no up-calls: an
 * exception that left one would end the process. Where many commands take microseconds each, the thread naps instead of
 * waking up for every one.
 *
 * <p>A stream that has failed does nothing any more. Another one takes its place, and the commands after the failure
 * are enqueued there again.
 *
 * <p>Threads: any.
 */
final class TransferQueue {
    private static final System.Logger LOG = System.getLogger(TransferQueue.class.getName());

    /** The average time below which commands are not waited for one by one while there are many, in nanoseconds. */
    private static final double SHORT_NANOS = 20_000;

    private static final int MANY = 4;
    /** The system makes about twice as much of it. */
    private static final long NAP_NANOS = 50_000;

    private static final double WEIGHT = 0.125;

    /** Commands are enqueued early as long as the commands in the queue are estimated to take less than that. */
    private static final double AHEAD_NANOS = 1_000_000;
    /**
     * The number of commands that may be in the queue when another is enqueued early. Where each takes a microsecond,
     * half of them outlast a nap of the waiting thread, during which nothing is enqueued.
     */
    private static final int MOST_AHEAD = 256;

    /** The failure of a command that was enqueued early and not done because of a failure before it. */
    static final class NotDone extends DeviceException {
        private static final long serialVersionUID = 1L;

        NotDone(Throwable failure) {
            super("a failure before it kept it from being done", failure);
        }
    }

    private final Device device;
    private final Clock clock;
    private final String name;
    private final SingleConsumerQueue<Pending> pending = new SingleConsumerQueue<>();
    private final Thread waiter;

    /**
     * The time that a command lets the thread wait, on average. Written by that thread; read by any that enqueues
     * early.
     */
    private volatile double nanosEach = SHORT_NANOS;

    /**
     * True if commands could not be enqueued early yet, since there was enough in the queue. Written by any thread,
     * without an order.
     */
    private volatile boolean full;

    /** Guarded by this. */
    private DeviceStream stream;
    /** The number of streams that have failed. Changed by the thread that waits, guarded by this. */
    private int failed;
    /** The streams that have failed. Guarded by this. */
    private final List<DeviceStream> old = new ArrayList<>(0);

    /** A command for a stream; enqueued again when it was not done. */
    @FunctionalInterface
    interface Work {
        void tell(DeviceStream stream) throws Exception;
    }

    /**
     * A command, up to the event after all that the stream has taken of it.
     *
     * @param stream the number of the stream that was given the command
     * @param event null where the stream refused the event, too
     * @param refused why the stream has not taken all of the command; null when it has
     * @param ahead true when no other stream may be given the command
     */
    private record Pending(
            int stream,
            @Nullable DeviceEvent event,
            @Nullable Throwable refused,
            Work work,
            Consumer<@Nullable Throwable> then,
            boolean ahead) {}

    /** The end of the queue, on no stream. */
    private static final Pending END = new Pending(-1, null, null, any -> {}, any -> {}, false);

    TransferQueue(Device device, String what, BlockingThreads threads, Clock clock) {
        this.clock = clock;
        this.device = device;
        this.name = device.name() + ' ' + what;
        this.stream = device.stream(name);
        this.waiter = threads.start("jacquard-" + name.replace(' ', '-'), this::drain);
    }

    /**
     * Enqueues a command.
     *
     * @param then called when that is done, with its failure or null, by the waiting thread: also when the stream takes
     *     only a part and refuses the rest
     * @return the number of the stream; -1 when it refuses
     */
    synchronized int tell(Work work, Consumer<@Nullable Throwable> then) {
        return tellNow(work, then, false) ? failed : -1;
    }

    /**
     * Enqueues a command in the stream of that number, after earlier work that is not done yet. When that work fails,
     * {@code then} is given {@link NotDone}, and the command goes to no other stream.
     */
    synchronized DataClaim.Ahead tellAhead(int number, Work work, Consumer<@Nullable Throwable> then) {
        if (number != failed) {
            return DataClaim.Ahead.NEVER;
        }
        if (!hasRoom()) {
            return DataClaim.Ahead.LATER;
        }
        return tellNow(work, then, true) ? DataClaim.Ahead.TOLD : DataClaim.Ahead.REFUSED;
    }

    /**
     * Returns true if so little is in the queue that a command may be enqueued early: less than half of what there may
     * be when the queue was full, so that the enqueuing threads and the device wake each other up for many commands at
     * a time. Any thread; a stale answer only enqueues some commands sooner or later.
     */
    boolean hasRoom() {
        int queued = pending.size();
        double most = Math.min(MOST_AHEAD, Math.max(1, AHEAD_NANOS / nanosEach));
        boolean room = queued < (full ? most / 2 : most);
        full = !room;
        return room;
    }

    /** Returns true if all enqueued commands are over, and their callers are notified. */
    boolean isIdle() {
        return pending.isIdle() || !waiter.isAlive();
    }

    /** Gives the stream a command. Returns false when it refuses all, or a part. Under the monitor. */
    private boolean tellNow(Work work, Consumer<@Nullable Throwable> then, boolean ahead) {
        Throwable refused = null;
        DeviceEvent event = null;
        try {
            work.tell(stream);
        } catch (Throwable e) {
            refused = e;
        }
        try {
            event = stream.record(); // after a refusal, too: the stream still uses the memory of the part that it took
        } catch (Throwable e) {
            refused = refused == null ? e : refused;
        }
        pending.add(new Pending(failed, event, refused, work, then, ahead));
        return refused == null;
    }

    private void drain() {
        for (Pending next = pending.take(); next.stream() >= 0; next = pending.take()) {
            Throwable error = await(next.event());
            Throwable refused = next.refused();
            boolean lost = error instanceof DeviceLostException;
            // After a failure, the refusal of an early command does not count: earlier work may need the memory that it
            // pins.
            boolean counts = refused != null && !next.ahead();
            if (error == null || lost || replace(next.stream()) || counts) {
                next.then().accept(lost || refused == null ? error : refused); // a loss says more than a refusal
            } else if (next.ahead()) {
                next.then().accept(new NotDone(error));
            } else {
                tell(next.work(), next.then());
            }
        }
    }

    /** Waits for {@code place}, if any, and forgets it. Returns why it was not reached. */
    private @Nullable Throwable await(@Nullable DeviceEvent place) {
        if (place == null) {
            return null;
        }
        try (place) {
            long begin = clock.nanoTime();
            if (nanosEach < SHORT_NANOS && pending.size() >= MANY && !place.isOver()) {
                LockSupport.parkNanos(NAP_NANOS); // then many are over, and waking up for each is saved
            }
            place.await();
            double each = nanosEach;
            nanosEach = each + WEIGHT * (clock.nanoTime() - begin - each);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /**
     * Replaces the stream of that number, which has failed.
     *
     * @return true if the command given now was the first to meet the failure, and so is the one that failed
     */
    private synchronized boolean replace(int number) {
        if (number < failed) {
            return false;
        }
        old.add(stream);
        failed++;
        try {
            stream = device.stream(name);
        } catch (DeviceLostException e) {
            return true; // the failure is reported to the next command
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "no stream can take the place of one that failed on " + device.name(), e);
        }
        return true;
    }

    void close() {
        pending.add(END);
        Threads.join(waiter);
        synchronized (this) {
            old.forEach(DeviceStream::close);
            stream.close();
        }
    }
}
