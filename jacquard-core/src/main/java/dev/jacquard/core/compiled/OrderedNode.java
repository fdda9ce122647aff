package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.KernelBody;

/** A task as scheduling policies see it. Holds no state: all answers are in the task's traits. */
abstract class OrderedNode extends CompiledNode {
    OrderedNode(KernelBody body, boolean follows) {
        super(body, follows);
    }

    /** Returns the properties of the task. */
    abstract TaskTraits traits();

    @Override
    public final long expectedNanos() {
        return traits().standing().expectedNanos;
    }

    @Override
    public final void expect(long nanos) {
        traits().standing().expectedNanos = nanos;
    }

    /** Returns the number of the task. */
    @Override
    public final long id() {
        return number();
    }

    @Override
    public final String name() {
        return traits().name();
    }

    @Override
    public final String toString() {
        return traits().name();
    }

    /** Returns the number that the builder gave the task. */
    final int number() {
        return traits().index();
    }

    @Override
    public final String kernel() {
        return traits().standing().asked.kernel();
    }

    @Override
    public final int priority() {
        return traits().standing().asked.priority();
    }

    @Override
    public final int depth() {
        return traits().standing().depth;
    }

    @Override
    public final int consumers() {
        return traits().standing().consumers;
    }

    @Override
    public final boolean has(String flag) {
        return traits().standing().asked.has(flag);
    }

    @Override
    public final int affinity() {
        return traits().standing().asked.affinity();
    }

    @Override
    public final Object locality() {
        return traits().locality();
    }

    @Override
    public final long ownNanos() {
        return traits().standing().nanos();
    }

    @Override
    public void ran(long nanos) {
        if (traits().runsAtOnce()) {
            traits().standing().ran(nanos);
        }
    }
}
