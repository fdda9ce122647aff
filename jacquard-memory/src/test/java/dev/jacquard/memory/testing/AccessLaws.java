package dev.jacquard.memory.testing;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * The laws of {@link Access}, for any kind of access: give samples of the kind, and of the kinds that it knows. All
 * modes and kinds that nobody knows are added. Checks every pair and triple.
 */
public final class AccessLaws {
    private static final int DRAWN = 16;

    private final List<Access> samples;

    /** The laws on {@code samples}, which all refer to one resource. */
    public AccessLaws(List<? extends Access> samples) {
        this.samples = new ArrayList<>(samples);
        for (Mode mode : Mode.values()) {
            this.samples.add(mode);
            this.samples.add(new Stranger(mode.reads(), mode.writes()));
        }
    }

    /**
     * Checks all laws on many small sets of samples.
     *
     * @param rounds how many sets; round r draws from the seed r
     * @param kinds given a source of chance, draws a source of accesses to one resource
     * @throws AssertionError that names the law, the accesses that break it, and the seed
     */
    public static void check(int rounds, Function<Random, Function<Random, ? extends Access>> kinds) {
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            Function<Random, ? extends Access> kind = kinds.apply(random);
            List<Access> drawn = new ArrayList<>();
            for (int i = 0; i < DRAWN; i++) {
                drawn.add(kind.apply(random));
            }
            try {
                new AccessLaws(drawn).check();
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "; seed " + seed, e);
            }
        }
    }

    /**
     * Checks all laws.
     *
     * @throws AssertionError that names the law and the accesses that break it
     */
    public void check() {
        for (Access a : samples) {
            require(a.covers(a), "an access covers itself", a);
            checkWhole(a);
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
        boolean nothing = !b.reads() && !b.writes();
        require(a.writes() || b.writes() || !conflicts, "accesses that do not write never conflict", a, b);
        require(!nothing || !conflicts, "nothing conflicts with what neither reads nor writes", a, b);
        require(!nothing || !b.conflictsWith(a), "what neither reads nor writes conflicts with nothing", b, a);
        require(!nothing || covers, "everything covers what neither reads nor writes", a, b);
        require(!covers || a.writes() || !b.writes(), "what covers a writing access writes", a, b);
        require(
                !conflicts || (a.whole().conflictsWith(b) && a.conflictsWith(b.whole())),
                "what conflicts does so as a whole too",
                a,
                b);
        require(
                !conflicts || a.getClass() != b.getClass() || mayShareKeys(a, b),
                "accesses of one class that have keys and share none do not conflict",
                a,
                b);
        require(
                conflicts == a.conflictsWith(b) && covers == a.covers(b),
                "the same question has the same answer",
                a,
                b);
    }

    private static boolean mayShareKeys(Access a, Access b) {
        return a.keys().isEmpty() || b.keys().isEmpty() || a.keys().stream().anyMatch(b.keys()::contains);
    }

    private static void checkTriple(Access a, Access b, Access c) {
        require(!(a.covers(b) && b.covers(c)) || a.covers(c), "covering is transitive", a, b, c);
        require(
                !(a.conflictsWith(b) && c.covers(b)) || a.conflictsWith(c),
                "what conflicts with an access conflicts with whatever covers that access",
                a,
                b,
                c);
        require(
                !(b.conflictsWith(a) && c.covers(b)) || c.conflictsWith(a),
                "an access conflicts with whatever an access conflicts with that it covers",
                c,
                b,
                a);
    }

    private static void checkWhole(Access a) {
        Access whole = a.whole();
        require(whole.covers(a), "the whole covers the access", whole, a);
        require(whole.whole() == whole, "a whole is its own whole", a, whole);
        require(
                whole.reads() == a.reads() && whole.writes() == a.writes(),
                "the whole reads and writes like the access",
                a,
                whole);
    }

    /** A kind that nobody knows is taken for an access to the whole resource. */
    private static void checkStrangers(Access a) {
        for (Mode mode : List.of(Mode.READ, Mode.UPDATE, Mode.WRITE, Mode.NONE)) {
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
            return Mode.ofStranger(this).conflictsWith(Mode.ofStranger(earlier));
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(this).covers(Mode.ofStranger(other));
        }
    }
}
