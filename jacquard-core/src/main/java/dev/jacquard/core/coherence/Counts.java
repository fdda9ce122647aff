package dev.jacquard.core.coherence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts copies. Guarded by the lock of the {@link Coherence}. */
final class Counts {
    private record Way(String data, String from, String to) {}

    private static final class Sum {
        long copies;
        long bytes;
        long staged;
    }

    private final Map<Way, Sum> links = new LinkedHashMap<>();
    private final Map<Way, Sum> perData = new LinkedHashMap<>();

    void add(Copy copy, boolean staged) {
        add(links, new Way("", copy.from.space.name, copy.to.space.name), copy, staged);
        String data = copy.from.directory.data.name();
        add(perData, new Way(data, copy.from.space.name, copy.to.space.name), copy, staged);
    }

    private static void add(Map<Way, Sum> sums, Way way, Copy copy, boolean staged) {
        Sum sum = sums.computeIfAbsent(way, any -> new Sum());
        sum.copies++;
        sum.bytes += copy.bytes();
        sum.staged += staged ? 1 : 0;
    }

    List<Transfers.Link> links() {
        return links.entrySet().stream()
                .map(one -> new Transfers.Link(
                        one.getKey().from(),
                        one.getKey().to(),
                        one.getValue().copies,
                        one.getValue().bytes,
                        one.getValue().staged))
                .toList();
    }

    List<Transfers.Moved> data() {
        return perData.entrySet().stream()
                .map(one -> new Transfers.Moved(
                        one.getKey().data(),
                        one.getKey().from(),
                        one.getKey().to(),
                        one.getValue().copies,
                        one.getValue().bytes))
                .toList();
    }
}
