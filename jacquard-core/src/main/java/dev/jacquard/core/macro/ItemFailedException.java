package dev.jacquard.core.macro;

import dev.jacquard.base.text.UserText;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a macro task, with the exception of the first item that failed as its cause. Up to 15 further failures
 * of items are suppressed. Immutable.
 */
public final class ItemFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String task;
    private final int index;
    private final transient MacroTask.@Nullable Report report;

    ItemFailedException(
            String task, int index, String item, String place, MacroTask.@Nullable Report report, Throwable cause) {
        super(
                "item " + index + (item.equals(String.valueOf(index)) ? "" : " (" + item + ")") + " of macro task \""
                        + task + "\" failed on " + place + ": " + text(cause) + (report == null ? "" : "; " + report),
                cause);
        this.task = task;
        this.index = index;
        this.report = report;
    }

    private static String text(Throwable cause) {
        return UserText.of(cause);
    }

    /** Returns the name of the macro task. */
    public String task() {
        return task;
    }

    /** Returns the index of the item, from 0 on. */
    public int index() {
        return index;
    }

    /**
     * Returns the counts of the macro task's items at its end; null for a suppressed failure and after serialization.
     */
    public MacroTask.@Nullable Report report() {
        return report;
    }
}
