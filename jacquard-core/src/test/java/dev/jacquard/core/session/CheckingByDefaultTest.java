package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.Checking;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When checking mode is on, for sessions that choose it and for those that do not. */
class CheckingByDefaultTest {
    private static final String PROPERTY = "jacquard.checking";
    private final @Nullable String before = System.getProperty(PROPERTY);

    @AfterEach
    void restore() {
        set(before);
    }

    private static void set(@Nullable String value) {
        if (value == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, value);
        }
    }

    /** Returns true if the session notices at its close that a task was begun and not submitted. */
    private static boolean checks(SessionBuilder builder) {
        Session session = builder.workers(1).open();
        var _ = session.graph().task("forgotten");
        try {
            session.close();
            return false;
        } catch (IllegalStateException e) {
            assertMentions(e, "task \"forgotten\", begun at " + CheckingByDefaultTest.class.getName() + ".checks(");
            return true;
        }
    }

    @Test
    void itIsOnWhereAssertionsAre() {
        set(null);
        assertEquals(Checking.class.desiredAssertionStatus(), checks(Session.builder()));
    }

    @Test
    void thePropertySwitchesItOnOrOff() {
        for (boolean on : new boolean[] {true, false}) {
            set(Boolean.toString(on));
            assertEquals(on, checks(Session.builder()));
        }
    }

    @Test
    void aSessionChoosesWhateverThePropertySays() {
        for (boolean on : new boolean[] {true, false}) {
            set(Boolean.toString(on));
            assertEquals(true, checks(Session.builder().checking()));
            assertEquals(false, checks(Session.builder().noChecking()));
        }
    }

    @Test
    void anotherValueIsRefused() {
        set("yes");
        assertMentions(
                assertThrows(IllegalArgumentException.class, Session::builder),
                "jacquard.checking is \"yes\"",
                "true switches",
                "false switches");
    }
}
