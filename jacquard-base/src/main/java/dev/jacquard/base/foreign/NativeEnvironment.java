package dev.jacquard.base.foreign;

import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * The environment variables of this process as native libraries read them: the variables of the C library, of which
 * {@link System#getenv} has a copy from the JVM's start.
 *
 * <p>Threads: variables are set before the library that reads them is loaded. A thread that reads the C library's
 * environment at the same time may see a variable half set, as POSIX says of {@code setenv}.
 */
public final class NativeEnvironment {
    private static final int KEEP = 0;
    private static final int REPLACE = 1;

    private NativeEnvironment() {}

    /** Returns true if this system's variables can be set. */
    public static boolean isSettable() {
        return NativeLibrary.ofC().has("setenv");
    }

    /** Returns the value of a variable; empty if it is not set. */
    public static Optional<String> get(String name) {
        requireName(name);
        try (Arena arena = Arena.ofConfined()) {
            long value = CLibrary.C.getenv(arena.allocateFrom(name));
            return value == 0 ? Optional.empty() : Optional.of(NativeMemory.text(value));
        }
    }

    /**
     * Sets a variable that is not set, so that a value of the user stays.
     *
     * @return true if the variable has {@code value} because of this call; false also where none can be set
     */
    public static boolean setIfAbsent(String name, String value) {
        if (!isSettable() || get(name).isPresent()) {
            return false;
        }
        set(name, value, KEEP);
        return true;
    }

    /**
     * Sets a variable, whatever its value was.
     *
     * @throws IllegalStateException if it cannot be set
     */
    public static void set(String name, String value) {
        set(name, value, REPLACE);
    }

    private static void set(String name, String value, int overwrite) {
        requireName(name);
        try (Arena arena = Arena.ofConfined()) {
            CLibrary.C.setenv(arena.allocateFrom(name), arena.allocateFrom(value), overwrite);
        }
    }

    /** Removes a variable, if it is set. */
    public static void remove(String name) {
        requireName(name);
        try (Arena arena = Arena.ofConfined()) {
            CLibrary.C.unsetenv(arena.allocateFrom(name));
        }
    }

    private static void requireName(String name) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                    "the name of an environment variable is not empty and has no '=', but was \"" + name + '"');
        }
    }
}
