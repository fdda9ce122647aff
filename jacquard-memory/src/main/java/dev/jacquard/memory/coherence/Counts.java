package dev.jacquard.memory.coherence;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * Counts copies. Of data the {@value #MOST} ways that were used last are counted by themselves: a program that makes
 * data again and again must not grow.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Counts {
    private static final int MOST = 1 << 12;

    private record Way(String data, String from, String to) {}

    static final class Sum {
        long copies;
        long bytes;
        long staged;
        long late;
        /** The number of the sum, in the order of first use. */
        private long number;
    }

    private final Map<Way, Sum> links = new LinkedHashMap<>();
    /** The way used last is the last one. */
    private final SequencedMap<Way, Sum> perData = new LinkedHashMap<>(16, 0.75f, true);
    /** The sums of all ways that are in {@link #perData} no more, by their ends. */
    private final Map<Way, Sum> others = new LinkedHashMap<>();
    /** The number of sums so far. */
    private long numbers;

    void add(Transfer copy, boolean staged) {
        Sum one = new Sum();
        one.copies = 1;
        one.bytes = copy.bytes();
        one.staged = staged ? 1 : 0;
        one.late = copy.late ? 1 : 0;
        add(copy.from.directory.data.name(), copy.from.space.name, copy.to.space.name, one);
    }

    /** Adds copies of {@code data} from one memory to another. */
    void add(String data, String from, String to, Sum copies) {
        add(links, new Way("", from, to), copies);
        add(perData, new Way(data, from, to), copies);
        while (perData.size() > MOST) {
            Map.Entry<Way, Sum> eldest = Objects.requireNonNull(perData.pollFirstEntry());
            add(others, new Way(Transfers.OTHERS, eldest.getKey().from, eldest.getKey().to), eldest.getValue());
        }
    }

    private void add(Map<Way, Sum> sums, Way way, Sum copies) {
        Sum sum = sums.computeIfAbsent(way, any -> new Sum());
        sum.number = sum.number == 0 ? ++numbers : sum.number;
        sum.copies += copies.copies;
        sum.bytes += copies.bytes;
        sum.staged += copies.staged;
        sum.late += copies.late;
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
        return Stream.concat(perData.entrySet().stream(), others.entrySet().stream())
                .sorted(Comparator.comparingLong(one -> one.getValue().number))
                .map(one -> new Transfers.Moved(
                        one.getKey().data(),
                        one.getKey().from(),
                        one.getKey().to(),
                        one.getValue().copies,
                        one.getValue().bytes))
                .toList();
    }
}
