package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is called is what the vendor's header declares: a C++ compiler compares them. */
class HeadersTest {
    /** Parameters of a function as letters: 8 and 4 bytes, and nothing that travels in a register for reals. */
    private static final String PRELUDE = """
            #include <cuda.h>
            #include <cstddef>
            #include <type_traits>
            template <class T> constexpr char letter() {
                static_assert(!std::is_floating_point<T>::value && (sizeof(T) == 8 || sizeof(T) == 4));
                return sizeof(T) == 8 ? 'J' : 'I';
            }
            template <class R, class... A> constexpr bool is(R (*)(A...), const char* expected) {
                static_assert(sizeof(R) == 4);
                const char letters[] = {letter<A>()..., 0};
                for (int i = 0;; i++) {
                    if (letters[i] != expected[i]) return false;
                    if (letters[i] == 0) return true;
                }
            }
            constexpr bool same(const char* a, const char* b) {
                for (; *a && *a == *b; a++, b++) {}
                return *a == *b;
            }
            #define TEXT_OF(x) #x
            #define TEXT(x) TEXT_OF(x)
            """;

    @Test
    void theDriversFunctionsHaveTheSignaturesOfItsHeader(@TempDir Path folder) throws IOException {
        StringBuilder program = new StringBuilder(PRELUDE);
        Binding.of(MethodHandles.lookup(), Driver.class).functions().forEach((name, type) -> {
            String letters = type.argumentLayouts().stream()
                    .map(layout -> layout.byteSize() == 8 ? "J" : "I")
                    .collect(Collectors.joining());
            // A name that the header maps to another would be the old function of the library.
            program.append(
                    "static_assert(same(TEXT(%s), \"%s\"), \"%s has another name\");\n".formatted(name, name, name));
            program.append(
                    "static_assert(is(&%s, \"%s\"), \"%s is not %s\");\n".formatted(name, letters, name, letters));
        });
        compile(folder, program.toString());
    }

    @Test
    void theStructureOfCopiesIsLaidOutAsInTheHeader(@TempDir Path folder) throws IOException {
        StringBuilder program = new StringBuilder(PRELUDE);
        for (String type : List.of("CUDA_MEMCPY3D", "CUDA_MEMCPY3D_PEER")) {
            program.append(String.format(
                    Locale.ROOT, "static_assert(sizeof(%s) == %d);\n", type, Copies.MEMCPY_3D.byteSize()));
            for (MemoryLayout field : Copies.MEMCPY_3D.memberLayouts()) {
                field.name()
                        .ifPresent(name -> program.append(String.format(
                                Locale.ROOT,
                                "static_assert(offsetof(%s, %s) == %d, \"%s\");\n",
                                type,
                                type.endsWith("PEER")
                                        ? name
                                        : name.replace("srcContext", "reserved0")
                                                .replace("dstContext", "reserved1"),
                                Copies.MEMCPY_3D.byteOffset(PathElement.groupElement(name)),
                                name)));
            }
        }
        compile(folder, program.toString());
    }

    @Test
    void numbersAreThoseOfTheHeader(@TempDir Path folder) throws IOException {
        StringBuilder program = new StringBuilder(PRELUDE);
        for (String line : List.of(
                "CUDA_ERROR_INVALID_VALUE == " + CudaStatus.INVALID_VALUE,
                "CUDA_ERROR_OUT_OF_MEMORY == " + CudaStatus.OUT_OF_MEMORY,
                "CUDA_ERROR_DEINITIALIZED == " + CudaStatus.DEINITIALIZED,
                "CUDA_ERROR_NO_DEVICE == " + CudaStatus.NO_DEVICE,
                "CUDA_ERROR_NOT_FOUND == " + CudaStatus.NOT_FOUND,
                "CUDA_ERROR_NOT_READY == " + CudaStatus.NOT_READY,
                "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED == " + CudaStatus.PEER_ACCESS_ALREADY_ENABLED,
                "CU_EVENT_BLOCKING_SYNC == 1",
                "CU_EVENT_DISABLE_TIMING == 2",
                "CU_STREAM_NON_BLOCKING == 1",
                "CU_MEMHOSTALLOC_PORTABLE == 1",
                "CU_MEMORYTYPE_HOST == 1",
                "CU_MEMORYTYPE_DEVICE == 2",
                "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 0",
                "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 1",
                "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK == 8",
                "CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10",
                "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16",
                "CU_DEVICE_ATTRIBUTE_ECC_ENABLED == 32",
                "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID == 33",
                "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID == 34",
                "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID == 50",
                "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == 38",
                "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT == 40",
                "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75",
                "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76")) {
            program.append("static_assert(").append(line).append(");\n");
        }
        for (String loss : List.of(
                "DEVICE_UNAVAILABLE",
                "ECC_UNCORRECTABLE",
                "NVLINK_UNCORRECTABLE",
                "CONTAINED",
                "ILLEGAL_ADDRESS",
                "LAUNCH_TIMEOUT",
                "CONTEXT_IS_DESTROYED",
                "ASSERT",
                "HARDWARE_STACK_ERROR",
                "ILLEGAL_INSTRUCTION",
                "MISALIGNED_ADDRESS",
                "INVALID_ADDRESS_SPACE",
                "INVALID_PC",
                "LAUNCH_FAILED",
                "TENSOR_MEMORY_LEAK",
                "DEINITIALIZED")) {
            program.append("static_assert(lost(CUDA_ERROR_%s), \"%s\");\n".formatted(loss, loss));
        }
        StringBuilder lost = new StringBuilder("constexpr bool lost(int status) { return ");
        for (int status = 0; status < 1000; status++) {
            lost.append(CudaStatus.isLoss(status) ? "status == " + status + " || " : "");
        }
        program.insert(PRELUDE.length(), lost + "false; }\n");
        compile(folder, program.toString());
    }

    private static void compile(Path folder, String program) throws IOException {
        Path include = Tools.headers();
        Path file = folder.resolve("check.cpp");
        Files.writeString(file, program);
        Tools.run(List.of(Tools.program("g++"), "-std=c++17", "-fsyntax-only", "-I" + include, file.toString()));
    }
}
