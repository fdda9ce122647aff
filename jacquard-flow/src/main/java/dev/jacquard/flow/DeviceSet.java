package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a run may use: the devices of its session, or of a session that is not known yet.
 *
 * <p>Threads: immutable.
 */
final class DeviceSet {
    /** The devices of a session that is not known yet: each name and each kind stands for one device. */
    static final DeviceSet UNKNOWN = new DeviceSet(null, true);
    /** The devices of a run without a session. */
    static final DeviceSet NONE = new DeviceSet(null, false);

    private final @Nullable Session session;
    private final boolean isUnknown;

    private DeviceSet(@Nullable Session session, boolean isUnknown) {
        this.session = session;
        this.isUnknown = isUnknown;
    }

    /** Returns the devices of {@code session}; none without a session. */
    static DeviceSet of(@Nullable Session session) {
        return session == null ? NONE : new DeviceSet(session, false);
    }

    /** Returns the devices that {@code wanted}, a name or a kind, stands for, in the order of the session. */
    List<ExecutionTarget> of(ExecutionTarget wanted) {
        return session == null ? isUnknown ? List.of(wanted) : List.of() : session.devices(wanted);
    }

    /**
     * Returns the text that refuses a part for which there is no device.
     *
     * @param part the part with its name, and the name of the graph
     */
    String refusal(String part, ExecutionTarget wanted) {
        return session == null
                ? part + " is for device " + wanted + ": start it with a session, not with workers alone"
                : part + " is for device " + wanted + ", and the session has none; its targets are "
                        + session.targets()
                        + ": name one of these, or add the device with Session.builder().device(...)";
    }

    /** Returns the limit of the memory of {@code device} in bytes; empty if it is not known. */
    OptionalLong limit(ExecutionTarget device) {
        return session == null
                ? OptionalLong.empty()
                : session.data().transfers().spaces().stream()
                        .filter(space -> space.space().equals(device.name()))
                        .mapToLong(space -> space.limit())
                        .findFirst();
    }
}
