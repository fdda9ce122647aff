package dev.jacquard.flow.memory;

/**
 * Decides when one lent buffer is free. A rule is the state of one loan: each take has its own rule.
 *
 * <p>Threads: called by one thread at a time, under a lock of the loan, so a rule needs no lock and must not block.
 * Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.2 and 5.2 "Memory Release Rule".
 */
@FunctionalInterface
public interface ReleaseRule {
    /** Counts a release of the buffer; returns true if the buffer is free now. */
    boolean released();

    /** Returns a rule that frees the buffer at the first release. */
    static ReleaseRule once() {
        return () -> true;
    }

    /**
     * Returns a rule that counts references: the buffer is free at the {@code uses}-th release.
     *
     * @throws IllegalArgumentException if {@code uses} is not positive
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
