package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;

/**
 * Takes devices that are lost out of service.
 *
 * <p>Guarded by the lock of the {@link Coherence}, except for static methods.
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

    /** Takes the device of a space out of service. The claims in its line are notified when the lock is given back. */
    void lose(Space device, DeviceLostException why, DeferredActions after) {
        if (device.lost == null) {
            device.lost = why;
            String only = store.abandon(device);
            after.then(() -> {
                faults.lost(device.name, String.valueOf(why.getMessage()), only);
                coherence.runner.failed(device, why);
            });
        }
    }

    /** Returns the failure of a copy that was tried as often as copies are. */
    static Throwable repeated(Transfer copy, Throwable error) {
        return error instanceof DeviceException
                ? new DeviceException(
                        "the copy of " + copy + " failed " + (TransferRunner.COPY_RETRIES + 1) + " times: "
                                + error.getMessage(),
                        error)
                : error;
    }
}
