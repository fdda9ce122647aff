package dev.jacquard.memory.coherence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts copies. Of data only the first {@value #MOST} ways are counted by themselves: a program that makes data again
 * and again must not grow.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Counts {
    private static final int MOST = 1 << 12;

    private record Way(String data, String from, String to) {}

    private static final class Sum {
        long copies;
        long bytes;
        long staged;
        long late;
    }

    private final Map<Way, Sum> links = new LinkedHashMap<>();
    private final Map<Way, Sum> perData = new LinkedHashMap<>();

    void add(Transfer copy, boolean staged) {
        add(links, new Way("", copy.from.space.name, copy.to.space.name), copy, staged);
        Way way = new Way(copy.from.directory.data.name(), copy.from.space.name, copy.to.space.name);
        boolean byItself = perData.size() < MOST || perData.containsKey(way);
        add(perData, byItself ? way : new Way(Transfers.OTHERS, way.from, way.to), copy, staged);
    }

    private static void add(Map<Way, Sum> sums, Way way, Transfer copy, boolean staged) {
        Sum sum = sums.computeIfAbsent(way, any -> new Sum());
        sum.copies++;
        sum.bytes += copy.bytes();
        sum.staged += staged ? 1 : 0;
        sum.late += copy.late ? 1 : 0;
    }

    List<Transfers.Link> links() {
        return links.entrySet().stream()
                .map(one -> new Transfers.Link(
                        one.getKey().from(),
                        one.getKey().to(),
                        one.getValue().copies,
                        one.getValue().bytes,
                        one.getValue().staged,
                        one.getValue().late))
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
