package dev.jacquard.memory.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.memory.access.Area;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AreaGridTest {
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "6, false", "1, true", "2, true", "3, true"})
    void findsWhatIntersects(int dimensions, boolean real) {
        for (long seed = 0; seed < 25; seed++) {
            Random random = new Random(seed);
            RandomAreas areas = new RandomAreas(random, dimensions, real);
            Map<Integer, Area> known = new HashMap<>();
            AreaGrid grid = new AreaGrid(areas.draw());
            for (int step = 0; step < 800; step++) {
                Area area = areas.draw();
                if (step % 400 < 250 && random.nextInt(4) > 0) {
                    known.put(grid.add(area), area);
                } else if (random.nextBoolean() && !known.isEmpty()) {
                    int number = known.keySet().stream()
                            .skip(random.nextInt(known.size()))
                            .findFirst()
                            .orElseThrow();
                    grid.remove(number);
                    known.remove(number);
                } else {
                    assertEquals(intersecting(known, area), found(grid, area), "seed " + seed + ", step " + step);
                }
                assertEquals(known.size(), grid.size());
            }
        }
    }

    private static Set<Integer> intersecting(Map<Integer, Area> known, Area area) {
        Set<Integer> numbers = new TreeSet<>();
        known.forEach((number, other) -> {
            if (other.intersects(area)) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    private static Set<Integer> found(AreaGrid grid, Area area) {
        Set<Integer> numbers = new TreeSet<>();
        int finds = grid.find(area);
        for (int i = 0; i < finds; i++) {
            numbers.add(grid.found(i));
        }
        assertEquals(finds, numbers.size(), "found twice");
        return numbers;
    }
}
