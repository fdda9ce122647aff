package dev.jacquard.core.execution;

/**
 * The number of tasks or items that ended, by how they did; the common part of the texts of reports.
 *
 * @param done ended well
 * @param failed their bodies threw
 * @param cancelled did not run, or were interrupted
 */
public record Ends(long done, long failed, long cancelled) {
    @Override
    public String toString() {
        return done + " done, " + failed + " failed, " + cancelled + " cancelled";
    }
}
