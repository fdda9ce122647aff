package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.data.View;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task as its own body sees it, and whoever refines or demotes it in the body's place while it is pending. Holds no state, all of
 * which is the task's.
 *
 * <p>Threads: the body's, but for what is said to be called from outside.
 */
abstract sealed class RunningTask extends TaskView implements TaskContext permits Task {
    /** What few tasks have, made when it has none yet. By the body's thread. */
    abstract Extras ownExtras();

    private Task self() {
        return (Task) this;
    }

    /** The accesses as they are now. */
    final @Nullable Object[] declared() {
        @Nullable Object[] known = accessesNow();
        if (known == null) {
            throw new IllegalStateException("task \"" + name() + "\" is over: its context must not be kept");
        }
        return known;
    }

    @Override
    public final <T> T get(Handle<T> handle) {
        Objects.requireNonNull(handle, "handle");
        if (Accesses.has(declared(), handle)) {
            return handle.value();
        }
        throw Accesses.undeclared(name(), handle);
    }

    @Override
    public final Memory memory(View part) {
        Objects.requireNonNull(part, "part");
        Extras mine = extras();
        Claim claim = mine == null ? null : mine.claim;
        if (!Accesses.has(declared(), part.data()) || claim == null) {
            throw Accesses.undeclared(name(), part.data());
        }
        return claim.memory(part.data(), part.box());
    }

    @Override
    public final <T> T get(String handle, Class<T> type) {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(type, "type");
        return Named.value(name(), declared(), handle, type);
    }

    @Override
    public final Memory memory(String data) {
        Objects.requireNonNull(data, "data");
        return memory(Named.data(name(), declared(), data));
    }

    @Override
    public final boolean cancelled() {
        return scope().graph.isCancelled();
    }

    @Override
    public final void parallelFor(long from, long to, long grain, RangeBody body) throws Exception {
        Objects.requireNonNull(body, "body");
        scope().domain.dispatcher.loop(from, to, grain, body);
    }

    @Override
    public final void refine(Consumer<? super Tasks> submission) {
        Objects.requireNonNull(submission, "submission");
        ownExtras().refineNow(self()).submit(submission);
    }

    @Override
    public final void afterwards(TaskBody rest) {
        Objects.requireNonNull(rest, "rest");
        ownExtras().afterwards = scope().domain.checked(rest);
    }

    @Override
    public final void demote(Resource resource, Access to) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(to, "to");
        Demotions.demote(self(), new Demotion(resource, to));
    }

    // ---- from outside, while the task is pending: any thread

    @Override
    public final void refinePending(Consumer<? super Tasks> submission) {
        Objects.requireNonNull(submission, "submission");
        Extras mine = holdAdjustable("refined");
        try {
            mine.refineEarly(self()).submit(submission);
        } finally {
            self().edgeGone(null);
        }
    }

    @Override
    public final void demotePending(Resource resource, Access to) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(to, "to");
        Extras mine = holdAdjustable("demoted");
        try {
            mine.demoteLater(new Demotion(resource, to), self());
        } finally {
            self().edgeGone(null);
        }
    }

    private Extras holdAdjustable(String what) {
        Extras mine = extras();
        if (mine == null || !mine.adjustable) {
            throw new IllegalStateException("task \"" + name() + "\" cannot be " + what
                    + " from outside: build it with adjustable(), or let its own body do it");
        }
        if (!self().hold()) {
            throw new IllegalStateException("task \"" + name() + "\" cannot be " + what
                    + " from outside any more: it is ready or running, so only its own body may do it");
        }
        return mine;
    }
}
