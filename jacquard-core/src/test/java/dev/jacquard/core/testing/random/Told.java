package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions in which threads that wait were told of failures: each failure of a task is in one that an await or
 * the close threw, unless another wait or a stage was told, and in no two of them. Threads: any.
 */
final class Told {
    /** Thrown by awaits and by the close, with those that they suppress. */
    private final List<Throwable> byAwaits = new CopyOnWriteArrayList<>();
    /** Thrown by what waits for data, or for one task. */
    private final List<Throwable> others = new CopyOnWriteArrayList<>();

    /** An await or the close threw {@code thrown}. */
    void byAwait(Throwable thrown) {
        byAwaits.add(thrown);
        for (Throwable each : thrown.getSuppressed()) {
            byAwait(each);
        }
    }

    /** A wait for data, or for one task, threw {@code thrown}. */
    void byOther(Throwable thrown) {
        others.add(thrown);
    }

    /** All is over, and the session closed. */
    void verify(Program program, Trial trial) {
        List<Throwable> elsewhere = Stream.concat(
                        others.stream(), program.all().map(trial::of).flatMap(Told::told))
                .toList();
        boolean counted = byAwaits.stream().anyMatch(each -> message(each).contains("left out"));
        program.all().map(trial::of).forEach(its -> {
            Throwable error = ownError(its);
            if (error != null) {
                long times = byAwaits.stream().filter(each -> isOf(each, error)).count();
                boolean alone = program.composition() == null; // executions await side by side
                if (times > (alone && isHandled(its) ? 0 : 1)) {
                    trial.bodies()
                            .violation(Violation.Kind.STATE, its + " failed, which awaits told " + times + " times");
                }
                if (times == 0 && !counted && elsewhere.stream().noneMatch(each -> comesOf(each, error))) {
                    trial.bodies().violation(Violation.Kind.STATE, its + " failed, and no wait was told" + its.why());
                }
            }
        });
        if (program.setting().submitters() == 1 && !program.setting().listens()) { // else the order is not known
            verifyAnew(program, trial);
        }
    }

    /**
     * What a failure cancels that was submitted when its submitter had been told already is told anew, unless others
     * were told meanwhile. By the order in which tasks were submitted, which is not the program's where components do.
     */
    private void verifyAnew(Program program, Trial trial) {
        List<Seen> all = trial.submissions();
        for (Seen look : all) {
            Throwable error = look.job.kind() == Job.Kind.LOOK ? root(look.complaint) : null;
            if (error != null && !isTold(program, trial, look, error)) {
                all.stream()
                        .filter(its -> its.place >= look.lookedAt)
                        .filter(its -> !its.spawned && its.result != null && its.state() == TaskState.CANCELLED)
                        .filter(its -> root(ending(its)) == error)
                        .findFirst()
                        .ifPresent(its -> trial.bodies()
                                .violation(
                                        Violation.Kind.STATE,
                                        its + " was cancelled, of which no wait was told anew" + its.why()));
            }
        }
    }

    /**
     * Returns true if a wait was told of {@code error}, other than {@code look} and those before it. A stage of a task
     * that was submitted before may have been told since: the task may have run behind the one that is looked for.
     */
    private boolean isTold(Program program, Trial trial, Seen look, Throwable error) {
        Set<Seen> earlier = new HashSet<>();
        trial.submissions().stream()
                .filter(its -> its.place < look.lookedAt)
                .forEach(its -> its.job.all().map(trial::of).forEach(earlier::add));
        Stream<Throwable> later = program.all()
                .map(trial::of)
                .filter(its -> !earlier.contains(its) || its.stage != null)
                .flatMap(Told::told);
        return Stream.concat(others.stream(), later).anyMatch(each -> comesOf(each, error))
                || byAwaits.stream().anyMatch(each -> each.getCause() == error && isLater(each));
    }

    /** The exception of the code that failed; null if none did. */
    static @Nullable Throwable root(@Nullable Throwable thrown) {
        return thrown instanceof TaskFailedException ? thrown.getCause() : null;
    }

    /** The exception for who waits for its task; null if there is none, or it ended well. */
    static @Nullable RuntimeException ending(Seen its) {
        Task<?> task = its.result;
        try {
            if (task != null) {
                task.join();
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** The exceptions that reached those who wait for the task of {@code its}, or for its stage. */
    private static Stream<Throwable> told(Seen its) {
        // waits for the stage, which other threads end
        Seen.Ended ended = its.stage == null || !its.isOver()
                ? null
                : its.stage.toCompletableFuture().join();
        return Stream.of(its.complaint, ended == null ? null : ended.error()).filter(Objects::nonNull);
    }

    /** Returns true if its submitter was told, or had code for failures attached, before any await ended. */
    private static boolean isHandled(Seen its) {
        return !its.spawned && (its.stage != null || its.complaint != null);
    }

    /** The exception of the task's own code; null if it ended well, or for another reason. */
    private static @Nullable Throwable ownError(Seen its) {
        if (its.result == null || its.state() != TaskState.FAILED) {
            return null;
        }
        return ending(its) instanceof TaskFailedException e && e.task().equals("t" + its.job.id())
                ? e.getCause()
                : null;
    }

    /** Returns true if {@code thrown} tells of that failure, and not of a task that it has cancelled later. */
    private static boolean isOf(Throwable thrown, Throwable error) {
        return thrown instanceof TaskFailedException && thrown.getCause() == error && !isLater(thrown);
    }

    /** Returns true if {@code thrown} tells of a task that a failure has cancelled which was told before. */
    private static boolean isLater(Throwable thrown) {
        return message(thrown).contains("\n  so ");
    }

    private static boolean comesOf(Throwable thrown, @Nullable Throwable error) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).anyMatch(each -> each == error);
    }

    private static String message(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
