package dev.jacquard.bench.programs;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;

/** Does nothing. */
final class Idle implements Component {
    private static final SocketType<Double> NUMBER = SocketType.of(Double.class);
    private static final Sink<Double> IN = Sink.optional("in", NUMBER, "Orders it after another one.");
    private static final Source<Double> OUT = Source.of("out", NUMBER, "Is never set.");
    private static final Source<Double> AGAIN = Source.again("again", NUMBER, "Is never set.");
    private static final Setting<Integer> PASSES = Setting.optional(
            "passes",
            Setting.Type.integer(0, Integer.MAX_VALUE),
            "0",
            "The passes that it ends its loop after; 0: none.");

    private final boolean waits;

    Idle(boolean waits) {
        this.waits = waits;
    }

    @Override
    public String name() {
        return waits ? "idle-waiting" : "idle";
    }

    @Override
    public String description() {
        return "does nothing";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(PASSES);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return settings.get(PASSES) > 0 ? List.of(IN, OUT, AGAIN) : List.of(IN, OUT);
    }

    @Override
    public boolean neverWaits() {
        return !waits;
    }

    @Override
    public Instance open(ComponentContext context) {
        int most = context.settings().get(PASSES);
        if (most == 0) {
            return () -> true;
        }
        return new Instance() {
            private int passes;

            @Override
            public boolean execute() {
                return ++passes >= most;
            }
        };
    }
}
