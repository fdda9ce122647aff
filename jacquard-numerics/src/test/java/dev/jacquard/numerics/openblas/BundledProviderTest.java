package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.testing.BlasContract;

class BundledProviderTest extends BlasContract {
    BundledProviderTest() {
        super(new BundledProvider(), "OpenBLAS");
    }
}
