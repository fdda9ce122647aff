package dev.jacquard.base.foreign;

import java.lang.foreign.Arena;
import java.util.Optional;

/** The message of the dynamic loader about a library that it cannot load; the JDK's exception has none. */
final class LoaderMessage {
    /** {@code RTLD_LAZY}. */
    private static final int LAZY = 1;

    private LoaderMessage() {}

    /** Tries to load {@code name} again, and returns the loader's message; empty if the system gives none. */
    static Optional<String> of(String name) {
        if (!NativeLibrary.ofC().has("dlopen") || !NativeLibrary.ofC().has("dlerror")) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            boolean refused = CLibrary.C.dlopen(arena.allocateFrom(name), LAZY) == 0;
            String message = refused ? NativeMemory.text(CLibrary.C.dlerror()) : "";
            return message.isEmpty() ? Optional.empty() : Optional.of(message);
        }
    }

    /** Returns true if a message says that there is no library {@code name}, not that one that it needs is absent. */
    static boolean isAbsence(String name, String message) {
        return message.contains(name + ": cannot open shared object file: No such file") // glibc
                || message.contains(name + ": No such file") // musl
                || (message.contains("no such file") && !message.contains("Library not loaded")) // macOS
                || message.contains("Cannot open library"); // the JDK, where the system gives no message
    }
}
