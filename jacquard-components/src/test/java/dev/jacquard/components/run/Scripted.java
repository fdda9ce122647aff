package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Does what a test says: the setting {@code id} names the script. */
public final class Scripted implements Component {
    static final SocketType<String> TEXT = SocketType.of(String.class);
    static final Source<String> OUT = Source.of("out", TEXT, "a text");
    static final Source<List<String>> TEXTS = Source.of("texts", SocketType.listOf(TEXT), "texts");
    static final Sink<String> IN = Sink.optional("in", TEXT, "a text");
    static final Sink<String> NEED = Sink.of("need", TEXT, "a text");
    private static final Setting<String> ID = Setting.required("id", Setting.Type.text("a name"), "the script");
    private static final Setting<Boolean> NEEDS =
            Setting.optional("needs", Setting.Type.flag(), "false", "whether it has the sink 'need'");

    private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();

    /** Opens an instance. */
    @FunctionalInterface
    interface Script {
        Instance open(ComponentContext context) throws Exception;
    }

    /** From now on the script of that name is this one. */
    static void is(String id, Script script) {
        SCRIPTS.put(id, script);
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public String description() {
        return "does what a test says";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(ID, NEEDS);
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
        return settings.get(NEEDS) ? List.of(NEED, IN, OUT) : List.of(IN, OUT, TEXTS);
    }

    @Override
    public Instance open(ComponentContext context) throws Exception {
        String id = context.settings().get(ID);
        return Objects.requireNonNull(SCRIPTS.get(id), id).open(context);
    }
}
