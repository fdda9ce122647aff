package dev.jacquard.apps.bratu;

import dev.jacquard.apps.bratu.Branch.BranchPoint;
import dev.jacquard.apps.bratu.Branch.Iterate;
import dev.jacquard.apps.bratu.Branch.NewtonSystem;
import dev.jacquard.apps.bratu.Branch.Prediction;
import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The components of Bratu's problem. Named as services one by one. */
public final class Bratu {
    private static final SocketType<BranchPoint> POINT_TYPE = SocketType.of(BranchPoint.class);
    private static final SocketType<Prediction> PREDICTION = SocketType.of(Prediction.class);
    private static final SocketType<Iterate> ITERATE = SocketType.of(Iterate.class);
    private static final SocketType<NewtonSystem> SYSTEM = SocketType.of(NewtonSystem.class);
    private static final Sink<Prediction> PREDICTION_IN =
            Sink.of("prediction", PREDICTION, "The last point, and the step to the next one.");

    private Bratu() {}

    /** Predicts the next point of the branch; the entry of the outer loop. */
    public static final class Predict implements Component {
        private static final Setting<Integer> POINTS = Setting.optional(
                "points", Setting.Type.integer(2, 1_000_000), "1000", "points between the ends, at equal distances");
        private static final Setting<Double> STEP =
                Setting.optional("step", Setting.Type.number(1e-4, 1), "0.05", "the length of a step along the branch");
        private static final Sink<BranchPoint> AGAIN =
                Sink.optional("again", POINT_TYPE, "The last point; empty at the beginning of the branch, L = 0.");
        private static final Source<Prediction> PREDICTED =
                Source.of("prediction", PREDICTION, "The last point, and the step to the next one.");

        /** Made by the service loader. */
        public Predict() {}

        @Override
        public String name() {
            return "bratu-predict";
        }

        @Override
        public String description() {
            return "predicts the next solution of Bratu's problem along the branch";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(POINTS, STEP);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(AGAIN, PREDICTED);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            int points = context.settings().get(POINTS);
            double step = context.settings().get(STEP);
            Input<BranchPoint> again = context.input(AGAIN);
            Output<Prediction> predicted = context.output(PREDICTED);
            return () -> {
                BranchPoint from = again.isEmpty()
                        ? Discretisation.point(new Iterate(new double[points], 0, 0), null, 0)
                        : again.get();
                predicted.set(new Prediction(from, step));
                return true;
            };
        }
    }

    /** Makes the linear equations of a step of Newton's method; the entry of the inner loop. */
    public static final class Linearize implements Component {
        private static final Sink<Iterate> AGAIN =
                Sink.optional("again", ITERATE, "The last iterate; empty where it is the prediction.");
        private static final Source<NewtonSystem> EQUATIONS =
                Source.of("system", SYSTEM, "The linear equations of the next step.");

        /** Made by the service loader. */
        public Linearize() {}

        @Override
        public String name() {
            return "bratu-linearize";
        }

        @Override
        public String description() {
            return "makes the linear equations of a step of Newton's method for Bratu's problem";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(PREDICTION_IN, AGAIN, EQUATIONS);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<Prediction> prediction = context.input(PREDICTION_IN);
            Input<Iterate> again = context.input(AGAIN);
            Output<NewtonSystem> system = context.output(EQUATIONS);
            return () -> {
                Prediction next = prediction.get();
                BranchPoint from = next.from();
                Iterate at = again.isEmpty() ? next.guess() : again.get();
                Discretisation equations = Discretisation.at(at);
                double[] way = at.u().clone();
                for (int i = 0; i < way.length; i++) {
                    way[i] -= from.u()[i];
                }
                double along = equations.width() * Discretisation.dot(from.du(), way)
                        + from.dLambda() * (at.lambda() - from.lambda());
                system.set(new NewtonSystem(equations, at, from, along - next.step()));
                return true;
            };
        }
    }

    /** Solves these equations. */
    public static final class Solve implements Component {
        private static final Sink<NewtonSystem> EQUATIONS =
                Sink.of("system", SYSTEM, "The linear equations of a step.");
        private static final Source<Iterate> NEXT = Source.of("iterate", ITERATE, "The iterate after the step.");

        /** Made by the service loader. */
        public Solve() {}

        @Override
        public String name() {
            return "bratu-solve";
        }

        @Override
        public String description() {
            return "makes a step of Newton's method for Bratu's problem";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(EQUATIONS, NEXT);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<NewtonSystem> system = context.input(EQUATIONS);
            Output<Iterate> next = context.output(NEXT);
            return () -> {
                next.set(system.get().next());
                return true;
            };
        }
    }

