package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.drawing.GanttChart;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.sim.SimulatedRun;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a simulation as text, JSON and a drawing. */
final class SimulationReport {
    /** Whole numbers up to here are written as such. */
    private static final double MOST_WHOLE = 1e15;
    /** The digits of times in lines. */
    private static final int DIGITS = 6;

    private SimulationReport() {}

    /** Returns the number of the first task of that name; -1 if there is none. */
    static int number(WorkGraph graph, String name) {
        for (int task = 0; task < graph.tasks(); task++) {
            if (graph.name(task).equals(name)) {
                return task;
            }
        }
        return -1;
    }

    static void into(Map<String, Object> json, WorkGraph graph, SimulatedRun run) {
        json.put("makespan", number(run.makespan()));
        json.put("bound", number(run.bound()));
        json.put("proved", run.isProved());
        json.put("speedup", number(run.speedup()));
        json.put("criticalPath", number(run.criticalPath()));
        json.put("criticalTasks", run.criticalTasks().stream().map(graph::name).toList());
        Plan plan = run.schedule();
        List<Map<String, Object>> schedule = new ArrayList<>();
        for (int task = 0; task < graph.tasks(); task++) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("task", graph.name(task));
            entry.put("target", graph.place(plan.places()[task]));
            entry.put("start", number(plan.starts()[task]));
            entry.put("end", number(plan.ends()[task]));
            schedule.add(entry);
        }
        json.put("schedule", schedule);
    }

    /** Returns a whole number as such. */
    static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < MOST_WHOLE ? (Object) (long) value : (Object) value;
    }

    /** Returns a time with six digits at most. */
    static String text(double time) {
        return new BigDecimal(time)
                .round(new MathContext(DIGITS))
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Draws the schedule; a unit of time is drawn as the nanoseconds that it stands for. */
    static String svg(SimulationRow row) {
        WorkGraph graph = row.graph();
        GraphFile.Unit unit = row.read().unit();
        GanttChart chart = new GanttChart(row.title() + ": " + row.run() + ", in " + unit.name());
        for (int place = 0; place < graph.places(); place++) {
            chart.lane(graph.place(place));
        }
        Plan plan = row.run().schedule();
        for (int task = 0; task < graph.tasks(); task++) {
            chart.bar(new GanttChart.Bar(
                    graph.name(task),
                    graph.place(plan.places()[task]),
                    Math.round(plan.starts()[task] * unit.nanos()),
                    Math.round(plan.ends()[task] * unit.nanos())));
        }
        return chart.toSvg();
    }
}
