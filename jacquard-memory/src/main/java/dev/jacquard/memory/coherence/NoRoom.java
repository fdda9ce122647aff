package dev.jacquard.memory.coherence;

import org.jspecify.annotations.Nullable;

/** Says why a claim can never get room. Guarded by the lock of the {@link Coherence}. */
final class NoRoom {
    private NoRoom() {}

    /** Returns the bytes that the replicas of a claim take, but for memory of the user's. */
    private static long bytes(ReplicaClaim claim) {
        long bytes = 0;
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed need = claim.needs.get(i);
            boolean users = claim.isOnHost() && need.data().home() != null;
            bytes += users || need.isNone() || claim.first.isSame(i, claim.space)
                    ? 0
                    : claim.first.bytes(i, claim.space);
        }
        return bytes;
    }

    /**
     * Returns the failure of a claim.
     *
     * @param piece the piece that can never pass through the host; null when that is not the reason
     */
    static IllegalStateException failure(Store store, ReplicaClaim claim, @Nullable DataNeed piece) {
        String task = "task \"" + claim.task + "\" finds no room for its data: ";
        if (piece != null) {
            return new IllegalStateException(task + piece.data().name() + piece.box() + " of "
                    + store.host.bytes(piece) + " bytes has to pass through host memory on its way to " + claim.space
                    + ", and that may hold " + store.host.limit
                    + " bytes of replicas: let tasks write smaller parts, or raise the limit");
        }
        return new IllegalStateException(
                task + "it needs " + bytes(claim) + " bytes, " + claim.space
                        + " may hold " + claim.space.limit + " bytes of replicas and holds " + claim.space.used
                        + ", host memory "
                        + store.host.limit + " and " + store.host.used
                        + store.backingText()
                        + "; what is there is the only copy, and has nowhere to go"
                        + store.stuckText(claim.space)
                        + (claim.restorable ? "; for its retries the task needs the updated data twice" : ""),
                store.failure());
    }
}
