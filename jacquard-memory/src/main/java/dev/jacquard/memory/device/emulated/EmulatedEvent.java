package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.KernelFailedException;
import org.jspecify.annotations.Nullable;

/** A place in an emulated stream. */
final class EmulatedEvent implements DeviceEvent {
    private final EmulatedDevice device;
    /** Guarded by this: set once, by the stream's thread, or by the one that loses the device. */
    private boolean over;
    /** Guarded by this: set with {@link #over}. */
    private @Nullable DeviceException failure;

    EmulatedEvent(EmulatedDevice device) {
        this.device = device;
    }

    EmulatedDevice device() {
        return device;
    }

    /** Everything before is over, or has failed for this reason. Later calls do nothing. */
    synchronized void end(@Nullable DeviceException why) {
        if (!over) {
            over = true;
            failure = why;
            notifyAll();
        }
    }

    /** Waits, also when interrupted, as vendors' calls do; why something before failed, or null. */
    synchronized @Nullable DeviceException ending() {
        boolean interrupted = false;
        while (!over) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return failure;
    }

    @Override
    public void await() {
        DeviceException why = ending();
        if (why != null) {
            throw again(why);
        }
    }

    /** The same with the stack of the thread that learns of it. */
    static DeviceException again(DeviceException why) {
        String message = String.valueOf(why.getMessage());
        return switch (why) {
            case DeviceLostException _ -> new DeviceLostException(message);
            case KernelFailedException its -> new KernelFailedException(message, its.thrown());
            default -> new DeviceException(message, why);
        };
    }

    @Override
    public synchronized boolean isOver() {
        return over;
    }

    @Override
    public void close() {
        // nothing is held
    }
}
