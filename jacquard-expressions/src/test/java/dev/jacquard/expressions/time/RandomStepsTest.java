package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Rounds;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random steps in time on devices that fail, refuse and are lost, among tasks of the user's, calls that look at the
 * fields or set them, and other policies: all is as on one worker of the host.
 */
@Timeout(300)
class RandomStepsTest {
    private static final int SEEDS = Rounds.some(Integer.getInteger("steps", 240));
    private static final int FIRST = Integer.getInteger("steps.first", 0);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");
    private static final Tag<Cell> GROWTH = Tag.cell("du/dt");
    private static final Tag<Faces> FLUX = Tag.faces("flux");
    private static final List<FaultPlan.Kind> FAULTS =
            List.of(FaultPlan.Kind.LAUNCH, FaultPlan.Kind.COPY, FaultPlan.Kind.ALLOCATION, FaultPlan.Kind.LOSS);

    private static final List<Action> ACTIONS = List.of(Action.values());

    @TempDir
    private Path folder;

    /** Faults of all seeds: the test is only worth something if they were met. */
    private long lost;

    private long evictions;

    /** Steps that were repeated, of all seeds. */
    private static long rejections;

    private long steps;

    /** True if the host's memory lets fields go that devices have, too. */
    private boolean isHostLimited;

    private enum Action {
        STEP,
        ADVANCE,
        RUN,
        POLICY,
        LOOK,
        SET,
        SET_BETWEEN,
        PARAMETER,
        STABLE,
        TASK_UPDATES,
        TASK_READS
    }

    /**
     * Where the expressions of a program are computed.
     *
     * @param isAssigned true if a policy says
     * @param isSplit true if fields are in two slabs, as long as the device is there
     * @param isResident true if fields stay there between steps
     */
    private record Places(boolean isAssigned, boolean isSplit, boolean isResident) {
        static final Places HOST = new Places(false, false, false);

        static Places drawn(Random random) {
            boolean isSplit = random.nextInt(4) == 0;
            boolean isAssigned = !isSplit || random.nextBoolean();
            return new Places(isAssigned, isSplit, random.nextInt(3) == 0);
        }
    }

    /** A program that is drawn once, and run in several sessions. */
    private static final class Program {
        private final Random random;
        private final Grid grid;
        private final int order;
        /** True if all fields have boundaries: a step leaves them on the host, unless they are resident. */
        private final boolean isAlwaysHome;

        private final ExpressionTree tree;
        private final Map<Side, Condition> conditions = new EnumMap<>(Side.class);
        private final List<Action> actions = new ArrayList<>();
        private final List<Double> numbers = new ArrayList<>();
        /** True if some lengths are chosen by the integrator. */
        private final boolean isAdaptive;

        Program(long seed) {
            random = new Random(seed);
            int[] cells = {5 + random.nextInt(9), 4 + random.nextInt(7), 3 + random.nextInt(4)};
            int dimensions = 1 + random.nextInt(3);
            grid = Grid.of(List.of(cells[0], cells[1], cells[2]).subList(0, dimensions).stream()
                            .mapToInt(Integer::intValue)
                            .toArray())
                    .ghosts(1 + random.nextInt(2));
            order = 1 + random.nextInt(3);
            isAlwaysHome = random.nextInt(4) > 0;
            tree = tree();
            boolean isPeriodic = random.nextInt(4) == 0;
            for (Side side : Side.values()) {
                if (side.axis() < dimensions) {
                    conditions.put(side, isPeriodic ? Condition.periodic() : wall());
                }
            }
            for (int i = 6 + random.nextInt(10); i > 0; i--) {
                actions.add(random.nextBoolean() ? Action.STEP : ACTIONS.get(random.nextInt(ACTIONS.size())));
                numbers.add(random.nextDouble());
            }
            isAdaptive = random.nextInt(3) == 0;
        }

        private Condition wall() {
            double value = random.nextInt(5);
            return switch (random.nextInt(3)) {
                case 0 -> Condition.neumann(value);
                case 1 -> Condition.dirichlet((x, y, z, t) -> value + t - x * y);
                default -> Condition.dirichlet(value);
            };
        }

