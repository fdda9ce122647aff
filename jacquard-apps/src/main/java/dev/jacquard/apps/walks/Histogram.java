package dev.jacquard.apps.walks;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The component {@code histogram}: how many values lie in each of equal intervals, by a flow graph. */
public final class Histogram implements Component {
    private static final int BLOCK = 8192;

    private static final Setting<Integer> BINS =
            Setting.optional("bins", Setting.Type.integer(1, 100_000), "20", "the number of intervals");
    private static final Setting<Double> FROM =
            Setting.optional("from", Setting.Type.number(-1e300, 1e300), "-4", "where the first one begins");
    private static final Setting<Double> TO =
            Setting.optional("to", Setting.Type.number(-1e300, 1e300), "4", "where the last one ends");
    private static final Sink<double[]> VALUES = Sink.of("values", SocketType.of(double[].class), "The values.");
    private static final Source<long[]> COUNTS =
            Source.of("counts", SocketType.of(long[].class), "By interval: how many lie in it.");

    /** Made by the service loader. */
    public Histogram() {}

    /** Values from {@code begin} to before {@code end}. */
    private record Block(double[] values, int begin, int end) {}

    /** The intervals. */
    private record Bins(int count, double from, double to) {
        /** Returns the counts of a block; that of the values in no interval comes last. */
        long[] counts(Block block) {
            long[] counts = new long[count + 1];
            double scale = count / (to - from);
            for (int i = block.begin; i < block.end; i++) {
                double value = block.values[i];
                if (value >= from && value < to) {
                    counts[Math.min((int) ((value - from) * scale), count - 1)]++;
                } else {
                    counts[count]++;
                }
            }
            return counts;
        }
    }

    @Override
    public String name() {
        return "histogram";
    }

    @Override
    public String description() {
        return "counts values by intervals, and writes histogram.csv; by a flow graph";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(BINS, FROM, TO);
    }

    @Override
    public void check(Settings settings) {
        if (settings.get(FROM) >= settings.get(TO)) {
            throw settings.given(TO)
                    .error("'to' is " + settings.get(TO) + "; expected more than 'from', " + settings.get(FROM));
        }
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(VALUES, COUNTS);
    }

    @Override
    public Instance open(ComponentContext context) {
        Settings settings = context.settings();
        Bins bins = new Bins(settings.get(BINS), settings.get(FROM), settings.get(TO));
        FlowGraph<Block, long[]> graph = FlowGraph.build(context.name(), g -> {
            g.types(Block.class, long[].class);
            FlowTask<Block, long[]> count =
                    g.task("count", context.session().workers(), () -> (block, out) -> out.emit(bins.counts(block)));
            g.input().to(count).to(g.output());
        });
        Input<double[]> values = context.input(VALUES);
        Output<long[]> output = context.output(COUNTS);
        return () -> {
            long[] counts = counted(context, graph, values.get(), bins.count + 1);
            write(context, bins, counts);
            output.set(Arrays.copyOf(counts, bins.count));
            return true;
        };
    }

    /** Adds up the counts of blocks, in whatever order they come: they are whole numbers. */
    private static long[] counted(ComponentContext context, FlowGraph<Block, long[]> graph, double[] values, int length)
            throws IOException {
        long[] sum = new long[length];
        FlowRun.Options readAtTheEnd = FlowRun.Options.defaults().withResultBound(0);
        try (FlowRun<Block, long[]> run = graph.start(context.session(), readAtTheEnd)) {
            for (int begin = 0; begin < values.length; begin += BLOCK) {
                context.cancellation().check();
                run.send(new Block(values, begin, Math.min(values.length, begin + BLOCK)));
            }
            run.finish();
            for (long[] counts : run) {
                for (int i = 0; i < length; i++) {
                    sum[i] += counts[i];
                }
            }
        }
        return sum;
    }

    private static void write(ComponentContext context, Bins bins, long[] counts) throws IOException {
        double width = (bins.to - bins.from) / bins.count;
        try (BufferedWriter out = Files.newBufferedWriter(context.output().file("histogram.csv"))) {
            out.write("from,to,count\n");
            for (int i = 0; i < bins.count; i++) {
                out.write((bins.from + i * width) + "," + (bins.from + (i + 1) * width) + "," + counts[i] + "\n");
            }
        }
        long outside = counts[bins.count];
        long within = Arrays.stream(counts).sum() - outside;
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("within", within);
        findings.put("outside", outside);
        findings.put("counts", Arrays.stream(counts, 0, bins.count).boxed().toList());
        context.report(new Report(
                List.of(String.format(Locale.ROOT, "%d values within, %d outside", within, outside)), findings));
    }
}
