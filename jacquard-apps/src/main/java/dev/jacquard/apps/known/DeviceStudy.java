package dev.jacquard.apps.known;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.gradX;

import dev.jacquard.apps.known.DeviceRow.Way;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.component.Job;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * Measures one operator, the gradient along x by the two cells next to each face, and a graph, the rate of the heat
 * equation by its fluxes, on the host's workers and on a device, for cubes of several sizes. On the device once with
 * all data there, and once with the temperature from the host and the result back. The three take turns on the same
 * fields.
 *
 * <p>Source: the expressions thesis, section 4.1.4, figures 4.9 and 4.10.
 */
final class DeviceStudy {
    /** Rounds before measurements, for the compiler; fewer where they take long. */
    private static final int WARM_UPS = 400;

    private static final long WARM_UP_NANOS = 6_000_000_000L;

    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<FaceX> GRADIENT = Tag.faceX("gradient");
    private static final Tag<Faces> FLUX = Tag.faces("flux");
    private static final Tag<Cell> RATE = Tag.cell("rate");

    private final Job job;
    private final int workers;
    private final int rounds;
    private final long patience;
    private final List<DeviceRow> rows = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    /** The work that is measured. */
    private enum Work {
        /** One operator. */
        OPERATOR(2),
        /** Four expressions, each with its own fields. */
        GRAPH(6);

        /** The number of fields. */
        private final int fields;

        Work(int fields) {
            this.fields = fields;
        }

        ExpressionTree tree(Grid grid) {
            Model model = Model.of(grid).source(T);
            if (this == OPERATOR) {
                return model.define(GRADIENT, gradX(T)).tree(GRADIENT);
            }
            return model.source(K)
                    .define(FLUX, faces(K).times(grad(T)))
                    .define(RATE, div(FLUX))
                    .tree(RATE)
                    .fuse(false);
        }

        /** Returns the tree with everything on a target. */
        ExpressionTree on(ExecutionTarget target, Grid grid) {
            return this == OPERATOR
                    ? tree(grid).on(target, GRADIENT)
                    : tree(grid).on(target, FLUX, RATE);
        }

        GridField result(FieldStore fields) {
            return fields.field(this == OPERATOR ? GRADIENT : RATE);
        }
    }

    /**
     * Creates a study.
     *
     * @param workers 0 for one per processor
     * @param patience the nanoseconds after which a size is measured no more
     */
    DeviceStudy(Job job, int workers, int rounds, long patience) {
        this.job = job;
        this.workers = workers > 0 ? workers : Machine.availableProcessors();
        this.rounds = rounds;
        this.patience = patience;
    }

    /** Returns the measurements so far. */
    List<DeviceRow> rows() {
        return rows;
    }

    /** Returns the sizes that were not measured, and why. */
    List<String> skipped() {
        return skipped;
    }

    /**
     * Measures a device.
     *
     * @param device its name
     * @param offer the known properties of it; empty for an emulated one
     * @param sides of the cubes, ascending
     */
    void run(String device, Optional<DeviceOffer> offer, List<Integer> sides) {
        job.progress().start(device, 2L * sides.size());
        for (int side : sides) {
            for (Work work : Work.values()) {
                job.cancellation().check();
                long bytes = (long) (side + 2) * (side + 2) * (side + 2) * Double.BYTES;
                Optional<String> tooLarge = offer.flatMap(its -> tooLarge(its.properties(), bytes, work.fields));
                tooLarge.or(() -> measure(work, device, side))
                        .ifPresent(why -> skipped.add(String.format(
                                Locale.ROOT, "%s of %d points on %s: %s", name(work), points(side), device, why)));
                job.progress().advance(1);
            }
        }
    }

    private static String name(Work work) {
        return work == Work.OPERATOR ? "operator" : "graph";
    }

    private static long points(int side) {
        return (long) side * side * side;
    }

    /** Returns why fields of that many bytes do not fit; empty if they do. */
    static Optional<String> tooLarge(Device.Properties device, long bytes, int fields) {
        long memory = device.memoryBytes();
        long largest = device.largestBuffer();
        if (bytes > largest) {
            return Optional.of(
                    "a field takes " + (bytes >> 20) + " MiB, and a buffer may have " + (largest >> 20) + " MiB");
        }
        return bytes * fields <= memory
                ? Optional.empty()
                : Optional.of("its fields take " + ((bytes * fields) >> 20) + " MiB, and the device has "
                        + (memory >> 20) + " MiB");
    }

    /** Measures one size; returns why that was not possible. */
    private Optional<String> measure(Work work, String device, int side) {
        Grid grid = Grid.of(side, side, side).lengths(1, 1, 1).ghosts(1);
        try (Session session = Session.builder().workers(workers).device(device).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x * y + z);
            fields.set(K, (x, y, z) -> 1 + 0.5 * x);
            CompiledGraph host = work.on(ExecutionTarget.HOST, grid).compile(fields);
            CompiledGraph there = work.on(ExecutionTarget.named(device), grid).compile(fields);
            Map<Way, Supplier<Double>> ways = new EnumMap<>(Way.class);
            ways.put(Way.HOST, () -> timed(session, host::run));
            ways.put(Way.DEVICE, () -> timed(session, there::run));
            ways.put(Way.COPIES, () -> timedWithCopies(session, there, fields.field(T), work.result(fields)));
            rounds(session.clock(), ways, WARM_UPS, Math.min(WARM_UP_NANOS, patience));
            Map<Way, double[]> millis = rounds(session.clock(), ways, rounds, patience);
            if (session.data().faults().fellBack() > 0) {
                return Optional.of("it was computed on the host, since "
                        + session.data().faults().fallbacks().getLast());
            }
            double[] onHost = Objects.requireNonNull(millis.get(Way.HOST));
            millis.forEach((way, its) -> rows.add(new DeviceRow(name(work), points(side), device, way, its, onHost)));
            return Optional.empty();
        } catch (CancellationException e) {
            throw e; // the user's
        } catch (TaskFailedException | IllegalArgumentException | IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the times of each way: of as many rounds as that, but of none that begins when the time is over. */
    private Map<Way, double[]> rounds(Clock clock, Map<Way, Supplier<Double>> ways, int most, long nanos) {
        Map<Way, List<Double>> all = new EnumMap<>(Way.class);
        long begin = clock.nanoTime();
        int round = 0;
        do {
            job.cancellation().check();
            ways.forEach((way, run) ->
                    all.computeIfAbsent(way, none -> new ArrayList<>()).add(run.get()));
        } while (++round < most && clock.nanoTime() - begin < nanos);
        Map<Way, double[]> millis = new EnumMap<>(Way.class);
        all.forEach((way, its) ->
                millis.put(way, its.stream().mapToDouble(Double::doubleValue).toArray()));
        return millis;
    }

    private static double timed(Session session, Runnable run) {
        Clock clock = session.clock();
        long begin = clock.nanoTime();
        run.run();
        return (clock.nanoTime() - begin) / 1e6;
    }

    /** The device has an old temperature, and the host wants the result. */
    private static double timedWithCopies(Session session, CompiledGraph graph, GridField input, GridField result) {
        session.data().open(input.data(), Mode.UPDATE).close();
        return timed(session, () -> {
            graph.run();
            session.data().open(result.data(), Mode.READ).close();
        });
    }
}
