package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A device that the driver counts.
 *
 * @param handle the driver's {@code CUdevice}
 * @param capability its compute capability, 90 for 9.0
 */
record CudaOffer(
        Driver driver, Found<Nvrtc> compiler, int handle, String name, Device.Properties properties, int capability)
        implements DeviceOffer {
    /** {@code CU_DEVICE_ATTRIBUTE_...} by the names under which properties have them. */
    private static final Map<String, Integer> MORE = new LinkedHashMap<>();

    private static final int MULTIPROCESSOR_COUNT = 16;
    private static final int PCI_BUS_ID = 33;
    private static final int PCI_DEVICE_ID = 34;
    private static final int PCI_DOMAIN_ID = 50;
    private static final int COMPUTE_CAPABILITY_MAJOR = 75;
    private static final int COMPUTE_CAPABILITY_MINOR = 76;

    static {
        MORE.put("warp_size", 10);
        MORE.put("max_thread_block_size", 1);
        MORE.put("max_shared_memory_per_block", 8);
        MORE.put("l2_cache_size", 38);
        MORE.put("async_engine_count", 40);
        MORE.put("ecc_enabled", 32);
    }

    static CudaOffer of(Driver driver, Found<Nvrtc> compiler, int ordinal) {
        String name = "cuda" + ordinal;
        CudaContext none = new CudaContext(driver, name, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            none.check(driver.deviceGet(number.address(), ordinal), "be found");
            int handle = number.get(ValueLayout.JAVA_INT, 0);
            MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
            none.check(driver.deviceTotalMem(size.address(), handle), "say how much memory it has");
            long bytes = size.get(ValueLayout.JAVA_LONG, 0);
            int capability = 10 * attribute(none, number, COMPUTE_CAPABILITY_MAJOR, handle)
                    + attribute(none, number, COMPUTE_CAPABILITY_MINOR, handle);
            Map<String, String> more = new LinkedHashMap<>();
            more.put("compute_capability", capability / 10 + "." + capability % 10);
            MORE.forEach((key, attribute) -> more.put(key, "" + attribute(none, number, attribute, handle)));
            int domain = attribute(none, number, PCI_DOMAIN_ID, handle);
            int bus = attribute(none, number, PCI_BUS_ID, handle);
            int device = attribute(none, number, PCI_DEVICE_ID, handle);
            more.put(Property.PCI_BUS_ID.name(), Property.pciBusId(domain, bus, device, 0));
            none.check(driver.driverGetVersion(number.address()), "say its driver's version");
            int version = number.get(ValueLayout.JAVA_INT, 0);
            more.put("driver_version", version / 1000 + "." + version % 1000 / 10);
            int units = attribute(none, number, MULTIPROCESSOR_COUNT, handle);
            String model = model(none, arena, handle);
            return new CudaOffer(
                    driver,
                    compiler,
                    handle,
                    name,
                    new Device.Properties(model, bytes, bytes, units, more),
                    capability);
        }
    }

    private static int attribute(CudaContext context, MemorySegment into, int attribute, int handle) {
        context.check(context.driver().deviceGetAttribute(into.address(), attribute, handle), "report its properties");
        return into.get(ValueLayout.JAVA_INT, 0);
    }

    private static String model(CudaContext context, Arena arena, int handle) {
        MemorySegment text = arena.allocate(256);
        context.check(
                context.driver().deviceGetName(text.address(), (int) text.byteSize() - 1, handle), "say its name");
        return text.getString(0, StandardCharsets.UTF_8);
    }

    @Override
    public ExecutionTarget target() {
        return ExecutionTarget.CUDA;
    }

    @Override
    public Device open() {
        return CudaDevice.open(this);
    }
}
