package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.testing.Program.Line;
import dev.jacquard.core.testing.Program.Touch;
import java.util.ArrayList;
import java.util.List;

/**
 * How a program ends when its lines run one after the other, by the rules of poison:
 *
 * <ul>
 *   <li>a task that fails or is cancelled poisons what it was to write;
 *   <li>a task one of whose accesses reads and conflicts with a poisoned one is cancelled, and changes nothing;
 *   <li>an access that covers and conflicts with a poisoned one takes its poison away (its own task's end decides anew);
 *   <li>a task meets its accesses in the order of their declaration.
 * </ul>
 *
 * @param cells of each field, at the end
 * @param ends of each line: done, failed or cancelled
 */
public record Expectation(List<long[]> cells, List<TaskState> ends) {
    /** Runs {@code program}. */
    public static Expectation of(Program program) {
        List<long[]> cells = program.cells();
        List<List<Access>> poison = new ArrayList<>();
        program.fields().forEach(field -> poison.add(new ArrayList<>()));
        List<TaskState> ends = new ArrayList<>();
        for (Line line : program.lines()) {
            TaskState end =
                    meets(line, poison) ? TaskState.CANCELLED : line.fails() ? TaskState.FAILED : TaskState.DONE;
            if (end != TaskState.CANCELLED) {
                program.perform(line, cells::get);
            }
            if (end != TaskState.DONE) {
                line.touches().stream()
                        .filter(touch -> touch.access().writes())
                        .forEach(touch -> poison.get(touch.field()).add(touch.access()));
            }
            ends.add(end);
        }
        return new Expectation(cells, ends);
    }

    /** Whether poison stops {@code line}; takes away what it covers. */
    private static boolean meets(Line line, List<List<Access>> poison) {
        boolean stopped = false;
        for (Touch touch : line.touches()) {
            Access access = touch.access();
            List<Access> here = poison.get(touch.field());
            stopped |= access.reads() && here.stream().anyMatch(access::conflictsWith);
            here.removeIf(known -> access.conflictsWith(known) && access.covers(known));
        }
        return stopped;
    }

    /** How many lines end as {@code end}. */
    public long count(TaskState end) {
        return ends.stream().filter(end::equals).count();
    }
}
