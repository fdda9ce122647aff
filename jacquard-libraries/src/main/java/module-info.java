/**
 * Libraries that are installed on this machine: its OpenBLAS, its FFTW, its METIS and its hwloc, with hwloc's files.
 */
@org.jspecify.annotations.NullMarked
module dev.jacquard.libraries {
    requires static org.jspecify;
    requires transitive dev.jacquard.base;
    requires dev.jacquard.cluster;
    requires transitive dev.jacquard.numerics;
    requires java.xml;

    exports dev.jacquard.libraries.hwloc;

    provides dev.jacquard.base.machine.Machine.Source with
            dev.jacquard.libraries.hwloc.Hwloc.Provider;
    provides dev.jacquard.cluster.partition.Partitioner with
            dev.jacquard.libraries.metis.Metis.Recursive,
            dev.jacquard.libraries.metis.Metis.KWay;
    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.libraries.openblas.SystemLibrary.Provider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.libraries.fftw.FftwFft2d.Provider;
}
