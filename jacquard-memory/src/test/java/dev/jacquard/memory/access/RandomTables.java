package dev.jacquard.memory.access;

import dev.jacquard.memory.access.AccessTable.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws tables of up to seven entries that are allowed, most of them asymmetric. */
final class RandomTables {
    private RandomTables() {}

    static AccessTable draw(Random random) {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind("none", false, false));
        for (int i = random.nextInt(7); i > 0; i--) {
            kinds.add(new Kind("k" + i, random.nextBoolean(), random.nextBoolean()));
        }
        Collections.shuffle(kinds, random);
        double density = random.nextDouble();
        boolean[][] dependsOn = new boolean[kinds.size()][kinds.size()];
        for (int row = 0; row < kinds.size(); row++) {
            for (int column = 0; column < kinds.size(); column++) {
                dependsOn[row][column] = mayDepend(kinds.get(row), kinds.get(column)) && random.nextDouble() < density;
            }
        }
        return AccessTable.of(kinds, dependsOn);
    }

    private static boolean mayDepend(Kind later, Kind earlier) {
        return (later.writes() && (earlier.reads() || earlier.writes()))
                || (earlier.writes() && (later.reads() || later.writes()));
    }
}
