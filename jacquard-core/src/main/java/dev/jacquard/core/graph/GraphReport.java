package dev.jacquard.core.graph;

/**
 * How many tasks of a graph ended how. A snapshot: exact when nothing runs.
 *
 * @param submitted all
 * @param done ended well
 * @param failed their bodies threw
 * @param cancelled did not run
 */
public record GraphReport(long submitted, long done, long failed, long cancelled) {
    /** Those that are not over. */
    public long pending() {
        return submitted - done - failed - cancelled;
    }

    @Override
    public String toString() {
        return submitted + " tasks: " + done + " done, " + failed + " failed, " + cancelled + " cancelled, " + pending()
                + " pending";
    }
}
