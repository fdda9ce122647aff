package dev.jacquard.core.graph;

import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.access.AccessList;
import java.util.Set;

/**
 * A task as a placement sees it: the place is chosen before the task itself is made. Immutable.
 *
 * @param name the name of the task
 * @param kernel the name of the kernel; empty for none
 * @param priority the priority, higher first
 * @param flags the flags that the user gave it
 * @param affinity the index of the worker that the user wants; -1 for any
 * @param accesses the declared accesses
 */
record KernelTask(String name, String kernel, int priority, Set<Flag> flags, int affinity, AccessList accesses)
        implements ReadyTask {
    @Override
    public boolean has(String flag) {
        return flags.contains(Flag.named(flag));
    }

    @Override
    public Object locality() {
        return locality(accesses, name);
    }

    /** Returns the first resource that {@code accesses} write; {@code name} if they write none. */
    static Object locality(AccessList accesses, String name) {
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.access(i).writes()) {
                return accesses.resource(i);
            }
        }
        return name;
    }

    /** Returns the same task with its accesses in another order. */
    @SuppressWarnings("ReferenceEquality") // mostly the same list
    KernelTask with(AccessList ordered) {
        return ordered == accesses ? this : new KernelTask(name, kernel, priority, flags, affinity, ordered);
    }
}
