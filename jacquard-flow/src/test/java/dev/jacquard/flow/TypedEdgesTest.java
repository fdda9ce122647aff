package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts that send items of several types, and parts that take several. */
@Timeout(120)
class TypedEdgesTest {
    sealed interface Shape permits Circle, Square, Blank {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Blank() implements Shape {}

    /** The inputs of a task that takes numbers and texts. */
    sealed interface Job permits Count, Show {}

    record Count(int n) implements Job {}

    record Show(String text) implements Job {}

    /** Makes a circle, a square or a blank of a number. */
    static final class Shapes implements Body<Integer, Shape> {
        @Override
        public void execute(Integer n, Emitter<Shape> out) {
            out.emit(
                    switch (n % 3) {
                        case 0 -> new Circle(n);
                        case 1 -> new Square(n);
                        default -> new Blank();
                    });
        }
    }

    private static Body<Circle, String> circle() {
        return (circle, out) -> out.emit("circle " + circle.radius());
    }

    private static Body<Square, String> square() {
        return (square, out) -> out.emit("square " + square.side());
    }

    private static List<String> sorted(FlowGraph<Integer, String> graph, Workers workers, int count) {
        return FlowTest.run(graph, workers, FlowTest.numbers(count)).stream()
                .sorted()
                .toList();
    }

    private static List<String> expected(int count) {
        return Stream.concat(
                        Stream.iterate(0, n -> n < count, n -> n + 3).map(n -> "circle " + n),
                        Stream.iterate(1, n -> n < count, n -> n + 3).map(n -> "square " + n))
                .sorted()
                .toList();
    }

    @Test
    void anItemThatIsHeldBackTakesEachEdgeOnce() {
        for (boolean keepsOrder : List.of(false, true)) {
            FlowGraph<Integer, String> graph = FlowGraph.build("held", g -> {
                FlowTask<Integer, Shape> shapes = g.task("shapes", 2, Shapes::new);
                g.input().to(keepsOrder ? shapes.ordered() : shapes.onError((n, failure, out) -> {}));
                shapes.only(Circle.class)
                        .to(g.task("circles", 2, TypedEdgesTest::circle))
                        .to(g.output());
                shapes.to(g.map("all", 1, (Shape shape) -> "a shape")).to(g.output());
            });
            for (long seed = 0; seed < 30; seed++) {
                List<String> results = sorted(graph, new SeededWorkers(seed), 30);
                assertEquals(30, results.stream().filter("a shape"::equals).count(), "seed " + seed);
                assertEquals(
                        10,
                        results.stream()
                                .filter(line -> line.startsWith("circle"))
                                .count(),
                        "seed " + seed);
            }
        }
    }

    @Test
    void anItemGoesToTheTasksThatTakeItsType() {
        FlowGraph<Integer, String> graph = FlowGraph.build("shapes", g -> {
            FlowTask<Integer, Shape> shapes = g.task("shapes", 2, Shapes::new);
            g.input().to(shapes);
            shapes.only(Circle.class)
                    .to(g.task("circles", 2, TypedEdgesTest::circle))
                    .to(g.output());
            shapes.only(Square.class)
                    .to(g.task("squares", 1, TypedEdgesTest::square))
                    .to(g.output());
            shapes.only(Blank.class).endsHere();
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 30; seed++) {
            assertEquals(expected(100), sorted(graph, new SeededWorkers(seed), 100), "seed " + seed);
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3);
                FlowRun<Integer, String> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(3_000));
            run.finish();
            List<String> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(expected(3_000), results.stream().sorted().toList());
            FlowProfile profile = run.profile();
            assertTrue(profile.links().contains(new FlowProfile.Link("shapes", "circles", 1_000)), profile.toString());
            assertEquals(3_000, profile.tasks().getFirst().itemsOut());
            RandomFlow.checkNothingIsLost(run);
        }
    }

