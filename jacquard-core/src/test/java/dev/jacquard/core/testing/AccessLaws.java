package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Mode;
import java.util.List;

/**
 * The laws of {@link Access}, for any kind of access: give samples of the kind, of the modes, and of kinds it knows. Checks
 * every pair and triple.
 */
public final class AccessLaws {
    private final List<? extends Access> samples;

    /** The laws on {@code samples}, which all refer to one resource. */
    public AccessLaws(List<? extends Access> samples) {
        this.samples = samples;
    }

    /**
     * Checks all laws.
     *
     * @throws AssertionError that names the law and the accesses that break it
     */
    public void check() {
        for (Access a : samples) {
            require(a.covers(a), "an access covers itself", a);
            require(a.reads() || a.writes(), "an access reads or writes", a);
            checkStrangers(a);
            for (Access b : samples) {
                checkPair(a, b);
                samples.forEach(c -> checkTriple(a, b, c));
            }
        }
    }

    private static void checkPair(Access a, Access b) {
        boolean conflicts = a.conflictsWith(b);
        boolean covers = a.covers(b);
        require(a.writes() || b.writes() || !conflicts, "accesses that only read never conflict", a, b);
        require(conflicts == b.conflictsWith(a), "who conflicts does so in either order", a, b);
        require(!covers || a.writes() || !b.writes(), "what covers a writing access writes", a, b);
        require(
                conflicts == a.conflictsWith(b) && covers == a.covers(b),
                "the same question has the same answer",
                a,
                b);
    }

    private static void checkTriple(Access a, Access b, Access c) {
        require(!(a.covers(b) && b.covers(c)) || a.covers(c), "covering is transitive", a, b, c);
        require(
                !(a.conflictsWith(b) && c.covers(b)) || a.conflictsWith(c),
                "what conflicts with an access conflicts with whatever covers that access",
                a,
                b,
                c);
    }

    /** A kind that nobody knows is taken for an access to the whole resource. */
    private static void checkStrangers(Access a) {
        for (Mode mode : Mode.values()) {
            Access stranger = new Stranger(mode.reads(), mode.writes());
            require(
                    a.conflictsWith(stranger) == a.conflictsWith(mode) && a.covers(stranger) == a.covers(mode),
                    "an unknown kind is taken for an access to the whole resource",
                    a,
                    stranger);
        }
    }

    private static void require(boolean holds, String law, Access... accesses) {
        if (!holds) {
            throw new AssertionError("broken law: " + law + "; by " + List.of(accesses));
        }
    }

    private record Stranger(boolean reads, boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return writes || earlier.writes();
        }

        @Override
        public boolean covers(Access other) {
            return writes || !other.writes();
        }
    }
}
