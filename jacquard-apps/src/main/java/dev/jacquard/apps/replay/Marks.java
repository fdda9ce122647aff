package dev.jacquard.apps.replay;

import java.util.List;

/**
 * Times and marks of the tasks of a level, by which most pairs of them are seen to be in order without a look at their
 * accesses. Immutable.
 *
 * <p>A mark is a bit by the hash of a name. A task <i>shares</i> resources that it reads, and <i>claims</i> resources
 * to which it may do more: where no claim of either meets a mark of the other, their accesses need no order. Marks that
 * meet by chance only cost a closer look.
 */
final class Marks {
    /** The bit that each task shares and one that is synchronizing claims; resources have the bits below. */
    private static final int ALL = Long.SIZE - 1;

    /** Spreads hashes of names that differ in their last sign alone. */
    private static final int GOLDEN = 0x9e3779b9;

    private final long[] start;
    private final long[] end;
    private final long[] shared;
    private final long[] claimed;
    /** Of the task's name, and of the names in its {@code after}. */
    private final long[] named;

    private final long[] after;
    /** Of resources with tasks that exclude each other in any order: a reason only where both run at a time. */
    private final long[] excluded;

    private final long[] excluding;

    /** Of tasks that ran, in the order of submission. */
    Marks(ResourceTree tree, List<TaskRun> ran) {
        int tasks = ran.size();
        start = new long[tasks];
        end = new long[tasks];
        shared = new long[tasks];
        claimed = new long[tasks];
        named = new long[tasks];
        after = new long[tasks];
        excluded = new long[tasks];
        excluding = new long[tasks];
        for (int i = 0; i < tasks; i++) {
            start[i] = ran.get(i).start();
            end[i] = ran.get(i).end();
            mark(i, ran.get(i).spec(), tree);
        }
    }

    private void mark(int task, TaskSpec spec, ResourceTree tree) {
        named[task] = bit(spec.name());
        for (String before : spec.after()) {
            after[task] |= bit(before);
        }
        shared[task] = 1L << ALL;
        for (AccessSpec access : spec.accesses()) {
            long bit = bit(tree.root(access.resource()));
            boolean unordered = tree.isUnordered(access.resource());
            if (access.mode() == AccessMode.READ) {
                (unordered ? excluded : shared)[task] |= bit;
            } else if (access.mode() != AccessMode.NONE) {
                (unordered ? excluding : claimed)[task] |= bit;
            }
        }
        if (spec.has(TaskFlag.SYNCHRONIZING)) {
            claimed[task] |= 1L << ALL;
        }
    }

    private static long bit(String name) {
        return 1L << Math.floorMod((name.hashCode() * GOLDEN) >> Short.SIZE, ALL);
    }

    /** The first task from {@code from} on that {@code later} may have overlapped wrongly; {@code later} if none. */
    int suspect(int later, int from) {
        int earlier = from;
        while (earlier < later && (start[later] >= end[earlier] || !meet(earlier, later))) {
            earlier++;
        }
        return earlier;
    }

    private boolean meet(int earlier, int later) {
        return (named[earlier] & after[later]) != 0
                || meeting(shared, claimed, earlier, later) != 0
                || (start[earlier] < end[later] && meeting(excluded, excluding, earlier, later) != 0);
    }

    private static long meeting(long[] reads, long[] writes, int one, int other) {
        return (writes[one] & (reads[other] | writes[other])) | (writes[other] & reads[one]);
    }
}
