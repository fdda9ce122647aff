package dev.jacquard.memory.data;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resource with a value: the user's own object, which is wrapped as it is.
 *
 * <p>A task reads the value through its context, which checks that the task declared an access. {@link #value()} is for
 * code outside of tasks, and waits for the tasks that write the value.
 *
 * @param <T> the type of the value
 */
public final class Handle<T> extends Resource {
    private final T value;
    private final @Nullable Copier<T> copier;
    /** In a checking mode only. */
    private final @Nullable Guard guard;
    /**
     * How code outside of tasks waits for writers; null for a loan, and for a handle that no session made, nor its
     * whole.
     */
    private final @Nullable Wait wait;
    /** Of a buffer that was lent. */
    private final @Nullable Loan loan;

    /**
     * A handle on {@code value}.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param value the user's object; not copied
     */
    public Handle(String name, Object owner, T value) {
        this(name, owner, value, null, Copier.of(value));
    }

    /**
     * A handle on {@code value}.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param value the user's object; not copied
     * @param parent the whole of which it is a part, or null
     * @param copier how to keep and restore the contents of the value, or null when that is not known
     */
    public Handle(String name, Object owner, T value, @Nullable Resource parent, @Nullable Copier<T> copier) {
        this(name, owner, value, parent, copier, null, null, null);
    }

    /**
     * A handle on {@code value} whose value is waited for. For sessions.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param value the user's object; not copied
     * @param parent the whole of which it is a part, or null
     * @param copier how to keep and restore the contents of the value, or null when that is not known
     * @param guard asked before the value is given out, or null
     * @param wait called before {@link #value()} returns
     */
    public Handle(
            String name,
            Object owner,
            T value,
            @Nullable Resource parent,
            @Nullable Copier<T> copier,
            @Nullable Guard guard,
            Wait wait) {
        this(name, owner, value, parent, copier, guard, Objects.requireNonNull(wait, "wait"), null);
    }

    /**
     * A handle on a buffer that is lent.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param value the user's object; not copied
     * @param parent the whole of which it is a part, or null
     * @param copier how to keep and restore the contents of the value, or null when that is not known
     * @param guard asked before the value is given out, or null
     * @param loan the loan that the handle stands for, or null
     */
    public Handle(
            String name,
            Object owner,
            T value,
            @Nullable Resource parent,
            @Nullable Copier<T> copier,
            @Nullable Guard guard,
            @Nullable Loan loan) {
        this(name, owner, value, parent, copier, guard, null, loan);
    }

    private Handle(
            String name,
            Object owner,
            T value,
            @Nullable Resource parent,
            @Nullable Copier<T> copier,
            @Nullable Guard guard,
            @Nullable Wait wait,
            @Nullable Loan loan) {
        super(name, owner, parent, false, loan != null);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(value, "value");
        this.value = value;
        this.copier = copier;
        this.guard = guard;
        this.wait = wait == null && parent instanceof Handle<?> whole ? whole.wait : wait;
        this.loan = loan;
    }

    /**
     * Returns the value. Outside of tasks the call waits for the submitted tasks that write the handle, a part of it,
     * or a whole that it is a part of; the thread that opened the session runs tasks during the wait. Tasks that are
     * submitted later may change the value: {@code session.lock} keeps them away.
     *
     * <p>The call does not wait inside of a task, inside of a function that a driver runs for a task, in a listener, on
     * a thread with an open user view of the handle, and when the session is closed. A thread other than the opener of
     * the session does not wait while a stage of an asynchronous task that writes the handle is incomplete, since it
     * may be the thread that completes it. The value of a lent buffer is never waited for, nor that of a handle without
     * a whole that was made by {@code new}.
     *
     * <p>The wait may throw, as that of {@code session.data().fetch} does: the exceptions are those of core's
     * {@code Task.join} for a task that reads the handle.
     */
    public T value() {
        if (wait != null) {
            wait.forWriters(this);
        }
        return granted();
    }

    /** For the engine: returns the value without a wait, for code that has an access to it. */
    public T granted() {
        if (guard != null) {
            if (loan != null && loan.isOver()) {
                throw new IllegalStateException("buffer \"" + name() + "\" is used after its release (" + loan
                        + "): release it after its last use");
            }
            if (!(value instanceof Resource)) { // of a resource a task declares accesses to that, not to its handle
                guard.touched(this);
            }
        }
        return value;
    }

    /** The loan that this handle stands for; null if the value is not lent. */
    public @Nullable Loan loan() {
        return loan;
    }

    @Override
    public String name() {
        return loan == null ? super.name() : loan.name(super.name());
    }

    @Override
    @Nullable
    Loan ownLoan() {
        return loan;
    }

    /**
     * Returns the copier of the contents of the value: the copier given, or a known one for arrays of primitives; else
     * null.
     */
    public @Nullable Copier<T> copier() {
        return copier;
    }

    @Override
    public boolean hasValue() {
        return true;
    }

    /** Refuses to give the value of a handle to a caller that may not have it. Safe for use by any thread. */
    @FunctionalInterface
    public interface Guard {
        /** The calling thread takes the value of {@code handle}; throws when it must not. */
        void touched(Handle<?> handle);
    }

    /** Waits for the writers of a handle. Safe for use by any thread. */
    @FunctionalInterface
    public interface Wait {
        /** The calling thread is about to take the value of {@code handle}, perhaps inside of a task. */
        void forWriters(Handle<?> handle);
    }

    /**
     * The time for which a pool lends a value under one handle. The next loan of the same value has another handle.
     * Threads: any.
     */
    public interface Loan {
        /** True if the value was given back; it may be lent under another handle by now. */
        boolean isOver();

        /** Returns the name of the handle. Called when it is asked for, which is seldom: a loan is often. */
        default String name(String pool) {
            return pool;
        }

        /**
         * For the engine: a task, a view or a compiled graph declares an access to the handle, or to a part of it.
         * Called as often as that happens, before the first of them can run.
         */
        default void declared() {}
    }
}
