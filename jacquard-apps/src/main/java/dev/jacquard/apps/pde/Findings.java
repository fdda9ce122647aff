package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Checkpoint.State;
import dev.jacquard.apps.pde.Keys.Image;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.files.Slice;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.tree.FieldStore;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The outcome of a run: its numbers, and its files. Confined to one thread. */
final class Findings {
    private final Equations equations;
    private final Settings settings;
    private final FieldStore fields;
    private final Integrator integrator;
    private final Lengths lengths;
    private final State start;
    private final List<String> warnings;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();

    /**
     * Looks at the results of a run.
     *
     * @param lengths of its steps
     * @param start the state that it began with
     * @param warnings the warnings given to the user
     */
    Findings(
            Equations equations,
            Settings settings,
            FieldStore fields,
            Integrator integrator,
            Lengths lengths,
            State start,
            List<String> warnings) {
        this.equations = equations;
        this.settings = settings;
        this.fields = fields;
        this.integrator = integrator;
        this.lengths = lengths;
        this.start = start;
        this.warnings = List.copyOf(warnings);
        measure();
    }

    Report report() {
        return new Report(lines, values);
    }

    private void measure() {
        long peak = fields.session().data().transfers().spaces().getFirst().peak();
        int classes = fields.loops().classes();
        values.put("steps", integrator.steps());
        values.put("resumed", start.steps());
        values.put("time", integrator.time());
        lengths.put(values);
        values.put("warnings", warnings);
        lines.add(String.format(
                Locale.ROOT,
                "%d %s of %s to t = %.4g%s; %s",
                integrator.steps(),
                integrator.steps() == 1 ? "step" : "steps",
                lengths.range(),
                integrator.time(),
                start.steps() == 0 ? "" : ", resumed at step " + start.steps(),
                lengths.stability()));
        lengths.line().ifPresent(lines::add);
        Map<String, Object> unknowns = new LinkedHashMap<>();
        equations.unknowns().forEach(unknown -> unknowns.put(unknown.name(), values(unknown)));
        values.put("unknowns", unknowns);
        values.put("ns_per_point_step", integrator.nanosPerPointStep());
        values.put("loops", integrator.loops());
        values.put("loopClasses", classes);
        Map<String, Object> blocks = new LinkedHashMap<>();
        blocks.put("bytes", Loops.blockBytes());
        blocks.put("cacheOfCore", Machine.cacheOfCore().orElse(0));
        values.put("blocks", blocks);
        Map<String, Object> bytes = new LinkedHashMap<>();
        bytes.put("planned", integrator.plannedBytes());
        bytes.put("static", integrator.staticBytes());
        bytes.put("peakBytes", peak);
        bytes.put("staticBytes", integrator.staticBytes());
        values.put("fields", bytes);
        Map<String, Object> threads = new LinkedHashMap<>();
        threads.put("tasks", integrator.threads().tasks());
        threads.put("operators", integrator.threads().operators());
        values.put("threads", threads);
        values.put("scheduler", settings.given(Pde.SCHEDULER).text());
    }

    private Map<String, Object> values(Unknown unknown) {
        Map<String, Object> its = new LinkedHashMap<>();
        double end = Solver.integral(fields, unknown);
        double low = fields.min(unknown.tag());
        double high = fields.max(unknown.tag());
        String error = "";
        Text exact = unknown.exact();
        if (exact != null) {
            double[] errors = errors(unknown, exact);
            Map<String, Object> both = new LinkedHashMap<>();
            both.put("max", errors[0]);
            both.put("l2", errors[1]);
            its.put("error", both);
            error = String.format(Locale.ROOT, "; error %.3g at most, %.3g in the mean square", errors[0], errors[1]);
        }
        double begin = Objects.requireNonNull(start.integrals().get(unknown.name()));
        Map<String, Object> integral = new LinkedHashMap<>();
        integral.put("start", begin);
        integral.put("end", end);
        its.put("integral", integral);
        its.put("min", low);
        its.put("max", high);
        lines.add(String.format(
                Locale.ROOT,
                "%s: from %.6g to %.6g; integral %.6g, %.6g at the start%s",
                unknown.name(),
                low,
                high,
                end,
                begin,
                error));
        return its;
    }

    /** Returns the greatest error, and the root of the mean square of all. */
    private double[] errors(Unknown unknown, Text exact) {
        Tag<Cell> tag = Tag.cell("exact " + unknown.name());
        equations.formula(exact).set(fields, tag, integrator.time());
        double[] known = fields.values(tag);
        double[] found = fields.values(unknown.tag());
        double most = 0;
        for (int i = 0; i < known.length; i++) {
            most = Math.max(most, Math.abs(found[i] - known[i]));
        }
        // by a power of 2, which rounds nothing: a double may not hold the squares
        double scale = most > 0 ? Math.scalb(1.0, -Math.clamp(Math.getExponent(most), -1022, 1022)) : 1;
        double squares = 0;
        for (int i = 0; i < known.length; i++) {
            double error = (found[i] - known[i]) * scale;
            squares += error * error;
        }
        return new double[] {most, Math.sqrt(squares / known.length) / scale};
    }

    /** Writes all files but the report, and returns these findings with the time that the run took. */
    Findings written(Job job, double seconds) throws IOException {
        OutputFolder output = job.output();
        Keys.Files files = settings.get(Keys.OUTPUT);
        Image image = settings.get(Keys.IMAGE);
        for (Unknown unknown : equations.unknowns()) {
            String name = unknown.name();
            if (files == Keys.Files.NPY || files == Keys.Files.BOTH) {
                fields.files().npy(unknown.tag(), output.file(name + ".npy"));
            }
            if (files == Keys.Files.VTI || files == Keys.Files.BOTH) {
                fields.files().vti(output.file(name + ".vti"), unknown.tag());
            }
            if (image != Image.NONE) {
                Slice slice = Slice.of(image.axis, fields.grid().cells(image.axis) / 2);
                fields.files().image(unknown.tag(), slice, output.file(name + ".png"), integrator.time());
            }
        }
        if (!job.isPart()) {
            GraphDrawing.of(integrator.snapshot()).writeSvg(output.file("graph.svg"));
            try (Writer out = Files.newBufferedWriter(output.file("trace.json"))) {
                new ChromeTrace(fields.session().trace()).write("pde", out);
            }
        }
        values.put("seconds", seconds);
        lines.add(String.format(
                Locale.ROOT,
                "%.2f ns per point and step; the results are in %s",
                integrator.nanosPerPointStep(),
                output.folder()));
        return this;
    }
}
