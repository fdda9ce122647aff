package dev.jacquard.libraries.openblas;

import dev.jacquard.numerics.testing.BlasContract;

class SystemProviderTest extends BlasContract {
    SystemProviderTest() {
        super(new SystemLibrary.Provider(), "OpenBLAS");
    }
}
