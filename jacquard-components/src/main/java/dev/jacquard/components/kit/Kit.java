package dev.jacquard.components.kit;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Small components for tests of programs, and for trying things out: numbers, sums, waiting, loops, failures. Named as
 * services one by one.
 */
public final class Kit {
    private Kit() {}

    /** Gives a number. */
    public static final class FixedNumber implements Component {
        private static final Setting<Double> NUMBER =
                Setting.required("value", Setting.Type.number(-Double.MAX_VALUE, Double.MAX_VALUE), "The number.");
        private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The number.");

        /** Made by the service loader. */
        public FixedNumber() {}

        @Override
        public String name() {
            return "number";
        }

        @Override
        public String description() {
            return "gives a number";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(NUMBER);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(VALUE);
        }

        @Override
        public Instance open(ComponentContext context) {
            double value = context.settings().get(NUMBER);
            Output<Double> output = context.output(VALUE);
            return () -> {
                output.set(value);
                return true;
            };
        }

        @Override
        public boolean neverWaits() {
            return true;
        }
    }

    /** Adds the numbers of its sinks; an empty one counts 0. */
    public static final class Sum implements Component {
        private static final Setting<Integer> INPUTS = Setting.optional(
                "inputs", Setting.Type.integer(1, 10_000), "2", "The number of sinks: in1, in2, and so on.");
        private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The sum.");

        /** Made by the service loader. */
        public Sum() {}

        @Override
        public String name() {
            return "sum";
        }

        @Override
        public String description() {
            return "adds numbers";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(INPUTS);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            List<ComponentSocket<?>> sockets = new ArrayList<>(sinks(settings));
            sockets.add(VALUE);
            return sockets;
        }

        private static List<Sink<Double>> sinks(Settings settings) {
            return IntStream.rangeClosed(1, settings.get(INPUTS))
                    .mapToObj(i -> Sink.optional("in" + i, SocketType.of(Double.class), "A number; 0 if it is empty."))
                    .toList();
        }

        @Override
        public Instance open(ComponentContext context) {
            List<Input<Double>> inputs =
                    sinks(context.settings()).stream().map(context::input).toList();
            Output<Double> output = context.output(VALUE);
            return () -> {
                double sum = 0;
                for (Input<Double> input : inputs) {
                    sum += input.orElse(0.0);
                }
                output.set(sum);
                return true;
            };
        }

        @Override
        public boolean neverWaits() {
            return true;
        }
    }

    /** Hands a number on after some time. */
    public static final class Delay implements Component {
        private static final Setting<Integer> MILLIS = Setting.required(
                "millis", Setting.Type.integer(0, Integer.MAX_VALUE), "The milliseconds that an execution takes.");
        private static final Sink<Double> IN =
                Sink.optional("value", SocketType.of(Double.class), "A number; if it is empty, nothing is passed on.");
        private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The same number.");

        /** Made by the service loader. */
        public Delay() {}

        @Override
        public String name() {
            return "delay";
        }

        @Override
        public String description() {
            return "passes a number on after some time";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(MILLIS);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(IN, VALUE);
        }

        @Override
        public Instance open(ComponentContext context) {
            Duration time = Duration.ofMillis(context.settings().get(MILLIS));
            Input<Double> input = context.input(IN);
            Output<Double> output = context.output(VALUE);
            return () -> {
                Thread.sleep(time);
                if (!input.isEmpty()) {
                    output.set(input.get());
                }
                return true;
            };
        }
    }

    /** Ends a loop when a number is large enough, or after some passes. */
    public static final class Until implements Component {
        private static final Setting<Double> LIMIT = Setting.optional(
                "limit",
                Setting.Type.number(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
                "Infinity",
                "The loop is left when the number is this or more.");
        private static final Setting<Integer> PASSES = Setting.optional(
                "passes",
                Setting.Type.integer(1, Integer.MAX_VALUE),
                "2147483647",
                "The loop is left after that number of passes, counted from 1 each time that it is entered.");
        private static final Sink<Double> IN =
                Sink.of("value", SocketType.of(Double.class), "The number of this pass.");
        private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The same number.");
        private static final Source<Double> AGAIN = Source.again(
                "again", SocketType.of(Double.class), "The same number, for the loop's entry in the next pass.");

        /** Made by the service loader. */
        public Until() {}

        @Override
        public String name() {
            return "until";
        }

        @Override
        public String description() {
            return "ends a loop when a number is large enough, or after some passes";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(LIMIT, PASSES);
        }

        @Override
        public Optional<Setting<Integer>> passLimit() {
            return Optional.of(PASSES);
        }

        @Override
        public void check(Settings settings) {
            if (settings.get(LIMIT).isInfinite() && settings.get(PASSES) == Integer.MAX_VALUE) {
                throw settings.given(LIMIT).error("'until' has neither 'limit' nor 'passes'; expected one of them");
            }
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(IN, VALUE, AGAIN);
        }

        @Override
        public Instance open(ComponentContext context) {
            double limit = context.settings().get(LIMIT);
            int most = context.settings().get(PASSES);
            Input<Double> input = context.input(IN);
            Output<Double> output = context.output(VALUE);
            Output<Double> again = context.output(AGAIN);
            return new Instance() {
                private int passes;

                {
                    context.keep("passes", SocketType.of(Integer.class), () -> passes, its -> passes = its);
                }

                @Override
                public boolean execute() {
                    double value = input.get();
                    output.set(value);
                    again.set(value);
                    passes++;
                    boolean leaves = value >= limit || passes >= most;
                    passes = leaves ? 0 : passes;
                    return leaves;
                }
            };
        }

        @Override
        public boolean neverWaits() {
            return true;
        }
    }

    /** Hands a number on, and fails in one of its executions. */
    public static final class Fail implements Component {
        private static final Setting<Integer> AT = Setting.required(
                "at",
                Setting.Type.integer(1, Integer.MAX_VALUE),
                "The execution that fails, counted from 1 over the whole run.");
        private static final Sink<Double> IN =
                Sink.optional("value", SocketType.of(Double.class), "A number; if it is empty, nothing is passed on.");
        private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The same number.");

        /** Made by the service loader. */
        public Fail() {}

        @Override
        public String name() {
            return "fail";
        }

        @Override
        public String description() {
            return "passes a number on, and fails once";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(AT);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(IN, VALUE);
        }

        @Override
        public Instance open(ComponentContext context) {
            int at = context.settings().get(AT);
            Input<Double> input = context.input(IN);
            Output<Double> output = context.output(VALUE);
            return new Instance() {
                private int executions;

                {
                    context.keep("executions", SocketType.of(Integer.class), () -> executions, its -> executions = its);
                }

                @Override
                public boolean execute() {
                    if (++executions == at) {
                        throw new IllegalStateException("execution " + at + " fails, as 'at' says");
                    }
                    if (!input.isEmpty()) {
                        output.set(input.get());
                    }
                    return true;
                }
            };
        }

        @Override
        public boolean neverWaits() {
            return true;
        }
    }

    /** Shows a number among the results of the program. */
    public static final class Show implements Component {
        private static final Sink<Double> IN =
                Sink.of("value", SocketType.of(Double.class), "The number; that of the last execution is shown.");

        /** Made by the service loader. */
        public Show() {}

        @Override
        public String name() {
            return "show";
        }

        @Override
        public String description() {
            return "shows a number";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(IN);
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<Double> input = context.input(IN);
            return () -> {
                context.result(input.get());
                return true;
            };
        }

        @Override
        public boolean neverWaits() {
            return true;
        }
    }
}
