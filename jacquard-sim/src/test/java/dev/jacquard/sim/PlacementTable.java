package dev.jacquard.sim;

import dev.jacquard.sim.SmallCases.Case;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prints how near the policies come to the shortest plans of {@link SmallCases}, as a table of the documentation. */
public final class PlacementTable {
    private static final int CASES = 300;
    private static final long BUDGET = 1L << 24;
    private static final double EQUAL = 1 + 1e-9;
    private static final List<Row> ROWS = List.of(
            new Row("fifo", false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("priority", false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("earliest-finish", false, 1.18, 1.42),
            new Row("earliest-finish", true, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("heft", false, 1.10, 1.30),
            new Row("cpop", false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("peft", false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("hybrid", false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY),
            new Row("search", false, 1.00, 1.02));

    private PlacementTable() {}

    /** A row, with the greatest values that it may have. */
    private record Row(String policy, boolean sharedLinks, double median, double most) {}

    /** Takes the number of graphs, and the first seed. */
    public static void main(String[] arguments) {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : CASES;
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        List<Case> cases = SmallCases.of(seed, count, BUDGET);
        long proved = cases.stream().filter(its -> its.shortest().isProved()).count();
        System.out.println(proved + " of " + count + " shortest plans are proved");
        System.out.println("| policy | copies | median | 90 % | most | shortest |");
        System.out.println("|---|---|---|---|---|---|");
        boolean good = true;
        for (Row row : ROWS) {
            double[] ratios = SmallCases.ratios(row.policy(), cases, row.sharedLinks());
            double median = SmallCases.part(ratios, 0.5);
            double most = SmallCases.part(ratios, 0.9);
            good &= Math.rint(1000 * median) <= 1000 * row.median() && Math.rint(1000 * most) <= 1000 * row.most();
            System.out.printf(
                    Locale.ROOT,
                    "| `%s` | %s | %.3f | %.3f | %.3f | %d |%n",
                    row.policy(),
                    row.sharedLinks() ? "in turn" : "at once",
                    median,
                    most,
                    ratios[ratios.length - 1],
                    Arrays.stream(ratios).filter(ratio -> ratio <= EQUAL).count());
        }
        System.exit(good ? 0 : 1);
    }
}
