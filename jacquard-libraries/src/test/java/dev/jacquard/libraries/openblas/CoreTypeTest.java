package dev.jacquard.libraries.openblas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoreTypeTest {
    private static final String OLD = "libopenblasp-r0.3.21.so";
    private static final String AVX512 = "flags\t\t: fpu avx2 avx512f avx512dq avx512cd avx512bw avx512vl avx512_bf16";

    private static Optional<String> needed(String vendor, String flags, Map<String, String> environment, String file) {
        return new CoreType(List.of("processor\t: 0", "vendor_id\t: " + vendor, flags), environment).neededBy(file);
    }

    @Test
    void anOldLibraryIsToldOfAvx512OnAmd() {
        assertEquals(Optional.of("SkylakeX"), needed("AuthenticAMD", AVX512, Map.of(), OLD));
        assertEquals(Optional.of("SkylakeX"), needed("AuthenticAMD", AVX512, Map.of(), "libopenblas-r0.2.20.so"));
    }

    @Test
    void whatKnowsTheProcessorIsLeftAlone() {
        assertEquals(Optional.empty(), needed("AuthenticAMD", AVX512, Map.of(), "libopenblasp-r0.3.25.so"));
        assertEquals(Optional.empty(), needed("AuthenticAMD", AVX512, Map.of(), "libopenblas.so.0"));
        assertEquals(Optional.empty(), needed("GenuineIntel", AVX512, Map.of(), OLD));
        assertEquals(Optional.empty(), needed("AuthenticAMD", "flags : fpu avx2 avx512f", Map.of(), OLD));
        assertEquals(Optional.empty(), new CoreType(List.of(), Map.of()).neededBy(OLD));
    }

    @Test
    void theUsersChoiceStays() {
        assertEquals(Optional.empty(), needed("AuthenticAMD", AVX512, Map.of("OPENBLAS_CORETYPE", "Zen"), OLD));
    }
}
