package dev.jacquard.core.testing.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What there is to be in random programs is there, in enough of them. */
class DataProgramsTest {
    private static final int PROGRAMS = 1_000;

    private final List<DataProgram> programs =
            LongStream.range(0, PROGRAMS).mapToObj(DataPrograms::draw).toList();

    private void require(String what, int least, Predicate<DataProgram> has) {
        long found = programs.stream().filter(has).count();
        assertTrue(found >= least, () -> found + " of " + PROGRAMS + " programs have " + what + ", not " + least);
    }

    private void requireTask(String what, int least, Predicate<DataStep.Task> has) {
        require(
                what,
                least,
                program -> program.steps().anyMatch(step -> step instanceof DataStep.Task task && has.test(task)));
    }

    private void requireStep(String what, int least, Class<? extends DataStep> type) {
        require(what, least, program -> program.steps().anyMatch(type::isInstance));
    }

    @Test
    void allKindsOccur() {
        require("several submitters", 300, program -> program.submitters().size() > 1);
        require("three submitters", 150, program -> program.submitters().size() == 3);
        require("a window", 200, program -> program.window() > 0);
        for (int dimensions = 1; dimensions <= 3; dimensions++) {
            int count = dimensions;
            require(
                    "fields of " + count + " dimensions",
                    500,
                    program -> program.fields().stream()
                            .anyMatch(field -> field.box().dimensions() == count));
        }
        require(
                "gaps at home",
                200,
                program -> program.fields().stream().anyMatch(field -> field.atHome() && field.gap() > 0));
        require(
                "fields without a home",
                800,
                program -> program.fields().stream().anyMatch(field -> !field.atHome()));
        requireTask("failing tasks", 150, DataStep.Task::fails);
        requireTask("a second graph", 800, task -> task.graph() == 1);
        requireTask("tasks that overwrite", 800, task -> !task.updates());
        requireTask("tasks for a device", 800, task -> task.where() > 1);
        requireTask(
                "reads of the field that is written",
                500,
                task -> task.reads().stream()
                        .anyMatch(read -> read.field() == task.writes().field()));
        requireStep("a look in the middle", 500, DataStep.Look.class);
        requireStep("a fetch in the middle", 350, DataStep.Fetch.class);
        requireStep("freed fields", 150, DataStep.Free.class);
        requireStep("a cancelled graph", 60, DataStep.Cancel.class);
    }

    @Test
    void aSeedGivesOneProgram() {
        assertEquals(programs.get(7), DataPrograms.draw(7));
    }

    @Test
    void shrinkingEndsAtWhatFails() {
        Predicate<DataProgram> fails =
                program -> program.steps().anyMatch(step -> step instanceof DataStep.Task task && task.id() == 5);
        DataProgram smallest = DataProgram.smallest(DataPrograms.draw(7), 1_000, fails);
        assertEquals(1, smallest.steps().count());
        assertTrue(smallest.steps()
                .allMatch(step ->
                        step instanceof DataStep.Task task && task.reads().isEmpty()));
    }
}
