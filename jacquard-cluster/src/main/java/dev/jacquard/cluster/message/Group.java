package dev.jacquard.cluster.message;

import org.jspecify.annotations.Nullable;

/**
 * The ranks of a communicator. Immutable.
 *
 * @param rank the number of this rank
 * @param size the number of ranks
 * @param members the number of each in the world; null if these are the same
 */
record Group(int rank, int size, int @Nullable [] members) {
    static Group world(int rank, int size) {
        return new Group(rank, size, null);
    }

    /** Returns the number in the world of a rank. */
    int world(int member) {
        return members == null ? member : members[member];
    }

    int[] worldRanks() {
        int[] all = new int[size];
        for (int i = 0; i < size; i++) {
            all[i] = world(i);
        }
        return all;
    }
}
