package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
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
        static final NativeLibrary LIBRARY = build();
        static final Counts COUNTS =
                Binding.of(MethodHandles.lookup(), Counts.class).to(LIBRARY);
    }

    private interface Counts {
        int stubAlive();

        int stubBoxes();
    }

    private StubDriver() {}

    static Discovery discover() {
        Tools.headers();
        Tools.program("gcc");
        return CudaProvider.discover(
                Found.of(Holder.LIBRARY).map(Driver::of),
                Found.of(Holder.LIBRARY).map(Nvrtc::new));
    }

    /** How many buffers, streams, events and modules are alive. */
    static int alive() {
        return Holder.COUNTS.stubAlive();
    }

    /** How many copies of more than one dimension there were. */
    static int boxes() {
        return Holder.COUNTS.stubBoxes();
    }

    private static NativeLibrary build() {
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
            NativeLibrary loaded = NativeLibrary.load(library);
            for (Path each : List.of(file, library, folder)) {
                Files.delete(each);
            }
            return loaded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
