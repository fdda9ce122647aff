package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * Which devices are lost, and who says so.
 *
 * <p>Guarded by the lock of the {@link Coherence}, but for what is static.
 */
final class LostDevices {
    private final Coherence coherence;
    private final Store store;
    private final FaultLog faults;

    LostDevices(Coherence coherence, Store store, FaultLog faults) {
        this.coherence = coherence;
        this.store = store;
        this.faults = faults;
    }

    /** Takes a device out of service. Those in its line are told afterwards. */
    void lose(DeviceSpace device, DeviceLostException why, DeferredActions after) {
        if (device.lost == null) {
            device.lost = why;
            String only = store.abandon(device);
            after.others.add(() -> {
                faults.lost(device.name, String.valueOf(why.getMessage()), only);
                coherence.failed(device, why);
            });
        }
    }

    /** Which device a copy found lost: that whose stream it was told to says so itself; null when none is. */
    static @Nullable DeviceSpace lostBy(Transfer copy, Throwable error) {
        Space teller = copy.to.space instanceof DeviceSpace ? copy.to.space : copy.from.space;
        Space other = teller == copy.to.space ? copy.from.space : copy.to.space;
        if (lostIn(error) == null) {
            return null;
        }
        return (error instanceof DeviceLostException ? teller : other) instanceof DeviceSpace device ? device : null;
    }

    /** The loss of a device among the causes of {@code error}; null when there is none. */
    static @Nullable DeviceLostException lostIn(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof DeviceLostException lost) {
                return lost;
            }
        }
        return null;
    }

    static Throwable repeated(Transfer copy, Throwable error) {
        return error instanceof DeviceException
                ? new DeviceException(
                        "the copy of " + copy + " failed " + (Coherence.COPY_RETRIES + 1) + " times: "
                                + error.getMessage(),
                        error)
                : error;
    }
}
