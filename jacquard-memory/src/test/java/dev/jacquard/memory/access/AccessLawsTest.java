package dev.jacquard.memory.access;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.memory.testing.AccessLaws;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The kinds of access that come with the engine keep the laws, and the kit notices those that do not. */
class AccessLawsTest {
    @Test
    void modesKeepTheLaws() {
        new AccessLaws(List.of(Mode.values())).check();
    }

    @Test
    void areasOfOneDimensionKeepTheLawsBesideModes() {
        List<Access> samples = new ArrayList<>(List.of(Mode.values()));
        for (Mode mode : Mode.values()) {
            for (int low = 0; low < 4; low++) {
                for (int high = low; high < 4; high++) {
                    samples.add(new AreaAccess(mode, Area.of(low, high)));
                }
            }
        }
        new AccessLaws(samples).check();
    }

    @Test
    void areasOfTwoDimensionsKeepTheLawsBesideModes() {
        List<Access> samples = new ArrayList<>(List.of(Mode.values()));
        for (Mode mode : Mode.values()) {
            for (int corner = 0; corner < 16; corner++) {
                int row = corner / 4;
                int column = corner % 4;
                samples.add(new AreaAccess(mode, Area.of(row / 2, row, column / 2, column)));
            }
        }
        new AccessLaws(samples).check();
    }

    @Test
    void areasOfRealsKeepTheLaws() {
        AccessLaws.check(40, seed -> {
            int dimensions = 1 + seed.nextInt(3);
            return random -> new AreaAccess(anyOf(random, List.of(Mode.values())), reals(random, dimensions));
        });
    }

    @Test
    void tablesKeepTheLaws() {
        AccessLaws.check(150, seed -> {
            List<AccessTable> tables = List.of(RandomTables.draw(seed), RandomTables.draw(seed));
            return random -> anyOf(random, anyOf(random, tables).entries());
        });
    }

    @Test
    void fieldsKeepTheLaws() {
        AccessLaws.check(80, seed -> {
            List<AccessTable> tables = List.of(RandomTables.draw(seed), RandomTables.draw(seed));
            return random -> {
                Access kind = random.nextInt(3) == 0
                        ? anyOf(random, List.of(Mode.values()))
                        : anyOf(random, anyOf(random, tables).entries());
                return random.nextInt(4) == 0 ? kind : new AreaAccess(kind, reals(random, 2));
            };
        });
    }

    /** Boxes with few different corners, so that many touch. */
    private static Area reals(Random random, int dimensions) {
        double[] bounds = new double[2 * dimensions];
        for (int at = 0; at < bounds.length; at += 2) {
            double low = random.nextInt(5) / 2.0 - 1;
            bounds[at] = low;
            bounds[at + 1] = low + random.nextInt(4) / 2.0;
        }
        return Area.ofReals(bounds);
    }

    private static <T> T anyOf(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Test
    void theKitNamesTheBrokenLaw() {
        assertMentions(fails(new Careless()), "an access covers itself");
        assertMentions(fails(new Forgetful()), "covers that access", "Forgetful");
    }

    @Test
    void theKitNamesTheSeed() {
        AssertionError error =
                assertThrows(AssertionError.class, () -> AccessLaws.check(3, seed -> random -> new Careless()));
        assertMentions(error, "an access covers itself", "seed 0");
    }

    private static AssertionError fails(Access sample) {
        return assertThrows(AssertionError.class, () -> new AccessLaws(List.of(sample)).check());
    }

    /** Says that it covers all, and lets others of its kind pass. */
    private record Forgetful() implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return !(earlier instanceof Forgetful) && Mode.UPDATE.conflictsWith(earlier);
        }

        @Override
        public boolean covers(Access other) {
            return true;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }
    }

    /** Covers nothing, not even itself. */
    private record Careless() implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return earlier.writes();
        }

        @Override
        public boolean covers(Access other) {
            return false;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return false;
        }
    }
}