    @Test
    void aPlainEdgeGetsEveryItemAndOthersSome() {
        FlowGraph<Integer, Object> graph = FlowGraph.build("all and some", g -> {
            FlowTask<Integer, Shape> shapes = g.task("shapes", 1, Shapes::new);
            g.input().to(shapes);
            shapes.to(g.output());
            shapes.only(Circle.class)
                    .to(g.task("circles", 1, TypedEdgesTest::circle))
                    .to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        List<Object> results = FlowTest.run(graph, new SeededWorkers(1), FlowTest.numbers(4));
        assertEquals(6, results.size());
        assertTrue(results.containsAll(List.of(new Circle(0), new Square(1), new Blank(), "circle 0", "circle 3")));
    }

    @Test
    void itemsOfSeveralTypesReachOneTaskInTheirOrder() {
        FlowGraph<Integer, String> graph = FlowGraph.build("two of three", g -> {
            FlowTask<Integer, Shape> shapes = g.task("shapes", 1, Shapes::new);
            FlowTask<Shape, String> show = g.task("show", 1, () -> (shape, out) -> out.emit(shape.toString()));
            g.input().to(shapes);
            shapes.only(Circle.class).to(show);
            shapes.only(Square.class).to(show);
            shapes.endsHere();
            show.to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        assertEquals(
                List.of("Circle[radius=0]", "Square[side=1]", "Circle[radius=3]", "Square[side=4]"),
                FlowTest.run(graph, new SeededWorkers(3), FlowTest.numbers(6)));
    }

    @Test
    void aTaskTakesSeveralTypes() {
        FlowGraph<Object, String> graph = FlowGraph.build("jobs", g -> {
            FlowTask<Job, String> work = g.task(
                    "work",
                    2,
                    () -> (job, out) -> out.emit(
                            switch (job) {
                                case Count(int n) -> "number " + n;
                                case Show(String text) -> "text " + text;
                            }));
            g.input().only(Integer.class).as(Count::new).to(work);
            g.input().only(String.class).as(Show::new).to(work);
            work.to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        List<Object> items = List.of(1, "a", 2, "b");
        for (long seed = 0; seed < 20; seed++) {
            List<String> results = new ArrayList<>(FlowTest.run(graph, new SeededWorkers(seed), items));
            results.sort(null);
            assertEquals(List.of("number 1", "number 2", "text a", "text b"), results);
        }
        try (FlowRun<Object, String> run = graph.start(new SeededWorkers(0))) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> run.send(2.5));
            assertTrue(refused.toString().contains("2.5 of type java.lang.Double"), refused.toString());
            run.sendAll(items);
            run.finish();
            run.await();
            assertEquals(4, run.report().sent());
            assertTrue(run.profile().links().contains(new FlowProfile.Link(FlowProfile.INPUT, "work", 4)));
        }
    }

    @Test
    void rulesNestedGraphsAndPipelinesSendByType() {
        FlowGraph<Integer, Shape> inner = FlowGraph.build("inner", g -> {
            Bookkeeper<Integer> keeper = g.bookkeeper("keep");
            g.input().to(keeper);
            RuleOutput<Shape> shapes =
                    keeper.rule((Rule<Integer, Shape>) (n, pipeline, out) -> new Shapes().execute(n, out));
            shapes.only(Circle.class).to(g.output());
            shapes.only(Square.class).to(g.output());
            shapes.endsHere();
        });
        FlowGraph<Shape, String> show = FlowGraph.build("show", g -> {
            g.input()
                    .only(Circle.class)
                    .to(g.task("circles", 1, TypedEdgesTest::circle))
                    .to(g.output());
            g.input()
                    .only(Square.class)
                    .to(g.task("squares", 1, TypedEdgesTest::square))
                    .to(g.output());
        });
        FlowGraph<Integer, String> graph = FlowGraph.build("outer", g -> {
            FlowGraph.Nested<Integer, Shape> nested = g.graph("inner", inner);
            FlowPipeline<Shape, String> pipeline = g.pipeline("pipeline", show, 3);
            g.input().to(nested);
            nested.only(Circle.class).to(pipeline);
            nested.only(Square.class).to(pipeline);
            pipeline.to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 20; seed++) {
            assertEquals(expected(50), sorted(graph, new SeededWorkers(seed), 50), "seed " + seed);
        }
        try (FlowRun<Integer, String> run = graph.start(new SeededWorkers(7))) {
            run.sendAll(FlowTest.numbers(9));
            run.finish();
            run.await();
            assertEquals(
                    List.of(2L, 2L, 2L),
                    run.profile().pipelines().getFirst().copies().stream()
                            .map(copy -> copy.items())
                            .toList());
        }
    }

    @Test
    void itemsKeepTheirBuffersAndTickets() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("buffers", g -> {
            MemoryEdge<int[]> first = g.memory("first", 2, () -> new int[1]);
            MemoryEdge<int[]> second = g.memory("second", 1, () -> new int[1]);
            record Odd(Handle<int[]> buffer) {}
            record Even(Handle<int[]> buffer) {}
            FlowTask<Integer, Object> take = g.<Integer, Object>task("take", 2, () -> (n, out) -> {
                        Handle<int[]> buffer = out.take(first);
                        buffer.value()[0] = n;
                        out.emit(n % 2 == 0 ? new Even(buffer) : new Odd(buffer));
                    })
                    .takes(first)
                    .emits(1);
            FlowTask<Handle<int[]>, Integer> half = g.<Handle<int[]>, Integer>task("more", 2, () -> (buffer, out) -> {
                        Handle<int[]> other = out.take(second);
                        out.emit(buffer.value()[0]);
                        out.release(buffer);
                        out.release(other);
                    })
                    .takes(second)
                    .releases(first, 1)
                    .releases(second, 1)
                    .emits(1);
            g.input().to(take);
            take.only(Odd.class).as(Odd::buffer).to(half);
            take.only(Even.class).as(Even::buffer).to(half);
            half.to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 50; seed++) {
            List<Integer> results = new ArrayList<>(FlowTest.run(graph, new SeededWorkers(seed), FlowTest.numbers(40)));
            results.sort(null);
            assertEquals(FlowTest.numbers(40), results, "seed " + seed);
        }
        assertTrue(
                graph.prove().toString().contains("edge 2 of task \"take\": emits(n)"),
                graph.prove().toString());
    }

    @Test
    void aDryRunGoesAlongTypedEdges() {
        FlowGraph<Integer, String> graph = FlowGraph.build("dry", g -> {
            FlowTask<Integer, Shape> shapes = g.<Integer, Shape>task("shapes", 1, Shapes::new)
                    .dry(n -> List.of(n % 2 == 0 ? new Circle(n) : new Square(n)));
            g.input().as((Integer n) -> n + 1).to(shapes);
            shapes.only(Circle.class)
                    .to(g.task("circles", 1, TypedEdgesTest::circle))
                    .dry(circle -> List.of("a", "b"))
                    .to(g.output());
            shapes.endsHere();
        });
        DryRun dry = graph.dryRun(List.of(1, 2, 3, 4));
        assertEquals(4, dry.results(), dry.toString());
    }

    @Test
    void aTypeThatNoEdgeTakesIsFoundBeforeTheRun() {
        FlowGraph<Integer, String> graph = FlowGraph.build("lost", g -> {
            FlowTask<Integer, Shape> shapes = g.task("shapes", 1, Shapes::new);
            g.input().to(shapes);
            shapes.only(Circle.class)
                    .to(g.task("circles", 1, TypedEdgesTest::circle))
                    .to(g.output());
            shapes.only(Square.class).endsHere();
        });
        assertEquals(
                List.of("task \"shapes\" sends " + Blank.class.getTypeName() + ", and none of its edges takes it: add"
                        + " only(Blank.class).to(...), or declare endsHere()"),
                graph.check().problems());
    }

    @Test
    void anItemThatNoEdgeTakesFailsTheRunOrIsDropped() {
        Queue<String> dropped = new ConcurrentLinkedQueue<>();
        for (boolean drops : new boolean[] {false, true}) {
            FlowGraph<Integer, String> graph = FlowGraph.build("lost", g -> {
                FlowTask<Integer, Shape> shapes = g.task("shapes", 1, () -> (n, out) -> new Shapes().execute(n, out));
                if (drops) {
                    shapes.onError((item, failure, out) -> dropped.add(item + ": " + failure.getMessage()));
                }
                g.input().to(shapes);
                shapes.only(Circle.class)
                        .to(g.task("circles", 1, TypedEdgesTest::circle))
                        .to(g.output());
            });
            try (FlowRun<Integer, String> run = graph.start(new SeededWorkers(5))) {
                run.sendAll(List.of(0, 4, 3));
                run.finish();
                String problem = "Square[side=4] of type " + Square.class.getTypeName()
                        + ", and no edge takes this type: add only(Square.class).to(...)";
                if (drops) {
                    run.await();
                    assertTrue(dropped.toString().contains(problem), dropped.toString());
                    assertEquals(1, run.report().dropped());
                } else {
                    FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
                    assertTrue(String.valueOf(failed.getCause()).contains(problem), failed.toString());
                }
            }
        }
    }

    @Test
    void aCycleEndsWithTypedEdges() {
        FlowGraph<Integer, String> graph = FlowGraph.build("cycle", g -> {
            FlowTask<Integer, Object> step = g.<Integer, Object>task(
                            "step", 2, () -> (n, out) -> out.emit(n < 10 ? (Object) (n + 3) : "end " + n))
                    .terminatedWhen(progress -> progress.cycleDrained());
            g.input().to(step);
            step.only(Integer.class).to(step);
            step.only(String.class).to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 20; seed++) {
            assertEquals(
                    List.of("end 10", "end 11", "end 12"),
                    FlowTest.run(graph, new SeededWorkers(seed), List.of(1, 2, 3)).stream()
                            .sorted()
                            .toList());
        }
    }

    @Test
    void dedicatedCopiesSendByType() throws Exception {
        CountDownLatch seen = new CountDownLatch(2);
        FlowGraph<Integer, String> graph = FlowGraph.build("dedicated", g -> {
            FlowTask<Integer, Shape> shapes =
                    g.<Integer, Shape>task("shapes", 2, Shapes::new).dedicated();
            g.input().to(shapes);
            shapes.only(Circle.class)
                    .to(g.task("circles", 2, TypedEdgesTest::circle))
                    .to(g.output());
            shapes.only(Square.class)
                    .to(g.<Square, Void>task("squares", 1, () -> (square, out) -> seen.countDown())
                            .dedicated())
                    .endsHere();
            shapes.endsHere();
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, String> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(6));
            run.finish();
            List<String> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(
                    List.of("circle 0", "circle 3"), results.stream().sorted().toList());
            seen.await();
        }
    }
}
