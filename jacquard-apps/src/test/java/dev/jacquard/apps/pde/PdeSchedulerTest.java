package dev.jacquard.apps.pde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.known.CountedNewest;
import dev.jacquard.components.program.Report;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equations whose steps run by a scheduler of the class path. */
class PdeSchedulerTest {
    @TempDir
    Path folder;

    @Test
    void aSchedulerOfTheUsersIsFoundByItsName() throws Exception {
        long before = CountedNewest.TASKS.get();
        PdeRuns runs = new PdeRuns(folder);
        Report report =
                runs.run(runs.file(TwoUnknowns.PROGRAM), "out", "workers=1", "fuse=false", "scheduler=counted-newest");
        assertEquals("counted-newest", report.values().get("scheduler"));
        assertTrue(CountedNewest.TASKS.get() - before >= 15, "one task a step at least");
    }
}
