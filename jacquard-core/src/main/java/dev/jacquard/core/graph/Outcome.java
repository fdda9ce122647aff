package dev.jacquard.core.graph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a task did not end well. Immutable, and holds neither a task nor the outcomes between it and the failure, so that it keeps
 * nothing alive: however long the path, only its ends are known. For those who make graphs; users meet a
 * {@link TaskFailedException}.
 *
 * @param task the task's name
 * @param error what its body threw; null when it was cancelled
 * @param details worker and accesses, for the message
 * @param origin the failure that it was cancelled for; null when it failed itself, or when a graph was cancelled
 * @param head the first names of the path, from the failed task on
 * @param tail the last names of the path, as far as head does not have them
 * @param length how many tasks the path has, this one included
 */
public record Outcome(
        String task,
        @Nullable Throwable error,
        String details,
        @Nullable Outcome origin,
        List<String> head,
        List<String> tail,
        int length) {
    /** How many tasks are named at each end of a path. */
    private static final int NAMED = 4;

    /** Its body threw {@code error}. */
    public static Outcome failed(String task, Throwable error, String details) {
        return new Outcome(task, error, details, null, List.of(task), List.of(), 1);
    }

    /** It did not run: because of another task, or (null) because the graph was cancelled. */
    public static Outcome cancelled(String task, @Nullable Outcome because) {
        if (because == null) {
            return new Outcome(task, null, "", null, List.of(task), List.of(), 1);
        }
        boolean near = because.head.size() < NAMED;
        return new Outcome(
                task,
                null,
                "",
                because.root(),
                near ? with(because.head, task) : because.head,
                near ? List.of() : with(because.tail, task),
                because.length + 1);
    }

    /** The names and one more; the last ones only, when there are many. */
    private static List<String> with(List<String> names, String more) {
        List<String> longer = new ArrayList<>(names.size() < NAMED ? names : names.subList(1, NAMED));
        longer.add(more);
        return List.copyOf(longer);
    }

    /** Whether its own body threw. */
    public boolean isFailure() {
        return error != null;
    }

    /** Whether what became of another task is the reason. */
    public boolean isConsequence() {
        return length > 1;
    }

    /** The failure at the start of the path; null when the graph was cancelled. */
    public @Nullable Outcome root() {
        return isFailure() ? this : origin;
    }

    /** The names from the failed task to this one, the middle left out when there are many. */
    public String path() {
        List<String> names = new ArrayList<>();
        head.forEach(name -> names.add('"' + name + '"'));
        int left = length - head.size() - tail.size();
        if (left > 0) {
            names.add("… " + left + " more …");
        }
        tail.forEach(name -> names.add('"' + name + '"'));
        return String.join(" -> ", names);
    }
}
