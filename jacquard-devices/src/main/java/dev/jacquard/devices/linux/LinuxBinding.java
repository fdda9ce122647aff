package dev.jacquard.devices.linux;

import dev.jacquard.base.machine.ThreadBinding;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Binds threads by {@code sched_setaffinity}. Threads: any. */
public final class LinuxBinding implements ThreadBinding {
    private final @Nullable Affinity affinity;
    private final @Nullable String missing;

    /** A binding, for the service loader. */
    public LinuxBinding() {
        this(System.getProperty("os.name", ""), Affinity::new);
    }

    LinuxBinding(String system, Supplier<Affinity> library) {
        Affinity found = null;
        String why = null;
        if (system.equals("Linux")) {
            try {
                found = library.get();
            } catch (RuntimeException | LinkageError e) { // no such function, or no right to call it
                why = "the C library's sched_setaffinity cannot be called: " + e.getMessage();
            }
        } else {
            why = "threads are bound on Linux only, and this is " + system;
        }
        affinity = found;
        missing = why;
    }

    @Override
    public @Nullable String missing() {
        return missing;
    }

    @Override
    public Runnable bind(int number) {
        Affinity its = affinity;
        if (its == null) {
            throw new IllegalStateException(missing);
        }
        BitSet before = its.get();
        int left = Math.floorMod(number, before.cardinality());
        int processor = before.nextSetBit(0);
        while (left-- > 0) {
            processor = before.nextSetBit(processor + 1);
        }
        BitSet one = new BitSet();
        one.set(processor);
        its.set(one);
        return () -> its.set(before);
    }
}
