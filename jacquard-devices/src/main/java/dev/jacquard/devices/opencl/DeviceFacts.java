package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;

import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.memory.device.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The facts that a driver tells of a device. Source: Khronos, {@code CL/cl.h}, {@code cl_device_info}. */
final class DeviceFacts {
    static final int TYPE = 0x1000;
    static final int MAX_COMPUTE_UNITS = 0x1002;
    static final int MAX_WORK_GROUP_SIZE = 0x1004;
    static final int SINGLE_FP_CONFIG = 0x101B;
    static final int MAX_CLOCK_FREQUENCY = 0x100C;
    static final int MAX_MEM_ALLOC_SIZE = 0x1010;
    static final int GLOBAL_MEM_SIZE = 0x101F;
    static final int LOCAL_MEM_SIZE = 0x1023;
    static final int AVAILABLE = 0x1027;
    static final int COMPILER_AVAILABLE = 0x1028;
    static final int NAME = 0x102B;
    static final int VENDOR = 0x102C;
    static final int DRIVER_VERSION = 0x102D;
    static final int VERSION = 0x102F;
    static final int DOUBLE_FP_CONFIG = 0x1032;
    static final int OPENCL_C_VERSION = 0x103D;
    static final int EXTENSIONS = 0x1030;
    /** Four numbers of 32 bits: domain, bus, device, function. */
    static final int PCI_BUS_INFO = 0x410F;

    private static final String KNOWS_PCI = "cl_khr_pci_bus_info";

    /** The property that quotients and roots of floats can be the nearest ones. */
    static final String FLOAT_ROUNDED_DIVISION = "float_rounded_division";

    private static final long DENORMALS = 1;
    private static final long ROUNDED_DIVISION = 1 << 7;
    private static final long TYPE_CPU = 1 << 1;
    private static final long TYPE_GPU = 1 << 2;

    private DeviceFacts() {}

    static ClInfo of(long device, String who) {
        return ClInfo.of(CL::clGetDeviceInfo, who, device);
    }

    static Device.Properties properties(long device, String who, String platform) {
        ClInfo facts = of(device, who);
        Map<String, String> more = new LinkedHashMap<>();
        more.put("platform", platform);
        more.put("vendor", facts.text(VENDOR));
        more.put("type", type(facts.number(TYPE)));
        more.put("device_version", facts.text(VERSION));
        more.put("driver_version", facts.text(DRIVER_VERSION));
        more.put("opencl_c_version", facts.text(OPENCL_C_VERSION));
        more.put("max_work_group_size", Long.toString(facts.number(MAX_WORK_GROUP_SIZE)));
        more.put("local_mem_bytes", Long.toString(facts.number(LOCAL_MEM_SIZE)));
        more.put("clock_mhz", Long.toString(facts.number(MAX_CLOCK_FREQUENCY)));
        more.put("double_precision", Boolean.toString(facts.number(DOUBLE_FP_CONFIG) != 0));
        more.put("float_denormals", Boolean.toString((facts.number(SINGLE_FP_CONFIG) & DENORMALS) != 0));
        more.put(FLOAT_ROUNDED_DIVISION, Boolean.toString((facts.number(SINGLE_FP_CONFIG) & ROUNDED_DIVISION) != 0));
        if (List.of(facts.text(EXTENSIONS).split(" ", -1)).contains(KNOWS_PCI)) {
            int[] at = facts.numbers(PCI_BUS_INFO);
            more.put(Property.PCI_BUS_ID.name(), Property.pciBusId(at[0], at[1], at[2], at[3]));
        }
        return new Device.Properties(
                facts.text(NAME),
                facts.number(GLOBAL_MEM_SIZE),
                facts.number(MAX_MEM_ALLOC_SIZE),
                Math.toIntExact(facts.number(MAX_COMPUTE_UNITS)),
                more);
    }

    private static String type(long type) {
        return (type & TYPE_GPU) != 0 ? "gpu" : (type & TYPE_CPU) != 0 ? "cpu" : "accelerator";
    }
}
