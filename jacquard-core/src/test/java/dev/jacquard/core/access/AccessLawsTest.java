package dev.jacquard.core.access;

import static dev.jacquard.core.testing.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.testing.AccessLaws;
import java.util.ArrayList;
import java.util.List;
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
    void theKitNamesTheBrokenLaw() {
        AssertionError error =
                assertThrows(AssertionError.class, () -> new AccessLaws(List.of(new Careless(), Mode.READ)).check());
        assertMentions(error, "an access covers itself");
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
