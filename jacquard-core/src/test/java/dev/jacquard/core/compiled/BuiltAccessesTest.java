package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Accesses to data that a builder refuses, as a live graph does. */
@Timeout(180)
class BuiltAccessesTest {
    private final Session session = Session.builder().workers(1).open();
    private final Data x = session.data().vector("x", new double[4]);

    @AfterEach
    void close() {
        session.close();
    }

    private void assertRefused(Data data, Access access, String... said) {
        CompiledGraphBuilder builder = session.compile("g");
        assertMentions(
                assertThrows(
                        RuntimeException.class,
                        () -> builder.task(
                                "t", context -> context.memory(data).segment(), a -> a.accesses(data, access))),
                said);
    }

    @Test
    void anAreaThatTheDataDoesNotHave() {
        assertRefused(x, Access.update(Area.of(2, 4)), "task \"t\" accesses", "of data \"x\"", "has elements");
        assertRefused(x, Access.read(Area.of(0, 1, 0, 1)), "task \"t\" accesses", "of data \"x\"", "has elements");
        assertRefused(x, Access.read(Area.ofReals(0, 1)), "task \"t\" accesses", "of data \"x\"", "has elements");
    }

    @Test
    void dataThatIsFreed() {
        Data gone = session.data().vector("gone", DataType.FLOAT64, 4);
        session.data().free(gone);
        assertRefused(gone, Access.write(), "task \"t\" accesses data \"gone\"", "was freed");
    }
}
