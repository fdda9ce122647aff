package dev.jacquard.core.coherence;

import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.DeviceEvent;
import dev.jacquard.core.device.DeviceStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device, and the thread that waits for what it was told, in order. The driver calls nobody: an exception that left such a
 * call would end the process.
 *
 * <p>Threads: any.
 */
final class Lane {
    private final DeviceStream stream;
    private final BlockingQueue<Pending> pending = new LinkedBlockingQueue<>();
    private final Thread waiter;

    /** What a stream is told. */
    @FunctionalInterface
    interface Work {
        void tell(DeviceStream stream) throws Exception;
    }

    /** The end of the queue has no event. */
    private record Pending(@Nullable DeviceEvent event, Consumer<@Nullable Throwable> then) {}

    Lane(Device device, String what, BlockingThreads threads) {
        this.stream = device.stream(device.name() + ' ' + what);
        this.waiter = threads.start("jacquard-" + device.name() + "-" + what.replace(' ', '-'), this::drain);
    }

    /**
     * Tells the stream something.
     *
     * @param then called when that is done, with what went wrong or null; by the thread that waits, or by this one when the stream
     *     refuses
     */
    void tell(Work work, Consumer<@Nullable Throwable> then) {
        DeviceEvent event;
        synchronized (this) {
            try {
                work.tell(stream);
                event = stream.record();
            } catch (Throwable e) {
                event = null;
                then.accept(e);
            }
            if (event != null) {
                pending.add(new Pending(event, then));
            }
        }
    }

    private void drain() {
        while (true) {
            Pending next;
            try {
                next = pending.take();
            } catch (InterruptedException e) {
                continue; // nobody has a reason to
            }
            DeviceEvent event = next.event();
            if (event == null) {
                return;
            }
            Throwable error = null;
            try (event) {
                event.await();
            } catch (Throwable e) {
                error = e;
            }
            next.then().accept(error);
        }
    }

    void close() {
        pending.add(new Pending(null, any -> {}));
        boolean interrupted = false;
        while (waiter.isAlive()) {
            try {
                waiter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        stream.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
