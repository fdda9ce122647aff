package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device, and the thread that waits for the commands that it was told, in order. The driver makes no
 * up-calls: an exception that left one would end the process. Where many commands take microseconds each, the thread
 * naps instead of waking up for every one.
 *
 * <p>A stream that has failed does nothing any more. Another one takes its place, and is told again what was behind the
 * failure.
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

    /** Commands are told ahead as long as those in the queue take less than that, as far as one can tell. */
    private static final double AHEAD_NANOS = 1_000_000;
    /** The number of commands that may be in the queue when another is told ahead. */
    private static final int MOST_AHEAD = 64;

    /** The failure of a command that was told ahead, when a failure before it kept the stream from doing it. */
    static final class NotDone extends DeviceException {
        private static final long serialVersionUID = 1L;

        NotDone(Throwable failure) {
            super("a failure before it kept it from being done", failure);
        }
    }

    private final Device device;
    private final Clock clock;
    private final String name;
    private final BlockingQueue<Pending> pending = new LinkedBlockingQueue<>();
    private final Thread waiter;

    /**
     * The time that a command lets the thread wait, on average. Written by that thread; read by any that tells ahead.
     */
    private volatile double nanosEach = SHORT_NANOS;

    /**
     * True if commands had to wait to be told ahead, since there was enough in the queue. Written by any thread,
     * without an order.
     */
    private volatile boolean full;

    /** Guarded by this. */
    private DeviceStream stream;
    /** The number of streams that have failed. Changed by the thread that waits, guarded by this. */
    private int failed;
    /** The streams that have failed. Guarded by this. */
    private final List<DeviceStream> old = new ArrayList<>(0);

    /** A command for a stream; told again when it was not done. */
    @FunctionalInterface
    interface Work {
        void tell(DeviceStream stream) throws Exception;
    }

    /**
     * The end of the queue has no event. {@code stream} is the number of that which was told; {@code ahead} is true
     * when only that one may be.
     */
    private record Pending(
            int stream, @Nullable DeviceEvent event, Work work, Consumer<@Nullable Throwable> then, boolean ahead) {}

    TransferQueue(Device device, String what, BlockingThreads threads, Clock clock) {
        this.clock = clock;
        this.device = device;
        this.name = device.name() + ' ' + what;
        this.stream = device.stream(name);
        this.waiter = threads.start("jacquard-" + name.replace(' ', '-'), this::drain);
    }

    /**
     * Tells the stream something.
     *
     * @param then called when that is done, with what went wrong or null; by the thread that waits, or by this one when
     *     the stream refuses
     * @return the number of the stream; -1 when it refuses
     */
    int tell(Work work, Consumer<@Nullable Throwable> then) {
        Throwable refused;
        int number;
        synchronized (this) {
            number = failed;
            refused = tellNow(work, then, false);
        }
        if (refused != null) {
            then.accept(refused);
            return -1;
        }
        return number;
    }

    /**
     * Tells the stream of that number something that comes behind work which it was told and has not done. When that
     * fails, {@code then} is given {@link NotDone}, and no other stream is told.
     */
    DataClaim.Ahead tellAhead(int number, Work work, Consumer<@Nullable Throwable> then) {
        Throwable refused;
        synchronized (this) {
            if (number != failed) {
                return DataClaim.Ahead.NEVER;
            }
            if (!hasRoom()) {
                return DataClaim.Ahead.LATER;
            }
            refused = tellNow(work, then, true);
        }
        if (refused != null) {
            then.accept(refused);
            return DataClaim.Ahead.REFUSED;
        }
        return DataClaim.Ahead.TOLD;
    }

    /**
     * Returns true if so little is in the queue that something may be told ahead: less than half of what there may be
     * when the queue was full, so that the telling threads and the device wake each other up for many commands at a
     * time. Any thread; a stale answer only tells some sooner or later.
     */
    boolean hasRoom() {
        int queued = pending.size();
        double most = Math.min(MOST_AHEAD, Math.max(1, AHEAD_NANOS / nanosEach));
        boolean room = queued < (full ? most / 2 : most);
        full = !room;
        return room;
    }

    /** Tells the stream. Returns why it refuses; null when it was told. Under the monitor. */
    private @Nullable Throwable tellNow(Work work, Consumer<@Nullable Throwable> then, boolean ahead) {
        try {
            work.tell(stream);
            pending.add(new Pending(failed, stream.record(), work, then, ahead));
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private void drain() {
        for (Pending next = take(); next.event() != null; next = take()) {
            Throwable error = null;
            try (DeviceEvent event = next.event()) {
                long begin = clock.nanoTime();
                if (nanosEach < SHORT_NANOS && pending.size() >= MANY && !event.isOver()) {
                    LockSupport.parkNanos(NAP_NANOS); // then many are over, and waking up for each is saved
                }
                event.await();
                double each = nanosEach;
                nanosEach = each + WEIGHT * (clock.nanoTime() - begin - each);
            } catch (Throwable e) {
                error = e;
            }
            if (error == null || error instanceof DeviceLostException || replace(next.stream())) {
                next.then().accept(error);
            } else if (next.ahead()) {
                next.then().accept(new NotDone(error));
            } else {
                tell(next.work(), next.then());
            }
        }
    }

    private Pending take() {
        while (true) {
            try {
                return pending.take();
            } catch (InterruptedException e) {
                // no code has a reason to interrupt
            }
        }
    }

    /**
     * Replaces the stream of that number, which has failed.
     *
     * @return true if the command told now was the first to hear of it, and so the one that failed
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
            return true; // the next command is told so
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "no stream can take the place of one that failed on " + device.name(), e);
        }
        return true;
    }

    void close() {
        pending.add(new Pending(0, null, any -> {}, any -> {}, false));
        Threads.join(waiter);
        synchronized (this) {
            old.forEach(DeviceStream::close);
            stream.close();
        }
    }
}
