package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tasks in a row that take of the same edges, some of them with an order of their own: pools that are enough for one
 * item after the other are enough.
 */
@Timeout(120)
class OrderedTakersTest {
    private static final int RUNS = 4_000;
    private static final int ITEMS = 20;

    private static final List<Comparator<Held>> ORDERS = List.of(
            Comparator.comparing(Held::number),
            Comparator.comparing(Held::number).reversed(),
            Comparator.comparing(item -> item.number() % 3),
            Comparator.comparing(item -> -(item.number() % 3)));

    private record Held(int number, List<Handle<int[]>> buffers) {}

    /** What a seed says: tasks, each of which takes from an edge or from none, and where items enter. */
    private static final class Row {
        final List<Integer> takes = new ArrayList<>();
        final List<Boolean> entered = new ArrayList<>();
        final Random random;
        final int spread;
        final int edges;

        Row(long seed) {
            random = new Random(seed);
            spread = 1 + random.nextInt(3);
            edges = spread > 1 ? 1 : 1 + random.nextInt(3); // of one ticket, items that hold buffers are in no order
            int tasks = 2 + random.nextInt(4);
            for (int i = 0; i < tasks; i++) {
                takes.add(random.nextInt(edges + 1) - 1);
                entered.add(i == 0 || random.nextInt(4) == 0);
            }
        }

        int results() {
            return ITEMS
                    * spread
                    * (int) entered.stream().filter(enters -> enters).count();
        }

        /** Items that enter behind a task that takes are in no order among those of their ticket. */
        private int needed(int edge) {
            int needed = 0;
            boolean behindTaker = false;
            for (int i = 0; i < takes.size(); i++) {
                if (entered.get(i)) {
                    int copies = behindTaker ? spread : 1;
                    needed += copies
                            * (int) takes.subList(i, takes.size()).stream()
                                    .filter(at -> at == edge)
                                    .count();
                }
                behindTaker |= takes.get(i) >= 0;
            }
            return Math.max(1, needed);
        }

        FlowGraph<Integer, Integer> graph() {
            return FlowGraph.build("row", g -> {
                List<MemoryEdge<int[]>> memory = new ArrayList<>();
                for (int i = 0; i < edges; i++) {
                    int needed = needed(i);
                    MemoryEdge<int[]> one = g.memory("edge " + i, needed + random.nextInt(3), () -> new int[1])
                            .takenOutside();
                    memory.add(random.nextBoolean() ? one.atLeast(needed, "one of each task") : one);
                }
                FlowTask<Integer, Held> enter = g.task("enter", 1 + random.nextInt(2), () -> (n, out) -> {
                    for (int i = 0; i < spread; i++) {
                        out.emit(new Held(n, List.of()));
                    }
                });
                FlowSource<Held> before = enter;
                for (int i = 0; i < takes.size(); i++) {
                    FlowTask<Held, Held> task = task(g, i, memory);
                    if (i > 0) {
                        before.to(task);
                    }
                    if (entered.get(i)) {
                        enter.to(task);
                    }
                    before = task;
                }
                FlowTask<Held, Integer> last = g.task("last", 1 + random.nextInt(2), () -> (item, out) -> {
                    item.buffers().forEach(out::release);
                    out.emit(item.number());
                });
                memory.forEach(last::releases);
                g.input().to(enter);
                before.to(last).to(g.output());
            });
        }

        private FlowTask<Held, Held> task(FlowBuilder<Integer, Integer> g, int i, List<MemoryEdge<int[]>> memory) {
            int edge = takes.get(i);
            FlowTask<Held, Held> task = g.task("task " + i, 1 + random.nextInt(3), () -> (item, out) -> {
                List<Handle<int[]>> buffers = new ArrayList<>(item.buffers());
                if (edge >= 0) {
                    buffers.add(out.take(memory.get(edge)));
                }
                out.emit(new Held(item.number(), List.copyOf(buffers)));
            });
            if (edge >= 0) {
                task.takes(memory.get(edge));
            }
            return random.nextInt(3) == 0 ? task : task.priority(ORDERS.get(random.nextInt(ORDERS.size())));
        }
    }

