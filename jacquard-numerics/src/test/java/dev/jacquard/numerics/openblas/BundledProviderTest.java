package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.testing.BlasContract;

class BundledProviderTest extends BlasContract {
    BundledProviderTest() {
        super(new OpenBlasProvider.Bundled(), "OpenBLAS");
    }
}
