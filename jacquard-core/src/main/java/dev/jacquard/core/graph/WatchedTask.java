package dev.jacquard.core.graph;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.DataClaim;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A task with a body that is watched in checking mode. */
sealed interface WatchedTask {
    /** Returns the name of the task. */
    String name();

    /** Returns the domain of its session. */
    DependencyDomain domain();

    /** Returns the accesses that the task has now. */
    AccessList declared();

    /** Returns the task if it is one of a live graph, else null. */
    default @Nullable TaskNode node() {
        return null;
    }

    /** Returns true if the task may touch a handle that it has not declared. */
    default boolean made(Handle<?> handle) {
        return false;
    }

    /** Returns the name of a sub-task that has got {@code handle} from the task; null if there is none. */
    default @Nullable String handedOnTo(Handle<?> handle) {
        return null;
    }

    /**
     * Returns a test that a part of data on the host still holds its present contents; null if they cannot be compared.
     *
     * @param access an access of the task to the data, of which {@code part} is all or some
     */
    @Nullable
    BooleanSupplier unchanged(View part, Access access);

    /** Throws unless the task declared {@code handle}, or a whole that contains it. By the body's thread. */
    default void requireMayTouch(Handle<?> handle) {
        AccessList declared = declared();
        boolean known = false;
        boolean reads = false;
        boolean writes = false;
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) == handle || handle.isWithin(declared.resource(i))) {
                known = true;
                reads |= declared.access(i).reads();
                writes |= declared.access(i).writes();
            }
        }
        if (!known && !made(handle)) {
            throw Accesses.undeclared(name(), handle);
        }
        if (known && !reads && !writes) {
            throw new IllegalStateException("task \"" + name() + "\" touches \"" + handle.name()
                    + "\" after it gave up its access, or with one that neither reads nor writes:"
                    + " other tasks may access it now;"
                    + " keep the access that the body still needs");
        }
        String subTask = writes ? handedOnTo(handle) : null;
        if (subTask != null) {
            throw new IllegalStateException("task \"" + name() + "\" touches \"" + handle.name()
                    + "\" after it gave that to its sub-task \"" + subTask
                    + "\": do the rest of the work in ctx.afterwards, or in a sub-task");
        }
    }

    /** A task of a live graph, which other threads may adjust. */
    record Live(TaskNode node) implements WatchedTask {
        @Override
        public String name() {
            return node.name();
        }

        @Override
        public DependencyDomain domain() {
            return node.scope().domain;
        }

        @Override
        public AccessList declared() {
            return node.declared();
        }

        @Override
        public boolean made(Handle<?> handle) {
            Origin origin = Origin.of(handle);
            return origin != null && origin.isMadeBy(node);
        }

        @Override
        public @Nullable String handedOnTo(Handle<?> handle) {
            Refinement inside = node.refinementNow();
            return inside == null ? null : inside.handedOnTo(handle);
        }

        /**
         * {@inheritDoc} A thread that takes the access from an adjustable task does so under the monitor of the task's
         * adjustment: under that monitor the memory stays, and no other task writes to it. A task that refines itself
         * gives the memory up to its sub-tasks: it is not looked at any more.
         */
        @Override
        public @Nullable BooleanSupplier unchanged(View part, Access access) {
            TaskRun run = node.taskRun();
            DataClaim claim = run == null || run.options.asynchronous ? null : run.claim();
            if (run == null || claim == null || !claim.isOnHost()) {
                return null; // a body cannot touch data on a device
            }
            Object monitor = run.adjustment == null ? run : run.adjustment;
            synchronized (monitor) {
                if (!declared().has(part.data(), access)) {
                    return null;
                }
                Memory memory = node.memory(part);
                long before = Contents.hash(memory);
                return () -> {
                    synchronized (monitor) {
                        return run.claim() != claim
                                || !declared().has(part.data(), access)
                                || Contents.hash(memory) == before;
                    }
                };
            }
        }
    }

    /**
     * A task of a compiled graph, which stays as it was declared.
     *
     * @param staged true if the task has the memory of its data
     */
    record Frozen(DependencyDomain domain, BodyContext context, AccessList declared, boolean staged)
            implements WatchedTask {
        @Override
        public String name() {
            return context.name();
        }

        @Override
        public @Nullable BooleanSupplier unchanged(View part, Access access) {
            if (!staged) {
                return null;
            }
            Memory memory = context.memory(part);
            long before = Contents.hash(memory);
            return () -> Contents.hash(memory) == before;
        }
    }
}
