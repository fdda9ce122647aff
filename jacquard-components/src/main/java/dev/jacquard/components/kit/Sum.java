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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Adds the numbers of its sinks; an empty one counts 0. */
public final class Sum implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
        List<Socket<?>> sockets = new ArrayList<>(sinks(settings));
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
