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

    private static Optional<String> neededByIntel(int model, String flags, String file) {
        return new CoreType(
                        List.of(
                                "vendor_id\t: GenuineIntel",
                                "cpu family\t: 6",
                                "model\t\t: " + model,
                                "model name\t: Intel(R) Xeon(R) Processor",
                                flags),
                        Map.of())
                .neededBy(file);
    }

    @Test
    void anOldLibraryIsToldWhatNewerProcessorsOfIntelCan() {
        String avx2 = "flags\t\t: fpu fma avx2";
        int emeraldRapids = 0xCF;
        assertEquals(Optional.of("SkylakeX"), neededByIntel(emeraldRapids, AVX512, OLD));
        assertEquals(Optional.of("Haswell"), neededByIntel(0xB7, avx2, OLD));
        assertEquals(Optional.empty(), neededByIntel(0xB7, "flags : fpu sse2", OLD));
        assertEquals(Optional.empty(), neededByIntel(emeraldRapids, AVX512, "libopenblasp-r0.3.25.so"));
        int sapphireRapids = 0x8F;
        assertEquals(Optional.empty(), neededByIntel(sapphireRapids, AVX512, OLD));
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