    private static int results(Row row, Workers workers, long seed) {
        int results = 0;
        try (FlowRun<Integer, Integer> run = row.graph().start(workers)) {
            RandomFlowTest.feed(
                    run, workers, seed, IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            for (int result : run) {
                results += result >= 0 ? 1 : 0;
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
        return results;
    }

    @Test
    void anyOrderOfActivationsEnds() {
        for (long seed = 0; seed < RUNS; seed++) {
            Row row = new Row(seed);
            assertEquals(row.results(), results(row, new SeededWorkers(seed), seed), "seed " + seed);
        }
    }

    @Test
    void workersEnd() {
        for (int workers = 1; workers <= 3; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                for (long seed = 0; seed < RUNS / 10; seed++) {
                    Row row = new Row(seed);
                    assertEquals(row.results(), results(row, session.executor(), seed), "seed " + seed);
                }
            }
        }
    }

    /** Begins {@code count} items, each with a buffer. */
    private static final class Begin implements Body<Start, Held> {
        private final MemoryEdge<int[]> edge;
        private int left;

        Begin(MemoryEdge<int[]> edge, int count) {
            this.edge = edge;
            this.left = count;
        }

        @Override
        public void execute(Start signal, Emitter<Held> out) {
            out.emit(new Held(left--, List.of(out.take(edge))));
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return left == 0;
        }
    }

    /** Two start tasks, one of them with two copies, and the input, all of whose items take once more behind. */
    private static FlowGraph<Integer, Integer> begun(int buffers) {
        return FlowGraph.build("begun", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", buffers, () -> new int[1]);
            FlowTask<Start, Held> two =
                    g.start("two", 2, () -> new Begin(edge, 5)).takes(edge);
            FlowTask<Start, Held> one =
                    g.start("one", 1, () -> new Begin(edge, 5)).takes(edge);
            FlowTask<Integer, Held> sent = g.<Integer, Held>task(
                            "sent", 2, () -> (n, out) -> out.emit(new Held(n, List.of(out.take(edge)))))
                    .takes(edge);
            FlowTask<Held, Integer> last = g.<Held, Integer>task("last", 2, () -> (item, out) -> {
                        out.release(out.take(edge));
                        item.buffers().forEach(out::release);
                        out.emit(item.number());
                    })
                    .takes(edge)
                    .releases(edge);
            two.to(last);
            one.to(last);
            g.input().to(sent).to(last).to(g.output());
        });
    }

    @Test
    void startTasksThatTakeEndInAnyOrderOfActivations() {
        for (long seed = 0; seed < RUNS; seed++) {
            int results = 0;
            try (FlowRun<Integer, Integer> run = begun(2 + (int) (seed % 2)).start(new SeededWorkers(seed))) {
                run.sendAll(List.of(1, 2, 3, 4, 5));
                run.finish();
                for (int result : run) {
                    results += result > 0 ? 1 : 0;
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertEquals(20, results, "seed " + seed);
        }
    }

    /** A piece of an item, and the number of items that the piece leads to. */
    private record Piece(int number, int weight) {}

    /**
     * Items in two pieces, of which one leads to two items that take twice of "edge": the two pieces of one item need
     * three buffers, and two heavy pieces need four.
     *
     * @param bound of the edge to the first task that takes; 0 for none
     */
    private static FlowGraph<Integer, Integer> pieces(int bound, boolean isSecondFirst) {
        return FlowGraph.build("pieces", g -> {
            MemoryEdge<int[]> own = g.memory("own", 1, () -> new int[1]);
            MemoryEdge<int[]> edge = g.memory("edge", 3, () -> new int[1]);
            FlowTask<Integer, Piece> split = g.<Integer, Piece>task("split", 1, () -> (n, out) -> {
                        out.emit(new Piece(n, 2));
                        out.emit(new Piece(n, 0));
                    })
                    .emits(2);
            FlowTask<Piece, Piece> ordered = g.<Piece, Piece>task("ordered", 2, () -> (piece, out) -> {
                        out.release(out.take(own));
                        out.emit(piece);
                    })
                    .takes(own)
                    .releases(own)
                    .priority(Comparator.<Piece>comparingInt(piece -> -piece.weight())
                            .thenComparingInt(piece -> isSecondFirst ? -piece.number() : piece.number()));
            FlowTask<Piece, Integer> open = g.task("open", 1, () -> (piece, out) -> {
                for (int i = 0; i < piece.weight(); i++) {
                    out.emit(piece.number());
                }
            });
            FlowTask<Integer, Held> take = g.<Integer, Held>task(
                            "take", 2, () -> (n, out) -> out.emit(new Held(n, List.of(out.take(edge)))))
                    .takes(edge);
            FlowTask<Held, Integer> more = g.<Held, Integer>task("take more", 2, () -> (held, out) -> {
                        out.release(out.take(edge));
                        held.buffers().forEach(out::release);
                        out.emit(held.number());
                    })
                    .takes(edge)
                    .releases(edge);
            g.input().to(split);
            if (bound > 0) {
                split.to(ordered, bound);
            } else {
                split.to(ordered);
            }
            ordered.to(open).to(take).to(more).to(g.output());
        });
    }

    @Test
    void anItemThatOvertakesDoesNotAddToTheNeedOfAnother() {
        for (long seed = 0; seed < RUNS; seed++) {
            int results = 0;
            int bound = seed % 3 == 0 ? 0 : 1 + (int) (seed % 3); // 2 and 3 slots
            try (FlowRun<Integer, Integer> run = pieces(bound, seed % 2 == 0).start(new SeededWorkers(seed))) {
                run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
                run.finish();
                for (int result : run) {
                    results += result >= 0 ? 1 : 0;
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertEquals(2 * ITEMS, results, "seed " + seed);
        }
    }

    /** Takes two buffers per item, in two tasks; the first task begins with the largest number. */
    private static FlowGraph<Integer, Integer> largestFirst(
            int bound, List<Integer> begun, List<MemoryEdge<int[]>> edges) {
        return FlowGraph.build("largest first", g -> {
            MemoryEdge<int[]> edge =
                    g.memory("edge", 2, () -> new int[1]).takenOutside().releasedOutside();
            edges.add(edge);
            FlowTask<Integer, Integer> enter = g.<Integer, Integer>task("enter", 1, () -> (n, out) -> out.emit(n))
                    .emits(1);
            FlowTask<Integer, Held> first = g.<Integer, Held>task("first", 1, () -> (n, out) -> {
                        begun.add(n);
                        out.emit(new Held(n, List.of(out.take(edge))));
                    })
                    .takes(edge)
                    .priority(Comparator.reverseOrder());
            FlowTask<Held, Integer> last = g.<Held, Integer>task("last", 1, () -> (held, out) -> {
                        out.release(out.take(edge));
                        held.buffers().forEach(out::release);
                        out.emit(held.number());
                    })
                    .takes(edge)
                    .releases(edge);
            g.input().to(enter);
            if (bound > 0) {
                enter.to(first, bound);
            } else {
                enter.to(first);
            }
            first.to(last).to(g.output());
        });
    }

    @Test
    void theOrderDecidesWhoGetsTheFirstOfTwoBuffers() {
        for (int bound : new int[] {0, ITEMS}) { // without slots and with them
            List<Integer> begun = new ArrayList<>();
            List<MemoryEdge<int[]>> edges = new ArrayList<>();
            SeededWorkers workers = new SeededWorkers(bound);
            try (FlowRun<Integer, Integer> run =
                    largestFirst(bound, begun, edges).start(workers)) {
                Handle<int[]> one = run.take(edges.getFirst(), ReleaseRule.after(1));
                Handle<int[]> other = run.take(edges.getFirst(), ReleaseRule.after(1));
                run.sendAll(IntStream.rangeClosed(1, ITEMS).boxed().toList());
                workers.runSome(100 * ITEMS);
                run.release(one);
                run.release(other);
                run.finish();
                run.forEach(result -> {});
            }
            List<Integer> inTurn = new ArrayList<>(begun);
            inTurn.sort(Comparator.reverseOrder());
            assertEquals(inTurn, begun, "bound " + bound);
        }
    }
}
