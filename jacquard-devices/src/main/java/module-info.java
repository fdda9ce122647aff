/** Jacquard's devices: OpenCL, CUDA, and threads bound to processors on Linux. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.devices {
    requires static org.jspecify;
    requires transitive dev.jacquard.memory;

    exports dev.jacquard.devices.cuda;

    provides dev.jacquard.memory.device.DeviceProvider with
            dev.jacquard.devices.cuda.CudaProvider,
            dev.jacquard.devices.opencl.OpenClProvider;
    provides dev.jacquard.base.machine.ThreadBinding with
            dev.jacquard.devices.linux.LinuxBinding;
}
