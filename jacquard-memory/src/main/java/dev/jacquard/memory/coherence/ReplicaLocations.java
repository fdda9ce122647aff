package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.List;

/**
 * The places of some data at one moment: the newest version of each part and the memories that had it, and every
 * replica. Immutable.
 *
 * @param parts disjoint, and all of the data in sum
 * @param replicas memory in some space each
 */
public record ReplicaLocations(List<Part> parts, List<Held> replicas) {
    public ReplicaLocations {
        parts = List.copyOf(parts);
        replicas = List.copyOf(replicas);
    }

    /**
     * A part that is written as a whole.
     *
     * @param box which indices
     * @param version counts the writes; 0 when it was never written
     * @param newest the names of the spaces that have this version; empty when none has
     * @param beingWritten true if a task, or a user view, is writing it
     */
    public record Part(Box box, long version, List<String> newest, boolean beingWritten) {
        public Part {
            newest = List.copyOf(newest);
        }

        @Override
        public String toString() {
            return box + " version " + version
                    + (newest.isEmpty() ? ", which is in no memory" : " in " + String.join(", ", newest))
                    + (beingWritten ? ", being written" : "");
        }
    }

    /**
     * A replica.
     *
     * @param space the name of the memory that it is in
     * @param box of which indices
     * @param home true if that is the user's own memory
     * @param bytes its size there; 0 for a home
     * @param newest true if all that it has is the newest
     * @param users how many tasks, user views and copies use it
     */
    public record Held(String space, Box box, boolean home, long bytes, boolean newest, int users) {
        @Override
        public String toString() {
            return box + " in " + space + (home ? ", its home" : ", " + bytes + " bytes") + (newest ? "" : ", old")
                    + (users == 0 ? "" : ", in use by " + users);
        }
    }

    /** Returns true if the memory of that name has the newest of everything. */
    public boolean isNewestIn(String space) {
        return parts.stream().allMatch(part -> part.newest().contains(space));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append("\n  part ").append(part));
        replicas.forEach(replica -> text.append("\n  replica ").append(replica));
        return text.toString();
    }
}
