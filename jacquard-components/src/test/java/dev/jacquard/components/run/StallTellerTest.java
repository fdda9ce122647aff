package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.core.session.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StallTellerTest {
    private static final long SECOND = 1_000_000_000L;

    /** In virtual time: the teller is asked what it would say. */
    @Test
    void whatRunsAndWhatWaitsIsToldOncePerStall(@TempDir Path folder) throws Exception {
        ComposedProgram program = (ComposedProgram) new Programs(folder).load("""
                components:
                  one: {component: number, value: 1}
                  a: {component: sum}
                  x: {component: until, passes: 2}
                  s: {component: show}
                wires: {a.in1: one.value, a.in2: x.again, x.value: a.value, s.value: a.value}
                """, RunMode.SERIAL);
        Passes passes = new Passes(program.plan());
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"));
                Session session = Session.builder().workers(1).open()) {
            OpenedParts parts = OpenedParts.open(
                    program.plan(),
                    program.parts(),
                    session,
                    new Surroundings(out, Progress.NONE, new Cancellation(), false),
                    RankScope.none(),
                    null);
            String[] waiting = new String[1];
            StallTeller teller = new StallTeller(program.plan(), parts, passes, session, RankScope.none());
            teller.close(); // it looks no more by itself
            passes.enter(0);
            passes.begin(0);
            long begun = session.clock().nanoTime();
            parts.get(1).begins(begun);
            assertNull(teller.look(begun));
            assertNull(teller.look(begun + 10 * SECOND - 1));
            assertEquals(
                    "nothing has moved for 10 s: component 'a' (sum, dev.jacquard.components.kit.Kit$Sum) in pass 1 of the"
                            + " loop 'a' to 'x' has run for 10 s; 'x', 's' wait for it",
                    teller.look(begun + 10 * SECOND));
            assertNull(teller.look(begun + 30 * SECOND));
            parts.get(1).ends(begun + 31 * SECOND);
            parts.get(2).begins(begun + 31 * SECOND);
            assertNull(teller.look(begun + 31 * SECOND));
            assertEquals(
                    "nothing has moved for 10 s: component 'x' (until, dev.jacquard.components.kit.Kit$Until) in pass 1 of"
                            + " the loop 'a' to 'x' has run for 11 s",
                    teller.look(begun + 42 * SECOND));
            parts.get(2).ends(begun + 43 * SECOND);
            assertNull(teller.look(begun + 43 * SECOND));
            session.graph()
                    .task("left")
                    .run(context -> waiting[0] = teller.look(begun + 54 * SECOND))
                    .join();
            assertEquals(
                    "nothing has moved for 10 s: no component runs, and it waits for tasks that components have left:"
                            + " \"left\"",
                    waiting[0]);
            assertNull(teller.look(begun + 55 * SECOND));
            parts.close();
        }
    }
}
