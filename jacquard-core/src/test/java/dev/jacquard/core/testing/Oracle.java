package dev.jacquard.core.testing;

import dev.jacquard.core.graph.GraphReport;
import dev.jacquard.core.graph.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What may happen when a program runs, and whether that is what was seen. Knows the program, the rules of accesses and
 * what was seen, and nothing of the engine.
 *
 * <ul>
 *   <li>Every task ends once, as it must: failed when its body or a sub-task fails, cancelled when it reads what one that did
 *       not end well was to write and nobody has written anew, or comes after one by an edge or a tag.
 *   <li>The graph counts all of them. Each stage is complete.
 *   <li>On each level, the rules of {@link LevelOracle} hold.
 *   <li>The cells are as if the bodies had run one after the other, by the stamps of their beginnings.
 * </ul>
 */
final class Oracle {
    private final Program program;
    private final Rules rules;
    private final Map<Integer, Seen> seen;

    Oracle(Program program, Map<Integer, Seen> seen) {
        this.program = program;
        this.rules = new Rules(program.fields());
        this.seen = seen;
    }

    // ---- what a task may do when

    /** What its body may do at first. */
    static List<Touch> atStart(Seen task) {
        return Rules.demoted(
                task.line.touches(), task.line.pending().demotions().subList(0, task.early));
    }

    /** What is left after {@code count} of the demotions of its body. */
    static List<Touch> after(Seen task, int count) {
        return Rules.demoted(atStart(task), task.line.demotions().subList(0, count));
    }

    /** What is left at the end. */
    static List<Touch> atEnd(Seen task) {
        return after(task, task.gaveUp.length);
    }

    // ---- levels

    /** The tasks of the graph. */
    private LevelOracle graphLevel() {
        List<List<Seen>> chains = new ArrayList<>();
        List<Seen[]> submissions = new ArrayList<>();
        program.submitters().forEach(lines -> chains.add(of(lines)));
        program.submitters().stream()
                .flatMap(List::stream)
                .forEach(line -> fromBodies(line, of(line), chains, submissions));
        return new LevelOracle(rules, this, chains, submissions);
    }

    /** What {@code line}, which is inside of {@code top} or is that itself, submits to the graph. */
    private void fromBodies(Line line, Seen top, List<List<Seen>> chains, List<Seen[]> submissions) {
        List<Seen> chain =
                of(line.submissions()).stream().filter(Seen::submitted).toList();
        if (!chain.isEmpty()) {
            chains.add(chain);
        }
        for (Seen task : chain) {
            submissions.add(new Seen[] {top, task});
            fromBodies(task.line, task, chains, submissions);
        }
        line.subLines().forEach(sub -> fromBodies(sub, top, chains, submissions));
    }

    /** The inside of a task. */
    private LevelOracle inside(Seen task) {
        List<Seen> early = of(task.line.pending().inside());
        List<Seen> fromBody = of(
                task.line.subLines().subList(early.size(), task.line.subLines().size()));
        return new LevelOracle(
                rules, this, List.of(early, fromBody), List.of()); // from outside also while the body refines
    }

    private List<Seen> submittedParts(Seen task) {
        return of(task.line.subLines()).stream().filter(Seen::submitted).toList();
    }

    private Seen of(Line line) {
        return Objects.requireNonNull(seen.get(line.id()));
    }

    private List<Seen> of(List<Line> lines) {
        return lines.stream().map(this::of).toList();
    }

    private Stream<Seen> submitted() {
        return seen.values().stream().filter(Seen::submitted);
    }

    // ---- while it runs

    void verifyReadiness() {
        graphLevel().verifyReadiness(true);
        submitted()
                .filter(task -> !task.line.subLines().isEmpty())
                .forEach(task -> inside(task).verifyReadiness(task.ran()));
    }

    // ---- when all is over

