package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.drawing.LayeredLayout.Link;
import dev.jacquard.drawing.LayeredLayout.Place;
import dev.jacquard.drawing.LayeredLayout.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayeredLayoutTest {
    private static LayeredLayout layout(int nodes, List<Link> links) {
        double[] sizes = new double[nodes];
        Arrays.fill(sizes, 10);
        return new LayeredLayout(sizes, links, -1, new LayeredLayout.Spacing(5, 1));
    }

    /** A chain of five, and a chain of two to its end. */
    @Test
    void aChainThatNothingPrecedesStandsBeforeWhatItLeadsTo() {
        LayeredLayout layout = layout(
                7,
                List.of(
                        new Link(0, 1),
                        new Link(1, 2),
                        new Link(2, 3),
                        new Link(3, 4),
                        new Link(5, 6),
                        new Link(6, 4)));
        assertEquals(
                List.of(0, 1, 2, 3, 4, 2, 3),
                IntStream.range(0, 7)
                        .mapToObj(node -> layout.place(node).layer())
                        .toList());
    }

    @Test
    void aNodeThatMoreLinksReachThanLeaveStaysBehindItsPredecessors() {
        LayeredLayout layout = layout(
                6,
                List.of(
                        new Link(0, 1),
                        new Link(1, 2),
                        new Link(2, 3),
                        new Link(0, 4),
                        new Link(5, 4),
                        new Link(4, 3)));
        assertEquals(1, layout.place(4).layer());
        assertEquals(0, layout.place(5).layer());
    }

    /** 40 tasks that read and write 12 resources. Without exchanges and the choice of a sweep there were 8,686. */
    @Test
    void fewLinksOfProgramsCross() {
        int crossings = 0;
        for (int seed = 0; seed < 100; seed++) {
            crossings += crossings(layout(40, program(seed)));
        }
        assertTrue(crossings < 6_500, crossings + " crossings");
    }

    private static List<Link> program(int seed) {
        Random random = new Random(seed);
        int[] writer = new int[12];
        Arrays.fill(writer, -1);
        List<List<Integer>> readers = IntStream.range(0, 12)
                .mapToObj(i -> (List<Integer>) new ArrayList<Integer>())
                .toList();
        List<Link> links = new ArrayList<>();
        for (int task = 0; task < 40; task++) {
            for (int access = 0; access < 2; access++) {
                int resource = random.nextInt(12);
                boolean writes = random.nextBoolean();
                List<Integer> before = writes && !readers.get(resource).isEmpty()
                        ? List.copyOf(readers.get(resource))
                        : List.of(writer[resource]);
                for (int earlier : before) {
                    Link link = new Link(earlier, task);
                    if (earlier >= 0 && earlier != task && !links.contains(link)) {
                        links.add(link);
                    }
                }
                if (writes) {
                    readers.get(resource).clear();
                    writer[resource] = task;
                } else {
                    readers.get(resource).add(task);
                }
            }
        }
        return links;
    }

    private static int crossings(LayeredLayout layout) {
        List<Place[]> pieces = new ArrayList<>();
        for (Route route : layout.routes()) {
            for (int i = 1; i < route.places().size(); i++) {
                pieces.add(
                        new Place[] {route.places().get(i - 1), route.places().get(i)});
            }
        }
        int crossings = 0;
        for (Place[] a : pieces) {
            for (Place[] b : pieces) {
                crossings +=
                        a[0].layer() == b[0].layer() && a[0].across() < b[0].across() && a[1].across() > b[1].across()
                                ? 1
                                : 0;
            }
        }
        return crossings;
    }
}
