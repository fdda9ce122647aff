package dev.jacquard.apps.replay;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The outcome of a task. */
public enum EndState {
    /** Its body returned, and all its sub-tasks are done. */
    DONE,
    /** Its body threw, or a sub-task failed. */
    FAILED,
    /** It did not run, since what it needed failed. */
    CANCELLED;

    /** As results write it: {@code "done"}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them as results write them. */
    public static List<String> texts() {
        return Arrays.stream(values()).map(EndState::text).toList();
    }
}
