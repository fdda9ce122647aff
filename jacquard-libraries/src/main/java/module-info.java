/** Libraries that are installed on this machine: its OpenBLAS, its FFTW and its METIS. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.libraries {
    requires static org.jspecify;
    requires dev.jacquard.base;
    requires dev.jacquard.cluster;
    requires transitive dev.jacquard.numerics;

    provides dev.jacquard.cluster.partition.Partitioner with
            dev.jacquard.libraries.metis.Metis.Recursive,
            dev.jacquard.libraries.metis.Metis.KWay;
    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.libraries.openblas.SystemLibrary.Provider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.libraries.fftw.FftwFft2d.Provider;
}
