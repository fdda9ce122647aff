package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceProvider.Discovery;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A driver without a device, compiled from {@code stub_driver.c} against the vendor's header; without header or
 * compiler tests are skipped.
 */
final class StubDriver {
    private static final class Holder {
        static final SharedLibrary LIBRARY = build();
    }

    private StubDriver() {}

    static Discovery discover() {
        Tools.headers();
        Tools.program("gcc");
        return CudaProvider.discover(
                Found.of(Holder.LIBRARY).map(Driver::new),
                Found.of(Holder.LIBRARY).map(Nvrtc::new));
    }

    /** How many buffers, streams, events and modules are alive. */
    static int alive() {
        return ask("stubAlive");
    }

    /** How many copies of more than one dimension there were. */
    static int boxes() {
        return ask("stubBoxes");
    }

    private static int ask(String function) {
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT);
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(Holder.LIBRARY.find(function, type), type)
                    .invokeExact();
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static SharedLibrary build() {
        try (InputStream source = Objects.requireNonNull(StubDriver.class.getResourceAsStream("stub_driver.c"))) {
            Path folder = Files.createTempDirectory("stub-driver");
            Path file = folder.resolve("stub_driver.c");
            Path library = folder.resolve("libstub.so");
            Files.write(file, source.readAllBytes());
            Tools.run(List.of(
                    Tools.program("gcc"),
                    "-shared",
                    "-fPIC",
                    "-O1",
                    "-I" + Tools.headers(),
                    "-o",
                    library.toString(),
                    file.toString()));
            SharedLibrary loaded = new SharedLibrary("the stub", SymbolLookup.libraryLookup(library, Arena.global()));
            for (Path each : List.of(file, library, folder)) {
                Files.delete(each);
            }
            return loaded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
