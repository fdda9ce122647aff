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

/** Hands a number on, and fails in one of its executions. */
public final class Fail implements Component {
    private static final Setting<Integer> AT = Setting.required(
            "at",
            Setting.Type.integer(1, Integer.MAX_VALUE),
            "The execution that fails, counted from 1 over the whole run.");
    private static final Sink<Double> IN =
            Sink.optional("value", SocketType.of(Double.class), "A number; if it is empty, nothing is handed on.");
    private static final Source<Double> VALUE = Source.of("value", SocketType.of(Double.class), "The same number.");

    /** Made by the service loader. */
    public Fail() {}

    @Override
    public String name() {
        return "fail";
    }

    @Override
    public String description() {
        return "hands a number on, and fails once";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(AT);
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
        return List.of(IN, VALUE);
    }

    @Override
    public Instance open(ComponentContext context) {
        int at = context.settings().get(AT);
        Input<Double> input = context.input(IN);
        Output<Double> output = context.output(VALUE);
        return new Instance() {
            private int executions;

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
