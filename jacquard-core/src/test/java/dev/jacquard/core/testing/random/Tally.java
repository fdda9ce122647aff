package dev.jacquard.core.testing.random;

import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Faults;
import dev.jacquard.memory.coherence.Transfers;
import java.util.Map;
import java.util.TreeMap;

/** What the sessions of programs did, so that tests can ask whether they reach what they are for. Threads: one. */
public final class Tally {
    /** Evictions from each memory. */
    private final Map<String, Long> evictions = new TreeMap<>();

    private long programs;
    private long complete;
    private long fromDisk;
    private long recomputed;
    private long fellBack;
    private long lost;
    private long corrupted;

    Tally() {}

    /** No task of {@code session} is live any more; {@code whole} if all ended well. */
    void add(Session session, boolean whole) {
        Transfers moved = session.data().transfers();
        Faults faults = session.data().faults();
        programs++;
        complete += whole ? 1 : 0;
        moved.spaces().forEach(space -> evictions.merge(space.space(), space.evictions(), Long::sum));
        fromDisk += moved.links().stream()
                .filter(link -> link.from().startsWith("disk"))
                .mapToLong(Transfers.Link::copies)
                .sum();
        recomputed += faults.recomputations().size();
        fellBack += faults.fellBack();
        lost += faults.lost().size();
        corrupted += faults.corrupted();
    }

    public long programs() {
        return programs;
    }

    /** The programs of which all tasks ended well. */
    public long complete() {
        return complete;
    }

    /** How often something left the memory of that name. */
    public long evictions(String space) {
        return evictions.getOrDefault(space, 0L);
    }

    /** Copies that came back from a file. */
    public long fromDisk() {
        return fromDisk;
    }

    /** What was computed again since it was lost. */
    public long recomputed() {
        return recomputed;
    }

    /** Tasks that went elsewhere. */
    public long fellBack() {
        return fellBack;
    }

    /** Devices that were lost. */
    public long lost() {
        return lost;
    }

    /** Copies that were damaged, and found to be. */
    public long corrupted() {
        return corrupted;
    }

    @Override
    public String toString() {
        return programs + " programs, " + complete + " complete; evictions " + evictions + ", " + fromDisk
                + " copies from disk; " + lost
                + " devices lost, " + fellBack + " tasks went elsewhere, " + recomputed + " recomputations, "
                + corrupted + " corrupted copies";
    }
}
