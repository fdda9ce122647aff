package dev.jacquard.engine.plan;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Prints how near the placements come to the shortest plans of the Standard Task Graph set. */
public final class StgTable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private StgTable() {}

    /** Takes the folder of the set; a seed and a budget, if not those of {@link GraphPlacement.Limits#DEFAULT}. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        GraphPlacement.Limits limits = new GraphPlacement.Limits(
                arguments.length > 1 ? Long.parseLong(arguments[1]) : GraphPlacement.Limits.DEFAULT.seed(),
                arguments.length > 2 ? Long.parseLong(arguments[2]) : GraphPlacement.Limits.DEFAULT.budget());
        System.out.println("placement processors closed reached open above below proved gap-% ms-mean ms-most");
        List<Row> searched = new ArrayList<>();
        for (int processors : Stg.PROCESSORS) {
            print("heft", rows(GraphPlacement.heft(), folder, processors, limits));
            List<Row> rows = rows(GraphPlacement.search(), folder, processors, limits);
            print("search", rows);
            searched.addAll(rows);
        }
        print("search", searched);
        searched.stream().filter(row -> row.isMissed() || row.isBelow()).forEach(System.out::println);
        System.exit(searched.stream().anyMatch(Row::isMissed) ? 1 : 0);
    }

    /** A case and its plan, and the time that the thread took for it. */
    private record Row(Stg.Case its, Plan plan, double millis) {
        boolean isMissed() {
            return plan.makespan() > its.known();
        }

        boolean isBelow() {
            return plan.makespan() < its.known();
        }

        @Override
        public String toString() {
            return its + ": " + plan.makespan() + (plan.isProved() ? ", proved" : ", bound " + plan.bound());
        }
    }

    private static List<Row> rows(GraphPlacement placement, Path folder, int processors, GraphPlacement.Limits limits)
            throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Stg.Case its : Stg.cases(folder, processors)) {
            WorkGraph graph = its.graph(folder);
            long begin = THREADS.getCurrentThreadCpuTime();
            Plan plan = placement.plan(graph, limits);
            double millis = (THREADS.getCurrentThreadCpuTime() - begin) / 1e6;
            String problem = plan.problem(graph);
            if (problem != null || plan.makespan() < its.bound() || (its.isClosed() && plan.bound() > its.known())) {
                throw new IllegalStateException(its + ": a wrong plan or bound: " + problem + ", " + plan.bound());
            }
            rows.add(new Row(its, plan, millis));
        }
        return rows;
    }

    private static void print(String placement, List<Row> rows) {
        System.out.printf(
                Locale.ROOT,
                "%-9s %10s %6d %7d %4d %5d %5d %6d %5.2f %7.1f %7.1f%n",
                placement,
                rows.size() > 180 ? "all" : rows.getFirst().its().processors(),
                count(rows, row -> row.its().isClosed()),
                count(rows, row -> row.its().isClosed() && !row.isMissed()),
                count(rows, row -> !row.its().isClosed()),
                count(rows, row -> !row.its().isClosed() && row.isMissed()),
                count(rows, Row::isBelow),
                count(rows, row -> row.plan().isProved()),
                100
                        * rows.stream()
                                .mapToDouble(
                                        row -> row.plan().makespan() / row.its().known() - 1)
                                .average()
                                .orElse(0),
                rows.stream().mapToDouble(Row::millis).average().orElse(0),
                rows.stream().map(Row::millis).max(Comparator.naturalOrder()).orElse(0.0));
    }

    private static long count(List<Row> rows, Predicate<Row> which) {
        return rows.stream().filter(which).count();
    }
}
