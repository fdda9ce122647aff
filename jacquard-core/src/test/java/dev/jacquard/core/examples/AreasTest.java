package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Areas, refinement, demotion. */
class AreasTest {
    @Test
    void tilesThatAreApartRunSideBySide() {
        try (Session session = Session.open()) {
            Handle<float[]> field = session.wrap("field", new float[1024]);
            TaskGraph graph = session.graph();
            graph.task("init").writes(field).run(ctx -> Arrays.fill(ctx.get(field), 1));
            graph.task("left")
                    .accesses(field, Access.update(Area.of(0, 511)))
                    .run(ctx -> relax(ctx.get(field), 0, 511));
            graph.task("right")
                    .accesses(field, Access.update(Area.of(512, 1023)))
                    .run(ctx -> relax(ctx.get(field), 512, 1023));
            Task<Float> max = graph.task("max").reads(field).call(ctx -> max(ctx.get(field)));
            assertEquals(1f, max.join());
        }
    }

    @Test
    void aTaskSplitsIntoTiles() {
        Area all = Area.of(0, 1023);
        List<Area> tiles = List.of(Area.of(0, 255), Area.of(256, 511), Area.of(512, 767), Area.of(768, 1023));
        try (Session session = Session.open()) {
            Handle<float[]> e = session.wrap("E", new float[1024]);
            TaskGraph graph = session.graph();
            graph.task("init").writes(e).run(ctx -> Arrays.fill(ctx.get(e), 1));
            graph.task("relax").accesses(e, Access.update(all)).run(ctx -> {
                ctx.refine(sub -> tiles.forEach(tile -> sub.task("relax " + tile)
                        .accesses(e, Access.update(tile), Access.read(clip(tile.grow(1))))
                        .run(t -> relax(t.get(e), (int) tile.low(0), (int) tile.high(0)))));
                ctx.afterwards(t -> assertEquals(1f, max(t.get(e)))); // when all tiles are done
            });
            graph.await();
            assertEquals(6, graph.report().done()); // init, relax, four tiles
        }
    }

    @Test
    void readersStartBeforeTheWriterIsOver() {
        Area all = Area.of(0, 1023);
        Area border = Area.of(0, 15);
        CountDownLatch seen = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            Handle<float[]> e = session.wrap("E", new float[1024]);
            TaskGraph graph = session.graph();
            graph.task("exchange")
                    .accesses(e, Access.update(border))
                    .flag(Flag.MAIN_THREAD)
                    .run(ctx -> {
                        receive(ctx.get(e));
                        ctx.demote(e, Access.read(border)); // readers of the border start now
                        assertTrue(seen.await(10, TimeUnit.SECONDS));
                    });
            Task<Float> first = graph.task("show").accesses(e, Access.read(all)).call(ctx -> {
                seen.countDown();
                return ctx.get(e)[0];
            });
            assertEquals(7f, first.join());
        }
    }

    @Test
    void idleWorkersHelpWithALoop() {
        try (Session session = Session.open()) {
            Handle<float[]> field = session.wrap("field", new float[100_000]);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(field).run(ctx -> {
                float[] values = ctx.get(field);
                ctx.parallelFor(0, values.length, 10_000, (from, to) -> Arrays.fill(values, (int) from, (int) to, 1));
            });
            Task<Float> max = graph.task("max").reads(field).call(ctx -> max(ctx.get(field)));
            assertEquals(1f, max.join());
        }
    }

    private static Area clip(Area area) {
        return Area.of(Math.max(0, area.low(0)), Math.min(1023, area.high(0)));
    }

    private static void receive(float[] field) {
        Arrays.fill(field, 0, 16, 7);
    }

    private static void relax(float[] field, int from, int to) {
        for (int i = Math.max(1, from); i <= Math.min(1022, to); i++) {
            field[i] = (field[i - 1] + field[i] + field[i + 1]) / 3;
        }
    }

    private static float max(float[] field) {
        float max = Float.NEGATIVE_INFINITY;
        for (float value : field) {
            max = Math.max(max, value);
        }
        return max;
    }
}
