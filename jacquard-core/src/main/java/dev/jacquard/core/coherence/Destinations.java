package dev.jacquard.core.coherence;

import dev.jacquard.core.machine.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Which tasks run where: the spaces of places, and the device that is best for a task. */
final class Destinations {
    private final Store store;
    /** Written before the first task. */
    private final Map<Integer, Space> places = new HashMap<>();

    Destinations(Store store) {
        this.store = store;
    }

    void places(ToIntFunction<Target> placeOf) {
        for (DeviceSpace device : store.devices) {
            places.put(placeOf.applyAsInt(device.itself), device);
        }
    }

    /** Where the data of tasks at {@code place} is to be. */
    Space space(int place) {
        return places.getOrDefault(place, store.host);
    }

    /** Those that are {@code kind}, or are called so; as targets of their own. */
    List<Target> devices(Target kind) {
        return store.devices.stream()
                .filter(device -> device.is(kind))
                .map(device -> device.itself)
                .toList();
    }

    boolean hasDevice(Target target) {
        return store.devices.stream().anyMatch(device -> device.is(target));
    }

    /** The device where most of what a task needs was last written, by what was submitted so far; then the one with fewest tasks. Under the lock. */
    @Nullable
    Target choose(Target kind, @Nullable Target wanted, List<Need> needs, Set<Target> without) {
        DeviceSpace best = null;
        long least = Long.MAX_VALUE;
        for (DeviceSpace device : store.devices) {
            if (isLike(device, kind, wanted) && device.lost == null && !without.contains(device.itself)) {
                long missing = missing(needs, device);
                if (best == null || missing < least || (missing == least && device.tasks < best.tasks)) {
                    best = device;
                    least = missing;
                }
            }
        }
        if (best == null) {
            return null;
        }
        best.tasks++;
        for (Need need : needs) {
            if (need.writes()) {
                store.directory(need.data()).planned = best;
            }
        }
        return best.itself;
    }

    /** A lost device; under the lock. */
    @Nullable
    Target lost(Target kind, @Nullable Target wanted) {
        for (DeviceSpace device : store.devices) {
            if (isLike(device, kind, wanted) && device.lost != null) {
                device.tasks++;
                return device.itself;
            }
        }
        return null;
    }

    private static boolean isLike(DeviceSpace device, Target kind, @Nullable Target wanted) {
        return device.is(kind) && (wanted == null || device.is(wanted));
    }

    private long missing(List<Need> needs, DeviceSpace device) {
        long missing = 0;
        for (Need need : needs) {
            missing += store.directory(need.data()).planned == device ? 0 : need.bytes();
        }
        return missing;
    }

    /** Throws when a task could never have room for all it needs; the user's own arrays need none on the host. */
    void requireFits(String task, List<Need> needs, int place) {
        Space space = space(place);
        long bytes = 0;
        for (Need need : needs) {
            bytes += space == store.host && need.data().home() != null ? 0 : need.bytes();
        }
        if (bytes > space.limit) {
            throw new IllegalArgumentException("task \"" + task + "\" accesses " + bytes + " bytes of data, and "
                    + space + " may hold " + space.limit + ": let it access smaller parts, or raise the limit");
        }
    }
}
