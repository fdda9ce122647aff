package dev.jacquard.base.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The signal handlers of this process, saved before a library is loaded or started that replaces some of them. The JVM
 * lives by its own: with {@code SEGV} it finds null pointers and stops threads, with {@code FPE} divisions by zero.
 *
 * <pre>{@code
 * SignalHandlers saved = SignalHandlers.save();
 * try {
 *     start(search.find());
 * } finally {
 *     saved.restore();                            // as often as needed
 * }
 * }</pre>
 *
 * <p>Until they are restored, a signal of any thread goes to the library's handler. On systems other than Linux on
 * x86-64 and ARM nothing is saved and restored; {@link #unsupported} says so.
 *
 * <p>Threads: handlers are the process's; a thread that sets some concurrently loses them.
 */
public final class SignalHandlers {
    /** The number of {@code SIGHUP}. */
    public static final int HUP = 1;
    /** The number of {@code SIGILL}. */
    public static final int ILL = 4;
    /** The number of {@code SIGBUS}. */
    public static final int BUS = 7;
    /** The number of {@code SIGFPE}. */
    public static final int FPE = 8;
    /** The number of {@code SIGSEGV}. */
    public static final int SEGV = 11;

    /** {@code SIGKILL} and {@code SIGSTOP} have no handler. */
    private static final List<Integer> UNCHANGEABLE = List.of(9, 19);
    /** The last signal with a fixed meaning. */
    private static final int LAST = 31;
    /** The size of {@code struct sigaction} in glibc and musl. Its first field is the handler's address. */
    private static final long ACTION_BYTES = 152;
    /** The size of {@code Dl_info}. Its first field is the file's name. */
    private static final long INFO_BYTES = 32;

    private static final @Nullable String UNSUPPORTED =
            unsupported(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));

    /** By signal. Never changed. */
    private final Map<Integer, MemorySegment> actions;

    private SignalHandlers(Map<Integer, MemorySegment> actions) {
        this.actions = actions;
    }

    /** Returns the reason why handlers are not saved on this system; empty if they are. */
    public static Optional<String> unsupported() {
        return Optional.ofNullable(UNSUPPORTED);
    }

    static @Nullable String unsupported(String system, String processor) {
        return system.equals("Linux") && List.of("amd64", "x86_64", "aarch64").contains(processor)
                ? null
                : "signal handlers are saved and restored on Linux on x86-64 and ARM only, and this is " + system
                        + " on " + processor;
    }

    /** Saves the handlers of all signals with a fixed meaning, 1 to 31, that can have one. */
    public static SignalHandlers save() {
        return save(IntStream.rangeClosed(1, LAST)
                .filter(signal -> !UNCHANGEABLE.contains(signal))
                .toArray());
    }

    /**
     * Saves the handlers of some signals.
     *
     * @throws IllegalArgumentException if one of them can have no handler
     */
    public static SignalHandlers save(int... signals) {
        Map<Integer, MemorySegment> actions = new TreeMap<>();
        if (UNSUPPORTED == null) {
            Arena arena = Arena.ofAuto();
            for (int signal : signals) {
                actions.put(signal, action(signal, arena));
            }
        }
        return new SignalHandlers(actions);
    }

    /** Returns these handlers but that of one signal, which a library may keep. */
    public SignalHandlers without(int signal) {
        Map<Integer, MemorySegment> others = new TreeMap<>(actions);
        others.remove(signal);
        return new SignalHandlers(others);
    }

    /** Sets all handlers that were saved. */
    public void restore() {
        actions.forEach((signal, action) -> CLibrary.C.sigaction(signal, action, MemorySegment.NULL));
    }

    /** Returns the signals with other handlers now than when they were saved, in ascending order. */
    public List<Integer> changed() {
        List<Integer> changed = new ArrayList<>();
        actions.forEach((signal, action) -> {
            if (handler(action) != handler(signal)) {
                changed.add(signal);
            }
        });
        return changed;
    }

    /**
     * Returns the address of a signal's handler now: 0 if the system's default applies, 1 if the signal is ignored. On
     * systems that are not supported always 0.
     */
    public static long handler(int signal) {
        if (UNSUPPORTED != null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            return handler(action(signal, arena));
        }
    }

    /** Returns the file of the library that has a signal's handler now; empty if no library has it. */
    public static Optional<String> owner(int signal) {
        long handler = handler(signal);
        if (handler == 0) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
            return CLibrary.C.dladdr(handler, info) == 0
                    ? Optional.empty()
                    : Optional.of(NativeMemory.text(info.get(ValueLayout.JAVA_LONG, 0)));
        }
    }

    private static MemorySegment action(int signal, Arena arena) {
        MemorySegment action = arena.allocate(ACTION_BYTES, Long.BYTES);
        try {
            CLibrary.C.sigaction(signal, MemorySegment.NULL, action);
        } catch (IllegalStateException refused) {
            throw new IllegalArgumentException("signal " + signal + " has no handler that can be saved", refused);
        }
        return action;
    }

    private static long handler(MemorySegment action) {
        return action.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    public String toString() {
        return "handlers of signals "
                + Arrays.toString(
                        actions.keySet().stream().mapToInt(Integer::intValue).toArray());
    }
}
