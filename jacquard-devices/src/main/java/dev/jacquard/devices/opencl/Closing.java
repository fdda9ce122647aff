package dev.jacquard.devices.opencl;

import dev.jacquard.base.failure.Suppressed;
import org.jspecify.annotations.Nullable;

/** Does all steps of an end although some fail, and then throws the first failure. Confined to a thread. */
final class Closing {
    private @Nullable RuntimeException first;

    void run(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failed) {
            first = Suppressed.join(first, failed);
        }
    }

    void finish() {
        if (first != null) {
            throw first;
        }
    }
}
