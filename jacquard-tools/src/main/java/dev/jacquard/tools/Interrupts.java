package dev.jacquard.tools;

import dev.jacquard.components.program.Cancellation;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The effect of Ctrl-C, {@code kill} and a closed terminal during a run: the first signal asks the component to stop,
 * so that nothing half-written is left, the second ends the process.
 *
 * <p>Only {@code sun.misc.Signal} (in the supported module {@code jdk.unsupported}) can notice signals without ending.
 * The compiler warns of every mention of it, which cannot be suppressed: so it is called by reflection. Where it is
 * missing, or the system does not know a signal, the signal ends the process.
 */
final class Interrupts implements AutoCloseable {
    /** The signals that ask a process to end, with the exit code that a shell reports for one that they ended. */
    private enum Ending {
        INT(130),
        TERM(143),
        HUP(129);

        private final int exitCode;

        Ending(int exitCode) {
            this.exitCode = exitCode;
        }
    }

    /** The handlers that were there before, of the signals that can be handled. */
    private final Map<Ending, Object> before = new EnumMap<>(Ending.class);

    /** The first signal; null as long as there was none. Written by the signals' threads, read by the command's. */
    private final AtomicReference<@Nullable Ending> received = new AtomicReference<>();

    private Interrupts() {}

    static Interrupts cancelling(Cancellation cancellation, PrintWriter err) {
        return calling(
                () -> {
                    err.println("jacquard: stopping; interrupt again to end at once");
                    err.flush();
                    cancellation.cancel();
                },
                Runtime.getRuntime()::halt);
    }

    /**
     * Handles signals until it is closed.
     *
     * @param first called at the first signal
     * @param again called at each later one, with the exit code that a shell reports for it
     */
    static Interrupts calling(Runnable first, IntConsumer again) {
        Interrupts interrupts = new Interrupts();
        for (Ending signal : Ending.values()) {
            Object earlier = handle(signal, () -> {
                if (interrupts.received.compareAndSet(null, signal)) {
                    first.run();
                } else {
                    again.accept(signal.exitCode);
                }
            });
            if (earlier != null) {
                interrupts.before.put(signal, earlier);
            }
        }
        return interrupts;
    }

    /** From here on the results are put in place, which no signal must divide. */
    void ignore() {
        for (Ending signal : before.keySet()) {
            handle(signal, () -> received.compareAndSet(null, signal));
        }
    }

    /** Returns the exit code that a shell reports for the first signal; 0 as long as there was none. */
    int exitCode() {
        Ending signal = received.get();
        return signal == null ? 0 : signal.exitCode;
    }

    /**
     * Throws if a signal has come.
     *
     * @param how the command ended
     * @param cause the failure that came of it, or null when all is done
     */
    void check(String how, @Nullable Exception cause) throws StoppedException {
        check(exitCode(), how, cause);
    }

    /**
     * Throws if a signal has come to any process of a run.
     *
     * @param exitCode that for the signal; 0 if there was none
     */
    static void check(int exitCode, String how, @Nullable Exception cause) throws StoppedException {
        if (exitCode != 0) {
            throw new StoppedException(how, exitCode, cause);
        }
    }

    /** Restores the earlier handlers of the signals. */
    @Override
    public void close() {
        before.forEach(Interrupts::install);
    }

    private static @Nullable Object handle(Ending signal, Runnable action) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            return install(
                    signal,
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    }));
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static @Nullable Object install(Ending name, Object handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Method handle = signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"));
            return handle.invoke(null, signal.getConstructor(String.class).newInstance(name.name()), handler);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Ends a command that a signal has stopped. */
    static final class StoppedException extends Exception {
        private static final long serialVersionUID = 1;

        private final int exitCode;

        StoppedException(String message, int exitCode, @Nullable Exception cause) {
            super(message, cause);
            this.exitCode = exitCode;
        }

        /** Returns the exit code that a shell reports for a process that the signal has ended. */
        int exitCode() {
            return exitCode;
        }
    }
}
