package dev.jacquard.components.kit;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;

/** Gives a number. */
public final class FixedNumber implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
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