    void verify(GraphReport report, Thread main) {
        EnumMap<TaskState, Long> ends = new EnumMap<>(TaskState.class);
        submitted().forEach(task -> {
            require(task.state().isOver(), task, "is " + task.state() + " when the graph is over");
            ends.merge(task.state(), 1L, Long::sum);
            verifyRuns(task, main);
        });
        GraphReport counted = new GraphReport(
                submitted().count(),
                ends.getOrDefault(TaskState.DONE, 0L),
                ends.getOrDefault(TaskState.FAILED, 0L),
                ends.getOrDefault(TaskState.CANCELLED, 0L));
        if (!report.equals(counted)) {
            throw new AssertionError("the graph reports " + report + ", and there are " + counted);
        }
        graphLevel().verify();
        submitted()
                .filter(task -> task.ran() && !task.line.subLines().isEmpty())
                .forEach(task -> inside(task).verify());
    }

    private void verifyRuns(Seen task, Thread main) {
        boolean cancelled = task.state() == TaskState.CANCELLED;
        require(task.runs.get() == (cancelled ? 0 : 1), task, "ran " + task.runs + " times and ended " + task.state());
        boolean partsDone = submittedParts(task).stream().allMatch(part -> part.state() == TaskState.DONE);
        if (cancelled) {
            require(
                    submittedParts(task).stream().allMatch(part -> part.state() == TaskState.CANCELLED),
                    task,
                    "was cancelled, and a sub-task was not");
        } else {
            TaskState expected = task.line.body().fails() || !partsDone ? TaskState.FAILED : TaskState.DONE;
            require(task.state() == expected, task, "ended " + task.state() + " instead of " + expected);
            require(!task.line.order().main() || task.thread == main, task, "ran on " + task.thread);
        }
        boolean rest = task.line.hasAfterwards() && task.state() == TaskState.DONE;
        require(task.rests.get() == (rest ? 1 : 0), task, "ran what is left " + task.rests + " times");
        if (rest) {
            require(
                    task.restBegin > Math.max(task.bodyEnd, task.lateEnd)
                            && submittedParts(task).stream().allMatch(part -> last(part) < task.restBegin),
                    task,
                    "ran what is left before its sub-tasks were over");
        }
        if (task.stage != null) {
            boolean well = task.stage.handle((value, error) -> error == null).join();
            require(well == (task.state() == TaskState.DONE), task, "has a stage that ended otherwise");
        }
    }

    /** The last stamp of a task and what is inside of it; 0 when nothing ran. */
    long last(Seen task) {
        long last = Math.max(task.bodyEnd, Math.max(task.lateEnd, task.restEnd));
        for (Seen part : submittedParts(task)) {
            last = Math.max(last, last(part));
        }
        return last;
    }

    /** The first stamp of a task that ran and what is inside of it. */
    long first(Seen task) {
        long first = task.begin;
        for (Seen part : submittedParts(task)) {
            first = part.ran() ? Math.min(first, first(part)) : first;
        }
        return first;
    }

    static void require(boolean condition, Seen task, String what) {
        if (!condition) {
            throw new AssertionError("t" + task.line.id() + " " + what);
        }
    }

    // ---- cells

    private record Work(long stamp, int id, List<Touch> touches) {}

    /** Compares with bodies that ran one after the other. */
    void verifyCells(List<long[]> found) {
        List<Work> works = new ArrayList<>();
        submitted().filter(Seen::ran).forEach(task -> {
            if (task.line.works()) {
                works.add(new Work(task.begin, task.line.id(), atStart(task)));
            }
            if (task.rests.get() > 0) {
                works.add(new Work(task.restBegin, ~task.line.id(), atEnd(task)));
            }
        });
        works.sort(Comparator.comparingLong(Work::stamp));
        List<long[]> cells = program.cells();
        works.forEach(work -> program.perform(work.id(), work.touches(), cells));
        for (int i = 0; i < cells.size(); i++) {
            int differs = Arrays.mismatch(found.get(i), cells.get(i));
            if (differs >= 0) {
                throw new AssertionError("cell " + differs + " of f" + i
                        + " is not what bodies left there that ran one after the other");
            }
        }
    }
}
