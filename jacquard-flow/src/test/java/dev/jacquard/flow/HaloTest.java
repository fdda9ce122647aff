package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of a graph in a pipeline that exchange the borders of their parts of a domain. */
@Timeout(120)
class HaloTest {
    /** A part of a domain, of which its copy has one; or a cell at the border of a neighbour's part. */
    sealed interface Piece {}

    record Part(int step, double[] cells) implements Piece {}

    record Border(int step, boolean left, double cell) implements Piece {}

    /** Replaces each cell by the mean of its neighbours, once both borders of the step are there. */
    private static final class Smoothing implements Body<Piece, Piece> {
        private final SiblingEdge<Piece> halo;
        private final int steps;
        private final Map<String, Double> borders = new TreeMap<>();
        private int copy;
        private int copies;
        private Part part = new Part(-1, new double[0]);

        Smoothing(SiblingEdge<Piece> halo, int steps) {
            this.halo = halo;
            this.steps = steps;
        }

        @Override
        public void initialize(CopyInfo its) {
            copy = its.pipeline();
            copies = its.pipelines();
        }

        @Override
        public void execute(Piece piece, Emitter<Piece> out) {
            switch (piece) {
                case Part its -> begin(its, out);
                case Border border -> borders.put(border.step() + (border.left() ? "l" : "r"), border.cell());
            }
            while (part.step() >= 0 && part.step() < steps && has("l", 0) && has("r", copies - 1)) {
                begin(new Part(part.step() + 1, smooth()), out);
                if (part.step() == steps) {
                    out.emit(part);
                }
            }
        }

        private boolean has(String side, int last) {
            return copy == last || borders.containsKey(part.step() + side);
        }

        /** Sends the borders of a new state to the neighbours. */
        private void begin(Part its, Emitter<Piece> out) {
            part = its;
            assertEquals(copies, out.copies(halo));
            if (its.step() < steps && copy > 0) {
                out.send(halo, copy - 1, new Border(its.step(), false, its.cells()[0]));
            }
            if (its.step() < steps && copy < copies - 1) {
                out.send(halo, copy + 1, new Border(its.step(), true, its.cells()[its.cells().length - 1]));
            }
        }

        private double[] smooth() {
            double[] old = part.cells();
            int last = old.length - 1;
            double left = copy == 0 ? 0 : borders.getOrDefault(part.step() + "l", 0.0);
            double right = copy == copies - 1 ? 0 : borders.getOrDefault(part.step() + "r", 0.0);
            double[] cells = new double[old.length];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = ((i == 0 ? left : old[i - 1]) + (i == last ? right : old[i + 1])) / 2;
            }
            return cells;
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return part.step() == steps;
        }
    }

    private static FlowGraph<Piece, Piece> smoothing(int steps) {
        return FlowGraph.build("domain", g -> {
            SiblingEdge<Piece> halo = g.siblings("halo");
            FlowTask<Piece, Piece> smooth = g.task("smooth", 1, () -> new Smoothing(halo, steps))
                    .sends(halo)
                    .endsCycle();
            halo.to(smooth);
            g.input().to(smooth).to(g.output());
        });
    }

    private static double[] smoothed(double[] cells, int steps) {
        double[] old = cells;
        for (int step = 0; step < steps; step++) {
            double[] next = new double[old.length];
            for (int i = 0; i < next.length; i++) {
                next[i] = ((i == 0 ? 0 : old[i - 1]) + (i == next.length - 1 ? 0 : old[i + 1])) / 2;
            }
            old = next;
        }
        return old;
    }

    @Test
    void copiesExchangeTheHaloOfADomain() {
        int steps = 20;
        for (int copies = 1; copies <= 4; copies++) {
            FlowGraph<Piece, Piece> inner = smoothing(steps);
            int number = copies;
            FlowGraph<Piece, Piece> graph = FlowGraph.build(
                    "whole",
                    g -> g.input().to(g.pipeline("parts", inner, number)).to(g.output()));
            assertTrue(graph.check().isFine(), () -> graph.check().toString());
            double[] cells = new double[12];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = i * i;
            }
            for (int seed = 0; seed < 20; seed++) {
                assertArrayEquals(smoothed(cells, steps), run(graph, new SeededWorkers(seed), cells, copies));
            }
            try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
                assertArrayEquals(smoothed(cells, steps), run(graph, workers, cells, copies));
            }
        }
    }

    private static double[] run(FlowGraph<Piece, Piece> graph, Workers workers, double[] cells, int copies) {
        int width = cells.length / copies;
        double[] all = new double[cells.length];
        try (FlowRun<Piece, Piece> run = graph.start(workers)) {
            for (int copy = 0; copy < copies; copy++) {
                run.send(new Part(0, Arrays.copyOfRange(cells, copy * width, (copy + 1) * width)));
            }
            run.finish();
            run.await();
            // The parts come in any order; their copies are known by their contents alone, so compare sorted by place.
            List<Part> parts = new ArrayList<>();
            run.forEach(piece -> parts.add((Part) piece));
            double[] expected = smoothed(cells, 20);
            for (Part part : parts) {
                for (int copy = 0; copy < copies; copy++) {
                    if (expected[copy * width] == part.cells()[0]) {
                        System.arraycopy(part.cells(), 0, all, copy * width, width);
                    }
                }
            }
            RandomFlow.checkNothingIsLost(run);
        }
        return all;
    }
}
