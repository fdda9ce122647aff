package dev.jacquard.components.kit;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;

/** Ends a loop when a number is large enough, or after some passes. */
public final class Until implements Component {
    private static final Setting<Double> LIMIT = Setting.optional(
            "limit",
            Setting.Type.number(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
            "Infinity",
            "The loop is left when the number is this or more.");
    private static final Setting<Integer> PASSES = Setting.optional(
            "passes",
            Setting.Type.integer(1, Integer.MAX_VALUE),
            "2147483647",
            "The loop is left after that number of passes, counted anew each time that it is entered.");
    private static final Sink<Double> IN = Sink.of("value", SocketType.of(Double.class), "The number of this pass.");
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
    public void check(Settings settings) {
        if (settings.get(LIMIT).isInfinite() && settings.get(PASSES) == Integer.MAX_VALUE) {
            throw settings.given(LIMIT).error("'until' has neither 'limit' nor 'passes'; expected one of them");
        }
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
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
