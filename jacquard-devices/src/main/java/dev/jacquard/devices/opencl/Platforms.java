package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks through platforms for devices that can be used. */
final class Platforms {
    private static final String HELP =
            "install a vendor's driver, or one for processors; on Debian: apt-get install pocl-opencl-icd";
    private static final long TYPE_GPU = 1 << 2;
    private static final long TYPE_ACCELERATOR = 1 << 3;
    private static final long TYPE_ALL = 0xFFFFFFFFL;

    private Platforms() {}

    static Discovery discover() {
        List<String> absences = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        try {
            for (long platform : platforms()) {
                look(platform, found, absences);
            }
        } catch (DeviceException refused) {
            absences.add(refused.getMessage());
        }
        if (found.isEmpty() && absences.isEmpty()) {
            absences.add("OpenCL: the loader knows no platform; " + HELP);
        }
        found.sort(Comparator.comparingInt(Found::rank)); // stable: within a kind as the drivers say
        List<DeviceOffer> offers = new ArrayList<>();
        for (Found device : found) {
            offers.add(new OpenClOffer("opencl" + offers.size(), device.platform(), device.id()));
        }
        return new Discovery(offers, absences);
    }

    private record Found(OpenClPlatform platform, long id, int rank) {}

    private static void look(long platform, List<Found> found, List<String> absences) {
        String name = "an OpenCL platform";
        try {
            name = "OpenCL platform \""
                    + ClDevices.PLATFORM_INFO.of(name, platform).text(0x0902)
                    + '"';
            List<Found> usable = new ArrayList<>();
            List<Long> ids = new ArrayList<>();
            long[] all = devices(platform, name);
            for (long id : all) {
                String unfit = unfit(id, name);
                if (unfit == null) {
                    ids.add(id);
                } else {
                    absences.add(unfit);
                }
            }
            OpenClPlatform shared = new OpenClPlatform(
                    platform, name, ids.stream().mapToLong(Long::longValue).toArray());
            for (long id : ids) {
                usable.add(new Found(shared, id, rank(DeviceFacts.of(id, name).number(DeviceFacts.TYPE))));
            }
            if (all.length == 0) {
                absences.add(name + " has no device");
            }
            found.addAll(usable);
        } catch (DeviceException refused) {
            absences.add(name + ": " + refused.getMessage());
        }
    }

    private static int rank(long type) {
        return (type & TYPE_GPU) != 0 ? 0 : (type & TYPE_ACCELERATOR) != 0 ? 1 : 2;
    }

    /** The reason why a device cannot be used; null when it can. */
    private static @Nullable String unfit(long id, String platform) {
        ClInfo facts = DeviceFacts.of(id, platform);
        String device = "device \"" + facts.text(DeviceFacts.NAME) + "\" of " + platform;
        if (facts.number(DeviceFacts.AVAILABLE) == 0) {
            return device + " is not available now, says its driver";
        }
        if (facts.number(DeviceFacts.COMPILER_AVAILABLE) == 0) {
            return device + " has no compiler for OpenCL C";
        }
        String version = facts.text(DeviceFacts.VERSION);
        if (version.startsWith("OpenCL 1.0") || version.startsWith("OpenCL 1.1")) {
            return device + " offers \"" + version + "\"; needed is 1.2 or later";
        }
        return null;
    }

    private static long[] platforms() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int status = ClDevices.platforms(0, MemorySegment.NULL, count);
            if (status == ClStatus.PLATFORM_NOT_FOUND) {
                return new long[0];
            }
            ClStatus.check(status, "the OpenCL loader", "count its platforms");
            MemorySegment ids = arena.allocate(JAVA_LONG, Math.max(count.get(JAVA_INT, 0), 1));
            ClStatus.check(
                    ClDevices.platforms(count.get(JAVA_INT, 0), ids, MemorySegment.NULL),
                    "the OpenCL loader",
                    "list its platforms");
            return ids.asSlice(0, (long) count.get(JAVA_INT, 0) * Long.BYTES).toArray(JAVA_LONG);
        }
    }

    private static long[] devices(long platform, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int status = ClDevices.devices(platform, TYPE_ALL, 0, MemorySegment.NULL, count);
            if (status == ClStatus.DEVICE_NOT_FOUND) {
                return new long[0];
            }
            ClStatus.check(status, name, "count its devices");
            MemorySegment ids = arena.allocate(JAVA_LONG, Math.max(count.get(JAVA_INT, 0), 1));
            ClStatus.check(
                    ClDevices.devices(platform, TYPE_ALL, count.get(JAVA_INT, 0), ids, MemorySegment.NULL),
                    name,
                    "list its devices");
            return ids.asSlice(0, (long) count.get(JAVA_INT, 0) * Long.BYTES).toArray(JAVA_LONG);
        }
    }
}
