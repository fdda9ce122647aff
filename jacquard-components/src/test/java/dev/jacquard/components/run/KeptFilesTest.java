package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a component of a program keeps, whatever becomes of the run. */
class KeptFilesTest {
    @TempDir
    Path folder;

    /** They are no checkpoint of the program, from which it could go on. */
    @Test
    void whatAComponentKeepsIsToldAsItsOwn() throws Exception {
        Scripted.is("keeps", context -> () -> {
            Files.writeString(context.output().kept("state.txt"), "so far");
            throw new IllegalStateException("stopped");
        });
        Program program =
                new Programs(folder).load("components: {a: {component: scripted, id: keeps}}\n", RunMode.PARALLEL);
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Surroundings surroundings = new Surroundings(out, Progress.NONE, new Cancellation(), false);
            assertEquals(List.of(), out.keepers());
            assertThrows(ComponentFailedException.class, () -> program.run(surroundings));
            assertEquals(List.of("a"), out.keepers());
            assertFalse(out.hasKept());
        }
        assertEquals("so far", Files.readString(folder.resolve("out/state.txt")));
    }

    @Test
    void aCheckpointIsTheProgramsOwn() throws Exception {
        Programs programs = new Programs(folder);
        Scripted.is(
                "keeps a checkpoint",
                context -> () -> !context.output().kept("checkpoint").equals(folder));
        programs.assertFailure(
                "the output file 'checkpoint' is written by the program itself, too",
                "components: {a: {component: scripted, id: keeps a checkpoint}}\n",
                RunMode.SERIAL);
    }
}
