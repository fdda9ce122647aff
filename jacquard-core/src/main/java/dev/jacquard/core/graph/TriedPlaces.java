package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.residency.Parts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places where a task with a kernel was tried, and the failures there. Confined like the task's selection. */
final class TriedPlaces {
    private final Map<Place, Throwable> failures = new LinkedHashMap<>(0);

    void add(Place place, Throwable failure) {
        failures.put(place, failure);
    }

    boolean has(Place place) {
        return failures.containsKey(place);
    }

    boolean isEmpty() {
        return failures.isEmpty();
    }

    void clear() {
        failures.clear();
    }

    /**
     * Returns true if the device, which still has the data, may have output that other tasks wrote concurrently with
     * the task: half done work of the task cannot be taken back without losing that output.
     */
    static boolean writesBeside(AccessList accesses, Throwable error) {
        for (int i = 0; i < accesses.size(); i++) {
            Access access = accesses.access(i);
            boolean beside = accesses.resource(i) instanceof Data && access.writes() && !Parts.isBuiltIn(access);
            if (beside && !(error instanceof DeviceLostException)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the exception for threads that wait for the task, after {@code error} in the last place. */
    Throwable explain(String task, KernelCall call, @Nullable ExecutionTarget wanted, Throwable error) {
        StringBuilder text = new StringBuilder("task \"" + task + "\" has nowhere else to run: ");
        failures.forEach((target, why) ->
                text.append(target).append(" failed (").append(why.getMessage()).append("); "));
        text.append(call);
        if (wanted != null) {
            text.append(", the task is for ")
                    .append(wanted)
                    .append(" alone: without on(")
                    .append(wanted)
                    .append(") it could go to another target of its kernel");
        } else if (call.targets().contains(ExecutionTarget.HOST)) {
            text.append(": give the session more devices of these kinds");
        } else {
            text.append(
                    ": give it an implementation for the host (onHost), or the session more devices of these kinds");
        }
        DeviceException told = error instanceof DeviceLostException
                ? new DeviceLostException(text.toString())
                : new DeviceException(text.toString());
        told.initCause(error);
        return told;
    }
}
