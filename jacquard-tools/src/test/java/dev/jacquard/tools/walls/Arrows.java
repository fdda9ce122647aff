package dev.jacquard.tools.walls;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The arrows between the files of one package: from a file to those whose types it names in its code.
 *
 * <p>Two measures. An arrow <em>within a cycle</em> has both ends in one strongly connected component. An arrow
 * <em>runs back up</em> when it goes against the order of the files that has few such arrows: the least that a reader
 * who goes from the bottom up has to take on trust. Where there are no cycles, both are 0.
 */
final class Arrows {
    /** The number of random orders that the search starts from, too. */
    private static final int OTHER_STARTS = 200;

    private final int size;
    private final boolean[][] arrow; // from, to

    Arrows(List<SourceFile> files) {
        size = files.size();
        arrow = new boolean[size][size];
        Map<String, Integer> numbers = new HashMap<>();
        for (SourceFile file : files) {
            numbers.put(file.name(), numbers.size());
        }
        for (int from = 0; from < size; from++) {
            for (String name : files.get(from).names()) {
                int to = numbers.getOrDefault(name, from);
                if (to != from) {
                    arrow[from][to] = true;
                }
            }
        }
    }

    /** How many arrows there are. */
    int all() {
        int all = 0;
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                all += arrow[from][to] ? 1 : 0;
            }
        }
        return all;
    }

    /** The arrows whose ends reach each other. */
    int inCycles() {
        boolean[][] reaches = new boolean[size][];
        for (int from = 0; from < size; from++) {
            reaches[from] = arrow[from].clone();
        }
        for (int by = 0; by < size; by++) {
            for (int from = 0; from < size; from++) {
                for (int to = 0; reaches[from][by] && to < size; to++) {
                    reaches[from][to] |= reaches[by][to];
                }
            }
        }
        int in = 0;
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                in += arrow[from][to] && reaches[to][from] ? 1 : 0;
            }
        }
        return in;
    }

    /**
     * The arrows against an order with few of them: the greedy one (Eades, Lin and Smyth, "A fast and effective
     * heuristic for the feedback arc set problem", 1993), then each file moved to where it is best, as long as that
     * helps; and the like from other orders at the start, since such a search ends at the first order that no move
     * improves.
     */
    int backUp() {
        int least = improve(greedy());
        Random random = new Random(1);
        for (int start = 0; start < OTHER_STARTS && least > 0; start++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, size).boxed().toList());
            Collections.shuffle(order, random);
            least = Math.min(least, improve(order));
        }
        return least;
    }

    /** Moves files within {@code topDown} as long as that helps. Returns the arrows that run back up then. */
    private int improve(List<Integer> topDown) {
        boolean better = true;
        while (better) {
            better = false;
            for (int file = 0; file < size; file++) {
                better |= move(topDown, file);
            }
        }
        int up = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < i; j++) {
                up += arrow[topDown.get(i)][topDown.get(j)] ? 1 : 0;
            }
        }
        return up;
    }

    /** Percent of all arrows that run {@link #backUp back up}. */
    int percentBackUp() {
        return all() == 0 ? 0 : 100 * backUp() / all();
    }

    private List<Integer> greedy() {
        List<Integer> top = new ArrayList<>();
        List<Integer> bottom = new ArrayList<>();
        Set<Integer> left = new TreeSet<>();
        for (int file = 0; file < size; file++) {
            left.add(file);
        }
        while (!left.isEmpty()) {
            int best = -1;
            int most = Integer.MIN_VALUE;
            boolean sink = false;
            for (int file : left) {
                int out = 0;
                int in = 0;
                for (int other : left) {
                    out += arrow[file][other] ? 1 : 0;
                    in += arrow[other][file] ? 1 : 0;
                }
                int worth = out == 0 || in == 0 ? Integer.MAX_VALUE : out - in;
                if (worth > most) {
                    most = worth;
                    best = file;
                    sink = out == 0;
                }
            }
            left.remove(best);
            if (sink) {
                bottom.addFirst(best);
            } else {
                top.add(best);
            }
        }
        top.addAll(bottom);
        return top;
    }

    /** Moves {@code file} to the first place in the order that saves most arrows; returns true if it saves any. */
    private boolean move(List<Integer> order, int file) {
        int now = order.indexOf(file);
        int best = now;
        int most = 0;
        for (int step : new int[] {-1, 1}) {
            int saved = 0;
            for (int place = now + step; place >= 0 && place < size; place += step) {
                int other = order.get(place);
                int toOther = arrow[file][other] ? 1 : 0;
                int toFile = arrow[other][file] ? 1 : 0;
                // Behind the move the other one stands below the file, or above it.
                saved += step < 0 ? toOther - toFile : toFile - toOther;
                if (saved > most) {
                    most = saved;
                    best = place;
                }
            }
        }
        if (best == now) {
            return false;
        }
        order.remove(now);
        order.add(best, file);
        return true;
    }
}