    /** Looks how far the last step went; the exit of the inner loop. */
    public static final class Newton implements Component {
        private static final Setting<Double> TOLERANCE = Setting.optional(
                "tolerance",
                Setting.Type.number(0, 1),
                "1e-8",
                "the change in a step that is small enough; the next one would be about its square");
        private static final Setting<Integer> PASSES = Setting.optional(
                "passes", Setting.Type.integer(1, 1000), "10", "the steps after which there is no more hope");
        private static final Sink<Iterate> ITERATED = Sink.of("iterate", ITERATE, "The iterate after a step.");
        private static final Source<Iterate> SOLUTION = Source.of("solution", ITERATE, "The last iterate.");
        private static final Source<Iterate> AGAIN = Source.again("again", ITERATE, "The last iterate.");

        /** Made by the service loader. */
        public Newton() {}

        @Override
        public String name() {
            return "bratu-newton";
        }

        @Override
        public String description() {
            return "ends the loop of Newton's method for Bratu's problem";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(TOLERANCE, PASSES);
        }

        @Override
        public Optional<Setting<Integer>> passLimit() {
            return Optional.of(PASSES);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(ITERATED, SOLUTION, AGAIN);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            double tolerance = context.settings().get(TOLERANCE);
            int passes = context.settings().get(PASSES);
            Input<Iterate> iterate = context.input(ITERATED);
            Output<Iterate> solution = context.output(SOLUTION);
            Output<Iterate> again = context.output(AGAIN);
            return new Instance() {
                private int pass;

                @Override
                public boolean execute() {
                    Iterate now = iterate.get();
                    solution.set(now);
                    again.set(now);
                    pass++;
                    boolean isThere = now.change() <= tolerance;
                    if (!isThere && pass >= passes) {
                        throw new ArithmeticException("Newton's method has not converged after " + pass
                                + " steps at L = " + now.lambda() + ": the last one changed values by " + now.change()
                                + "; expected a shorter 'step' along the branch, or more 'passes'");
                    }
                    pass = isThere ? 0 : pass;
                    return isThere;
                }
            };
        }
    }

    /** Finds the direction of the branch at a solution. */
    public static final class Tangent implements Component {
        private static final Sink<Iterate> SOLUTION = Sink.of("solution", ITERATE, "A solution.");
        private static final Source<BranchPoint> FOUND =
                Source.of("point", POINT_TYPE, "The solution, with the direction of the branch.");

        /** Made by the service loader. */
        public Tangent() {}

        @Override
        public String name() {
            return "bratu-tangent";
        }

        @Override
        public String description() {
            return "finds where the branch of solutions of Bratu's problem goes on";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(PREDICTION_IN, SOLUTION, FOUND);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<Prediction> prediction = context.input(PREDICTION_IN);
            Input<Iterate> solution = context.input(SOLUTION);
            Output<BranchPoint> point = context.output(FOUND);
            return () -> {
                BranchPoint from = prediction.get().from();
                point.set(Discretisation.point(
                        solution.get(), from, from.arc() + prediction.get().step()));
                return true;
            };
        }
    }

    /**
     * Follows the branch until the parameter falls, and interpolates where it was largest; the exit of the outer loop.
     */
    public static final class Turn implements Component {
        private static final Setting<Integer> STEPS = Setting.optional(
                "steps", Setting.Type.integer(1, 1_000_000), "1000", "the steps after which there is no more hope");
        private static final Sink<BranchPoint> POINT = Sink.of("point", POINT_TYPE, "The next point of the branch.");
        private static final Source<BranchPoint> AGAIN = Source.again("again", POINT_TYPE, "The same point.");
        private static final Source<Double> LARGEST =
                Source.of("largest", SocketType.of(Double.class), "The largest parameter of the branch.");

        /** Made by the service loader. */
        public Turn() {}

        @Override
        public String name() {
            return "bratu-turn";
        }

        @Override
        public String description() {
            return "finds the turning point of the branch of solutions of Bratu's problem";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(STEPS);
        }

        @Override
        public Optional<Setting<Integer>> passLimit() {
            return Optional.of(STEPS);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(POINT, AGAIN, LARGEST);
        }

        @Override
        public Instance open(ComponentContext context) {
            return new Course(context, context.settings().get(STEPS), POINT, AGAIN, LARGEST);
        }
    }

    /** Writes points of a branch, for checkpoints. */
    public static final class PointCodec implements Codec<BranchPoint> {
        private static final Codec<double[]> VECTOR = Codecs.standard().of(double[].class);

        /** Made by the service loader. */
        public PointCodec() {}

        @Override
        public Class<BranchPoint> type() {
            return BranchPoint.class;
        }

        @Override
        public void write(BranchPoint point, Codec.Output to) throws IOException {
            VECTOR.write(point.u(), to);
            to.writeDouble(point.lambda());
            VECTOR.write(point.du(), to);
            to.writeDouble(point.dLambda());
            to.writeDouble(point.arc());
        }

        @Override
        public BranchPoint read(Codec.Input from) throws IOException {
            double[] u = VECTOR.read(from);
            double lambda = from.readDouble();
            double[] du = VECTOR.read(from);
            return new BranchPoint(u, lambda, du, from.readDouble(), from.readDouble());
        }
    }
}
