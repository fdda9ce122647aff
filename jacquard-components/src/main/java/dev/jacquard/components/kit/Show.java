package dev.jacquard.components.kit;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.program.Settings;
import java.util.List;

/** Shows a number among the results of the program. */
public final class Show implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
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
