package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.Target;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Transfers;
import java.util.ArrayList;
import java.util.List;

/** The devices of a session on which loops can run. */
final class DeviceTargets {
    /** The kinds for which loops have implementations. */
    private static final List<Target> KINDS = List.of(Target.OPENCL, Target.CUDA, Target.EMULATED);

    private DeviceTargets() {}

    /** Returns all devices, those that are lost too. */
    static List<Target> all(Session session) {
        List<Target> all = new ArrayList<>();
        KINDS.forEach(kind -> all.addAll(session.devices(kind)));
        return all;
    }

    /** Returns true if a device is out of service. */
    static boolean isLost(Session session, Target device) {
        return !Double.isFinite(session.data().copyNanos(Target.HOST.name(), device.name(), 1));
    }

    /**
     * Returns the host, or the first device of that kind, or of that name: one in service, if there is any.
     *
     * @param what is assigned to the target
     * @throws IllegalStateException if the session has no such device
     */
    static Target named(Session session, String what, Target target) {
        if (target.equals(Target.HOST)) {
            return target;
        }
        List<Target> devices = session.devices(target);
        if (devices.isEmpty()) {
            List<Target> known = new ArrayList<>(List.of(Target.HOST));
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
    static long memory(Session session, Target device) {
        return session.data().transfers().spaces().stream()
                .filter(space -> space.space().equals(device.name()))
                .mapToLong(Transfers.Used::limit)
                .findFirst()
                .orElse(0);
    }
}
