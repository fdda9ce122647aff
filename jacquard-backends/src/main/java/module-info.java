/**
 * Jacquard's backends. Devices need the core alone; BLAS and Fourier transforms are there where
 * {@code dev.jacquard.numerics} is.
 */
@org.jspecify.annotations.NullMarked
module dev.jacquard.backends {
    requires static org.jspecify;
    requires transitive dev.jacquard.memory;
    requires static dev.jacquard.numerics;

    exports dev.jacquard.backends.cuda;

    provides dev.jacquard.memory.device.DeviceProvider with
            dev.jacquard.backends.cuda.CudaProvider,
            dev.jacquard.backends.opencl.OpenClProvider;
    provides dev.jacquard.base.machine.ThreadBinding with
            dev.jacquard.backends.linux.LinuxBinding;
    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.backends.openblas.SystemProvider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.backends.fftw.FftwProvider;
}
