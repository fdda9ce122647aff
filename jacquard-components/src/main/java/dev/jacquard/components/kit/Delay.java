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
import java.time.Duration;
import java.util.List;

/** Hands a number on after some time. */
public final class Delay implements Component {
    private static final Setting<Integer> MILLIS = Setting.required(
            "millis", Setting.Type.integer(0, Integer.MAX_VALUE), "The milliseconds that an execution takes.");
    private static final Sink<Double> IN =
            Sink.optional("value", SocketType.of(Double.class), "A number; if it is empty, nothing is handed on.");
    private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The same number.");

    /** Made by the service loader. */
    public Delay() {}

    @Override
    public String name() {
        return "delay";
    }

    @Override
    public String description() {
        return "hands a number on after some time";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(MILLIS);
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
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
