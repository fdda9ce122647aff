package dev.jacquard.cluster.local;

import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Operation.Subject;
import dev.jacquard.cluster.message.Wait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The text of a deadlock: a cycle of ranks that wait for each other, or a chain to a rank that has ended. */
final class Deadlock {
    /** The longest cycle that is reported whole. */
    private static final int MOST_RANKS = 12;

    private final Map<Integer, Wait> waits = new TreeMap<>();
    private final World world;

    /**
     * A deadlock.
     *
     * @param blocked the waits and their ranks
     */
    Deadlock(World world, Map<Wait, Integer> blocked) {
        this.world = world;
        blocked.forEach((wait, rank) -> waits.putIfAbsent(rank, wait));
    }

    String text() {
        List<Integer> told = cycle();
        StringBuilder text = new StringBuilder("deadlock: ");
        for (int i = 0; i < told.size() && i < MOST_RANKS; i++) {
            text.append(i == 0 ? "" : "; ").append(line(told.get(i)));
        }
        int others =
                waits.size() - (int) told.stream().filter(waits::containsKey).count();
        if (told.size() > MOST_RANKS) {
            text.append("; and so on, over ").append(told.size()).append(" ranks");
        }
        if (others > 0) {
            text.append("; ").append(others).append(others == 1 ? " other rank waits" : " other ranks wait");
        }
        return text.toString();
    }

    private String line(int rank) {
        Wait wait = waits.get(rank);
        if (wait == null) {
            return "rank " + rank + " has ended";
        }
        List<String> all = wait.operations().stream()
                .map(operation -> operation.subject().text())
                .distinct()
                .limit(3)
                .toList();
        return "rank " + rank + " waits for " + String.join(", or for ", all) + hint(rank);
    }

    private String hint(int rank) {
        Endpoint endpoint = world.endpoint(rank);
        List<String> all = endpoint.unreceived().stream()
                .limit(2)
                .map(its -> "one of rank " + its.source() + " with tag " + its.tag())
                .toList();
        return all.isEmpty() ? "" : " (it has not received " + String.join(", ", all) + ")";
    }

    /** Follows the ranks for which each waits, to a rank seen before, or one that does not wait. */
    private List<Integer> cycle() {
        List<Integer> path = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        int rank = waits.keySet().iterator().next();
        while (seen.add(rank)) {
            path.add(rank);
            Wait wait = waits.get(rank);
            if (wait == null) {
                return path;
            }
            rank = next(rank, wait);
        }
        return path.subList(path.indexOf(rank), path.size());
    }

    private int next(int rank, Wait wait) {
        @Nullable Integer any = null;
        for (int i = 0; i < wait.operations().size(); i++) {
            Subject subject = wait.operations().get(i).subject();
            if (subject.partner() >= 0) {
                return subject.partner();
            }
        }
        for (int other : waits.keySet()) {
            if (other != rank) {
                any = other;
                break;
            }
        }
        return any == null ? rank : any;
    }
}
