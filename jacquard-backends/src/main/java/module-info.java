/** Jacquard's backends. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.backends {
    requires static org.jspecify;
    requires dev.jacquard.core;
    requires dev.jacquard.numerics;

    provides dev.jacquard.core.device.DeviceProvider with
            dev.jacquard.backends.opencl.OpenClProvider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.backends.fftw.FftwProvider;
}