        private ExpressionTree tree() {
            Model model = Model.of(grid).source(T, U, K).define(FLUX, faces(K).times(grad(T)));
            model = random.nextBoolean()
                    ? model.define(RATE, div(FLUX).plus(U.times(Functions.<Cell>parameter("pull"))))
                    : model.define(RATE, div(FLUX).times(0.5).plus(U).times(Functions.<Cell>parameter("pull")));
            model = model.define(
                    GROWTH, random.nextBoolean() ? T.times(-1) : T.minus(U).times(RATE));
            List<MemoryPlan.Policy> policies = List.of(MemoryPlan.Policy.values());
            return model.tree(RATE, GROWTH)
                    .fuse(random.nextBoolean())
                    .fields(policies.get(random.nextInt(policies.size())));
        }

        /** Runs it; returns all numbers that were seen. */
        List<Double> run(Session session, Places places, Random where, LongConsumer counter) {
            List<Double> seen = new ArrayList<>();
            try (FieldStore fields = FieldStore.open(session, grid)) {
                set(fields, 0.5);
                fields.set(K, (x, y, z) -> 1 + 0.25 * x);
                Ssp.Of steps = Ssp.order(order)
                        .advance(T, RATE)
                        .advance(U, GROWTH)
                        .of(
                                places.isSplit
                                        ? tree.split(ExecutionTarget.EMULATED, 0.3 + 0.4 * where.nextDouble())
                                        : tree);
                for (Map.Entry<Side, Condition> wall : conditions.entrySet()) {
                    steps = steps.boundary(T, wall.getKey(), wall.getValue());
                    if (isAlwaysHome) {
                        steps = steps.boundary(U, wall.getKey(), wall.getValue());
                    }
                }
                steps = steps.parameter("pull", 0.5);
                if (places.isAssigned) {
                    steps = steps.targets(policy(where));
                }
                if (places.isResident) {
                    steps = steps.resident();
                }
                if (isAdaptive) {
                    steps = steps.tolerance(1e-5);
                }
                Integrator integrator = steps.compile(fields);
                for (int i = 0; i < actions.size(); i++) {
                    run(actions.get(i), numbers.get(i), session, fields, integrator, where, seen);
                }
                look(fields, seen);
                seen.add(integrator.time());
                if (isAdaptive) {
                    seen.addAll(integrator.control().state().values());
                    rejections += integrator.control().rejections();
                }
                counter.accept(integrator.steps());
            }
            return seen;
        }

        private void run(
                Action action,
                double number,
                Session session,
                FieldStore fields,
                Integrator integrator,
                Random where,
                List<Double> seen) {
            switch (action) {
                case STEP -> integrator.step(1e-4 * (1 + number));
                case ADVANCE -> {
                    if (isAdaptive) {
                        integrator.control().advance(integrator.time() + 0.02 + number, () -> {});
                    }
                }
                case RUN -> integrator.run(3, 1e-4 * (1 + number));
                case POLICY -> integrator.runs().ifPresent(runs -> runs.policy(policy(where)));
                case LOOK -> look(fields, seen);
                case SET -> {
                    set(fields, number);
                    integrator.resume(number, 3);
                }
                case SET_BETWEEN -> fields.set(K, (x, y, z) -> 1 + number * y);
                case PARAMETER -> integrator.set("pull", number);
                case STABLE -> seen.add(stableStep(integrator));
                case TASK_UPDATES -> {
                    GridField field = fields.field(K);
                    session.graph()
                            .task("thicker")
                            .updates(field.data())
                            .run(context -> each(field, context.memory(field.data()), value -> value + number));
                }
                case TASK_READS -> {
                    GridField field = fields.field(T);
                    double[] sum = new double[1];
                    session.graph().task("sum").reads(field.data()).run(context -> {
                        each(field, context.memory(field.data()), value -> {
                            sum[0] += value;
                            return value;
                        });
                    });
                    session.graph().await();
                    seen.add(sum[0]);
                }
            }
        }

