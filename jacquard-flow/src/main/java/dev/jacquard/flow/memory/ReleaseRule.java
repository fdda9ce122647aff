package dev.jacquard.flow.memory;

/**
 * Decides when one lent buffer is free: the state of one loan, made anew for each take.
 *
 * <p>Threads: called by one thread at a time, under a lock of that one loan, so it needs no lock and must not block.
 * Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.2 and 5.2 "Memory Release Rule".
 */
@FunctionalInterface
public interface ReleaseRule {
    /** Somebody released the buffer once more: is it free now? */
    boolean released();

    /** Free at the first release. */
    static ReleaseRule once() {
        return () -> true;
    }

    /**
     * A reference count: free at the {@code uses}-th release.
     *
     * @throws IllegalArgumentException when {@code uses} is not positive
     */
    static ReleaseRule after(int uses) {
        if (uses < 1) {
            throw new IllegalArgumentException("a buffer needs at least 1 release to be freed, not " + uses);
        }
        return new ReleaseRule() {
            private int left = uses;

            @Override
            public boolean released() {
                return --left <= 0;
            }
        };
    }
}
