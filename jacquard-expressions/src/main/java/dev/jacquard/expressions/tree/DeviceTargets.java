package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Transfers;
import java.util.ArrayList;
import java.util.List;

/** The devices of a session on which loops can run. */
final class DeviceTargets {
    /** The kinds for which loops have implementations. */
    private static final List<ExecutionTarget> KINDS =
            List.of(ExecutionTarget.OPENCL, ExecutionTarget.CUDA, ExecutionTarget.EMULATED);

    private DeviceTargets() {}

    /** Returns all devices, lost ones too. */
    static List<ExecutionTarget> all(Session session) {
        List<ExecutionTarget> all = new ArrayList<>();
        KINDS.forEach(kind -> all.addAll(session.devices(kind)));
        return all;
    }

    /** Returns true if a device is out of service. */
    static boolean isLost(Session session, ExecutionTarget device) {
        return !Double.isFinite(session.data().copyNanos(ExecutionTarget.HOST.name(), device.name(), 1));
    }

    /**
     * Returns the host, or the first device of that kind, or of that name: one in service, if there is any.
     *
     * @param what is assigned to the target
     * @throws IllegalStateException if the session has no such device
     */
    static ExecutionTarget named(Session session, String what, ExecutionTarget target) {
        if (target.equals(ExecutionTarget.HOST)) {
            return target;
        }
        List<ExecutionTarget> devices = session.devices(target);
        if (devices.isEmpty()) {
            List<ExecutionTarget> known = new ArrayList<>(List.of(ExecutionTarget.HOST));
            known.addAll(all(session));
            throw new IllegalStateException(
                    "\"" + what + "\" is assigned to " + target + ", and the session has " + known);
        }
        return devices.stream()
                .filter(device -> !isLost(session, device))
                .findFirst()
                .orElse(devices.getFirst());
    }

    /** Returns the bytes that may be in the memory of a device. */
    static long memory(Session session, ExecutionTarget device) {
        return session.data().transfers().spaces().stream()
                .filter(space -> space.space().equals(device.name()))
                .mapToLong(Transfers.Used::limit)
                .findFirst()
                .orElse(0);
    }
}
