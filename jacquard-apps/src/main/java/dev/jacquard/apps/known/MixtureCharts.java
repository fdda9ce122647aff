package dev.jacquard.apps.known;

import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.drawing.LineChart;
import dev.jacquard.drawing.LineChart.Axis;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/**
 * Two charts of the mixtures of a problem: a line for each number of tasks over the workers of a loop, and the other
 * way round; the rule's as a dot.
 *
 * <p>Source: the expressions thesis, figures 4.3 and 4.4.
 */
record MixtureCharts(Mixtures mixtures, Grid grid, int workers) {
    /** Writes the charts; returns the names of the files. */
    List<String> write(OutputFolder output) throws IOException {
        LineChart byOperators = chart("workers for the loops of each task");
        LineChart byTasks = chart("tasks at a time");
        for (Mixture row : mixtures.rows()) {
            int tasks = row.threads().tasks();
            int operators = row.threads().operators();
            String rule = "by measured times: " + tasks + " x " + operators;
            String ofTasks = tasks + (tasks == 1 ? " task at a time" : " tasks at a time");
            String ofOperators = operators + (operators == 1 ? " worker for a loop" : " workers for a loop");
            byOperators.point(row.isRule() ? rule : ofTasks, operators, row.median());
            byTasks.point(row.isRule() ? rule : ofOperators, tasks, row.median());
        }
        List<String> names = List.of(mixtures.problem() + "-by-operators.svg", mixtures.problem() + "-by-tasks.svg");
        Files.writeString(output.file(names.get(0)), byOperators.toSvg(), StandardCharsets.UTF_8);
        Files.writeString(output.file(names.get(1)), byTasks.toSvg(), StandardCharsets.UTF_8);
        return names;
    }

    private LineChart chart(String across) {
        long cells = grid.interior(Centring.CELL).points();
        return new LineChart(
                mixtures.problem() + ", " + cells + " cells, " + workers + " workers: time of a step",
                new Axis(across, false),
                new Axis("time of a step (ms)", false));
    }
}
