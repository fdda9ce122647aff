package dev.jacquard.core.coherence;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.concurrent.Threads;
import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.DeviceEvent;
import dev.jacquard.core.device.DeviceLostException;
import dev.jacquard.core.device.DeviceStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device, and the thread that waits for what it was told, in order. The driver calls nobody: an exception that left such a
 * call would end the process. Where many commands take microseconds each, the thread naps instead of waking up for every one.
 *
 * <p>A stream that has failed does nothing any more. Another one takes its place, and is told again what was behind the failure.
 *
 * <p>Threads: any.
 */
final class Lane {
    private static final System.Logger LOG = System.getLogger(Lane.class.getName());

    /** Commands that take less, on average, are not waited for one by one while there are many. */
    private static final double SHORT_NANOS = 20_000;

    private static final int MANY = 4;
    /** The system makes about twice as much of it. */
    private static final long NAP_NANOS = 50_000;

    private static final double WEIGHT = 0.125;

    private final Device device;
    private final Clock clock;
    private final String name;
    private final BlockingQueue<Pending> pending = new LinkedBlockingQueue<>();
    private final Thread waiter;

    /** How long a command lets the thread wait, on average. By that thread. */
    private double nanosEach = SHORT_NANOS;

    /** Guarded by this. */
    private DeviceStream stream;
    /** How many streams have failed. Changed by the thread that waits, guarded by this. */
    private int failed;
    /** Those. Guarded by this. */
    private final List<DeviceStream> old = new ArrayList<>(0);

    /** What a stream is told; told again when it was not done. */
    @FunctionalInterface
    interface Work {
        void tell(DeviceStream stream) throws Exception;
    }

    /** The end of the queue has no event. {@code stream} is the number of that which was told. */
    private record Pending(int stream, @Nullable DeviceEvent event, Work work, Consumer<@Nullable Throwable> then) {}

    Lane(Device device, String what, BlockingThreads threads, Clock clock) {
        this.clock = clock;
        this.device = device;
        this.name = device.name() + ' ' + what;
        this.stream = device.stream(name);
        this.waiter = threads.start("jacquard-" + name.replace(' ', '-'), this::drain);
    }

    /**
     * Tells the stream something.
     *
     * @param then called when that is done, with what went wrong or null; by the thread that waits, or by this one when the stream
     *     refuses
     */
    void tell(Work work, Consumer<@Nullable Throwable> then) {
        Throwable refused;
        synchronized (this) {
            try {
                work.tell(stream);
                pending.add(new Pending(failed, stream.record(), work, then));
                return;
            } catch (Throwable e) {
                refused = e;
            }
        }
        then.accept(refused);
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
                nanosEach += WEIGHT * (clock.nanoTime() - begin - nanosEach);
            } catch (Throwable e) {
                error = e;
            }
            if (error == null || error instanceof DeviceLostException || replace(next.stream())) {
                next.then().accept(error);
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
                // nobody has a reason to
            }
        }
    }

    /** The stream of that number has failed: whether what is told now was the first to hear of it, and so what failed. */
    private synchronized boolean replace(int number) {
        if (number < failed) {
            return false;
        }
        old.add(stream);
        failed++;
        try {
            stream = device.stream(name);
        } catch (DeviceLostException e) {
            return true; // whoever tells it anything is told so
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "no stream can take the place of one that failed on " + device.name(), e);
        }
        return true;
    }

    void close() {
        pending.add(new Pending(0, null, any -> {}, any -> {}));
        Threads.join(waiter);
        synchronized (this) {
            old.forEach(DeviceStream::close);
            stream.close();
        }
    }
}