        /** Replaces each cell by a function of it, where that is another value. */
        private static void each(GridField field, Memory memory, DoubleUnaryOperator function) {
            Binding.Place place = field.place(memory);
            Range cells = field.grid().range(Centring.CELL, 0);
            for (int z = cells.z0(); z < cells.z1(); z++) {
                for (int y = cells.y0(); y < cells.y1(); y++) {
                    for (int x = cells.x0(); x < cells.x1(); x++) {
                        long at = place.start() + z * place.strideZ() + y * place.strideY() + (long) x * Double.BYTES;
                        double before = place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
                        double after = function.applyAsDouble(before);
                        if (after != before) {
                            place.segment().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, after);
                        }
                    }
                }
            }
        }

        private static double stableStep(Integrator integrator) {
            try {
                return integrator.stableStep();
            } catch (ArithmeticException e) {
                return Double.NaN; // none is
            }
        }

        private static void set(FieldStore fields, double number) {
            fields.set(T, (x, y, z) -> Math.sin(x + number) + y);
            fields.set(U, (x, y, z) -> x - y * number + z);
        }

        private static void look(FieldStore fields, List<Double> seen) {
            for (double value : fields.values(T)) {
                seen.add(value);
            }
            seen.add(fields.sum(U));
            seen.add(fields.max(T));
        }
    }

    private static TargetPolicy policy(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> TargetPolicy.host();
            case 1 -> TargetPolicy.roundRobin();
            case 2 -> TargetPolicy.minimumLoad();
            case 3 -> TargetPolicy.hybrid();
            default ->
                step -> {
                    List<ExecutionTarget> targets = new ArrayList<>();
                    for (TargetPolicy.Work work : step.works()) {
                        targets.add(work.eligible()
                                .get(random.nextInt(work.eligible().size())));
                    }
                    return new TargetPolicy.Choice(
                            targets,
                            step.works().stream().map(TargetPolicy.Work::name).toList());
                };
        };
    }

    /** Devices that refuse some allocations, fail some copies and launches, or are lost; some have little memory. */
    private SessionBuilder session(Random random, Places places) {
        SessionBuilder builder = Session.builder().workers(1 + random.nextInt(3));
        int devices = 1 + random.nextInt(2);
        for (int i = 0; i < devices; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i);
            FaultPlan plan = FaultPlan.NONE;
            for (int fault = places.isAssigned ? random.nextInt(3) : 0; fault > 0; fault--) {
                plan = plan.at(FAULTS.get(random.nextInt(FAULTS.size())), 1 + random.nextInt(60));
            }
            offer = random.nextInt(3) == 0 ? offer.withoutPeers() : offer;
            boolean isSmall = !places.isSplit && random.nextInt(3) == 0;
            builder.device(offer.faults(plan), isSmall ? 4_000 + random.nextInt(60_000) : 1 << 20);
        }
        isHostLimited = random.nextInt(4) == 0;
        if (isHostLimited) {
            builder.hostMemory(200_000 + random.nextInt(200_000)).disk(folder, 1 << 26, false);
        }
        return builder;
    }

    /** True if a field was lost with a device that alone had it. */
    private static boolean isLost(Throwable e) {
        for (Throwable its = e; its != null; its = its.getCause()) {
            String told = String.valueOf(its.getMessage());
            if (its instanceof DeviceLostException
                    || told.contains("that is lost")
                    || told.contains("cannot be computed again from its sources")) {
                return true;
            }
        }
        return false;
    }

    @Test
    void devicesAndWhatHappensToThemChangeNoByte() {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            List<Double> expected;
            try (Session session = Session.builder().workers(1).open()) {
                expected = new Program(seed).run(session, Places.HOST, new Random(seed), any -> {});
            }
            Random where = new Random(seed);
            Places places = Places.drawn(where);
            Program program = new Program(seed);
            String what = "seed " + seed + ": " + places + " " + program.actions;
            try (Session session = session(where, places).open()) {
                assertEquals(expected, program.run(session, places, where, count -> steps += count), what);
                lost += session.data().faults().lost().size();
                session.data().transfers().spaces().forEach(space -> evictions += space.evictions());
            } catch (RuntimeException e) {
                boolean isSafe = program.isAlwaysHome && !places.isResident && !isHostLimited;
                if (isSafe || !isLost(e)) {
                    throw new AssertionError(what, e);
                }
            }
        }
        assertTrue(
                SEEDS < 60 || (lost > 5 && evictions > 5 && steps > 100 && rejections > 5),
                lost + " lost, " + evictions + " evictions, " + rejections + " rejections");
    }
}
