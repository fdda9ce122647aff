package dev.jacquard.tools;

import dev.jacquard.apps.program.Cancellation;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * What Ctrl-C does during a run: the first asks the component to stop, the second ends the process.
 *
 * <p>Only {@code sun.misc.Signal} (in the supported module {@code jdk.unsupported}) can notice Ctrl-C without ending. The
 * compiler warns of every mention of it, which cannot be suppressed: so it is called by reflection. Where it is missing,
 * Ctrl-C ends the process.
 */
final class Interrupts implements AutoCloseable {
    /** What a shell reports for a process that SIGINT ended. */
    private static final int ENDED_BY_INTERRUPT = 130;

    /** The handler that was there before, or null where signals cannot be handled. */
    private final @Nullable Object before;

    private Interrupts(@Nullable Object before) {
        this.before = before;
    }

    static Interrupts cancelling(Cancellation cancellation, PrintWriter err) {
        return new Interrupts(handle(() -> {
            if (cancellation.isCancelled()) {
                Runtime.getRuntime().halt(ENDED_BY_INTERRUPT);
            }
            err.println("jacquard: stopping; interrupt again to end at once");
            err.flush();
            cancellation.cancel();
        }));
    }

    /** From here on the results are put in place, which an interrupt must not divide. */
    void ignore() {
        handle(() -> {});
    }

    /** Puts back what Ctrl-C did before. */
    @Override
    public void close() {
        if (before != null) {
            install(before);
        }
    }

    private static @Nullable Object handle(Runnable action) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            return install(
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

    private static @Nullable Object install(Object handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Method handle = signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"));
            return handle.invoke(null, signal.getConstructor(String.class).newInstance("INT"), handler);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
