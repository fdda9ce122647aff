package dev.jacquard.core.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The consumer that hears of stalls, which may throw anything: a wait out of which that comes has ended for no reason
 * of its own, and is told apart by it.
 *
 * <p>Threads: any.
 */
final class StallConsumer implements Consumer<String> {
    private final Consumer<? super String> told;
    /** The last thing that it threw. Written before that reaches the wait, or is handed to the thread in it. */
    private volatile @Nullable Throwable thrown;

    StallConsumer(Consumer<? super String> told) {
        this.told = told;
    }

    @Override
    public void accept(String text) {
        try {
            told.accept(text);
        } catch (RuntimeException | Error e) {
            thrown = e;
            throw e;
        }
    }

    /** Returns true if it is the consumer that threw this. */
    boolean threw(Throwable its) {
        return its == thrown;
    }
}
