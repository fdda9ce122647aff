package dev.jacquard.core.graph;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stage that reports when code for failures is attached to it, or to a stage that depends on it. Code that runs only
 * when all is well does not count.
 */
final class ResultStage<T extends @Nullable Object> extends CompletableFuture<T> {
    private static final StackWalker CALLER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** The report to make. Run by any thread, any number of times. */
    private final Runnable handled;

    ResultStage(Runnable handled) {
        this.handled = handled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new ResultStage<>(handled);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The caller may be a stage that is combined with this one, and does not report code that is attached to it:
     * then the failure is reported by other means, too.
     */
    @Override
    public CompletableFuture<T> toCompletableFuture() {
        if (CALLER.getCallerClass().getNestHost() != CompletableFuture.class) {
            handled.run();
        }
        return copy();
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> then) {
        handled.run();
        return super.handle(then);
    }

    @Override
    public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> then) {
        handled.run();
        return super.handleAsync(then);
    }

    @Override
    public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> then, Executor executor) {
        handled.run();
        return super.handleAsync(then, executor);
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> then) {
        handled.run();
        return super.whenComplete(then);
    }

    @Override
    public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> then) {
        handled.run();
        return super.whenCompleteAsync(then);
    }

    @Override
    public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> then, Executor executor) {
        handled.run();
        return super.whenCompleteAsync(then, executor);
    }

    @Override
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> then) {
        handled.run();
        return super.exceptionally(then);
    }

    @Override
    public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> then) {
        handled.run();
        return super.exceptionallyAsync(then);
    }

    @Override
    public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> then, Executor executor) {
        handled.run();
        return super.exceptionallyAsync(then, executor);
    }

    @Override
    public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> then) {
        handled.run();
        return super.exceptionallyCompose(then);
    }

    @Override
    public CompletableFuture<T> exceptionallyComposeAsync(Function<Throwable, ? extends CompletionStage<T>> then) {
        handled.run();
        return super.exceptionallyComposeAsync(then);
    }

    @Override
    public CompletableFuture<T> exceptionallyComposeAsync(
            Function<Throwable, ? extends CompletionStage<T>> then, Executor executor) {
        handled.run();
        return super.exceptionallyComposeAsync(then, executor);
    }
}
