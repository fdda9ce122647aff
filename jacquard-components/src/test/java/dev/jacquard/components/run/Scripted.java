package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Does what a test says: the setting {@code id} names the script. */
public final class Scripted implements Component {
    static final SocketType<String> TEXT = SocketType.of(String.class);
    static final Source<String> OUT = Source.of("out", TEXT, "a text");
    static final Source<List<String>> TEXTS = Source.of("texts", SocketType.listOf(TEXT), "texts");
    static final Sink<String> IN = Sink.optional("in", TEXT, "a text");
    static final Sink<String> NEED = Sink.of("need", TEXT, "a text");
    static final SocketType<Data> LONGS = SocketType.data(DataType.INT64, 2);
    static final Source<Data> ONE = Source.of("one", LONGS, "data");
    static final Source<Data> TWO = Source.of("two", LONGS, "data");
    static final Sink<Data> LEFT = Sink.optional("left", LONGS, "data");
    static final Sink<Data> RIGHT = Sink.optional("right", LONGS, "data");
    static final Source<String> AGAIN = Source.again("again", TEXT, "a text");
    private static final Setting<String> ID = Setting.required("id", Setting.Type.text("a name"), "the script");
    private static final Setting<Boolean> NEEDS =
            Setting.optional("needs", Setting.Type.flag(), "false", "whether it has the sink 'need'");
    private static final Setting<Boolean> DATA =
            Setting.optional("data", Setting.Type.flag(), "false", "whether it has sockets for data");
    private static final Setting<Boolean> EXIT =
            Setting.optional("exit", Setting.Type.flag(), "false", "whether it ends a loop");
    static final Setting<Integer> PASSES =
            Setting.optional("passes", Setting.Type.integer(1, 1000), "1000", "the limit of passes");

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

    /** From now on the script of that name is the exit of a loop of so many passes, which it keeps. */
    static void ends(String id, int passes) {
        is(id, context -> {
            int[] done = {0};
            Output<String> again = context.output(AGAIN);
            context.keep("passes", SocketType.of(Integer.class), () -> done[0], its -> done[0] = its);
            return () -> {
                again.set("again");
                return ++done[0] == passes;
            };
        });
    }

    /** From now on the script of that name is the exit of a loop of as many passes as its settings say. */
    static void endsBySetting(String id) {
        is(id, context -> {
            int[] done = {0};
            Output<String> again = context.output(AGAIN);
            int passes = context.settings().get(PASSES);
            context.keep("passes", SocketType.of(Integer.class), () -> done[0], its -> done[0] = its);
            return () -> {
                again.set("again");
                context.output(OUT).set("x");
                boolean leaves = ++done[0] >= passes;
                done[0] = leaves ? 0 : done[0];
                return leaves;
            };
        });
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
    public Set<RunMode> modes() {
        return Set.of(RunMode.values());
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(ID, NEEDS, DATA, EXIT, PASSES);
    }

    @Override
    public Optional<Setting<Integer>> passLimit() {
        return Optional.of(PASSES);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        if (settings.get(EXIT)) {
            return List.of(IN, OUT, AGAIN);
        }
        if (settings.get(DATA)) {
            return List.of(IN, OUT, LEFT, RIGHT, ONE, TWO);
        }
        return settings.get(NEEDS) ? List.of(NEED, IN, OUT) : List.of(IN, OUT, TEXTS);
    }

    @Override
    public Instance open(ComponentContext context) throws Exception {
        String id = context.settings().get(ID);
        return Objects.requireNonNull(SCRIPTS.get(id), id).open(context);
    }
}
