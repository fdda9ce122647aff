package dev.jacquard.bench.plates;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** True positions by file. Where the origin lies is the writer's choice: positions agree when some shift makes them. */
final class PlateTruth {
    private final Map<String, int[]> truth = new HashMap<>();

    PlateTruth(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("#")) {
                put(truth, line.split(" ", -1), 1);
            }
        }
    }

    /** Returns true if every tile of a {@code positions.csv} lies within a pixel of the truth. */
    boolean agreesWith(Path positions) throws IOException {
        Map<String, int[]> found = new HashMap<>();
        List<String> lines = Files.readAllLines(positions);
        for (String line : lines.subList(1, lines.size())) {
            put(found, line.split(",", -1), 3);
        }
        return found.keySet().equals(truth.keySet()) && isNear(found, 0) && isNear(found, 1);
    }

    private boolean isNear(Map<String, int[]> found, int axis) {
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        for (Map.Entry<String, int[]> tile : truth.entrySet()) {
            int error = Objects.requireNonNull(found.get(tile.getKey()))[axis] - tile.getValue()[axis];
            least = Math.min(least, error);
            most = Math.max(most, error);
        }
        return most - least <= 2;
    }

    private static void put(Map<String, int[]> positions, String[] fields, int x) {
        positions.put(fields[0], new int[] {Integer.parseInt(fields[x]), Integer.parseInt(fields[x + 1])});
    }
}
