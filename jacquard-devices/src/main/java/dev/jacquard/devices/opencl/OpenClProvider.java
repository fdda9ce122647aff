package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All devices of all OpenCL drivers that are installed, {@code opencl0} and so on: graphics processors, then
 * accelerators, then processors.
 */
public final class OpenClProvider implements DeviceProvider {
    private static final String HELP =
            "install a vendor's driver, or one for processors; on Debian: apt-get install pocl-opencl-icd";
    private static final long TYPE_GPU = 1 << 2;
    private static final long TYPE_ACCELERATOR = 1 << 3;
    private static final long TYPE_ALL = 0xFFFFFFFFL;

    /** For {@link java.util.ServiceLoader}. */
    public OpenClProvider() {}

    @Override
    public String kind() {
        return "opencl";
    }

    @Override
    public Discovery discover() {
        Optional<String> absence = ClLibrary.absence();
        if (absence.isPresent()) {
            return Discovery.none("OpenCL: " + absence.get());
        }
        List<String> absences = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        SignalHandlers saved = ClLibrary.handlers(); // drivers start, with libraries of their own
        try {
            for (long platform : platforms()) {
                look(platform, found, absences);
            }
        } catch (DeviceException refused) {
            absences.add(refused.getMessage());
        } finally {
            saved.restore();
        }
        if (found.isEmpty() && absences.isEmpty()) {
            absences.add("OpenCL: the loader knows no platform; " + HELP);
        }
        found.sort(Comparator.comparingInt(Found::rank)); // stable: within a kind as the drivers say
        List<DeviceOffer> offers = new ArrayList<>();
        for (Found device : found) {
            String name = "opencl" + offers.size();
            Device.Properties properties =
                    DeviceFacts.properties(device.id(), name, device.platform().name());
            offers.add(new OpenClOffer(name, device.platform(), device.id(), properties));
        }
        return new Discovery(offers, absences);
    }

    private record Found(OpenClPlatform platform, long id, int rank) {}

    private static void look(long platform, List<Found> found, List<String> absences) {
        String name = "an OpenCL platform";
        try {
            name = "OpenCL platform \""
                    + ClInfo.of(CL::clGetPlatformInfo, name, platform).text(0x0902)
                    + '"';
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
            List<Found> usable = new ArrayList<>();
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
        return list(CL::clGetPlatformIDs, ClStatus.PLATFORM_NOT_FOUND, "the OpenCL loader", "platforms");
    }

    private static long[] devices(long platform, String name) {
        return list(
                (count, ids, returned) -> CL.clGetDeviceIDs(platform, TYPE_ALL, count, ids, returned),
                ClStatus.DEVICE_NOT_FOUND,
                name,
                "devices");
    }

    /** One of the functions that list things. */
    private interface Listing {
        int list(int count, MemorySegment ids, MemorySegment countReturned);
    }

    /** Asks for the number of things, then for the things; a status of {@code none} says that there are none. */
    private static long[] list(Listing call, int none, String who, String things) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment returned = arena.allocate(JAVA_INT);
            int status = call.list(0, MemorySegment.NULL, returned);
            if (status == none) {
                return new long[0];
            }
            ClStatus.check(status, who, "count its " + things);
            int count = returned.get(JAVA_INT, 0);
            MemorySegment ids = arena.allocate(JAVA_LONG, Math.max(count, 1));
            ClStatus.check(call.list(count, ids, MemorySegment.NULL), who, "list its " + things);
            return ids.asSlice(0, (long) count * Long.BYTES).toArray(JAVA_LONG);
        }
    }
}
