package dev.jacquard.components.run;

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
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Mixes all that it reads with its own number and its executions so far; ends a loop by that, too. For tests. */
public class Mix implements Component {
    static final SocketType<Long> LONG = SocketType.of(Long.class);
    static final SocketType<Data> DATA = SocketType.data(DataType.INT64, 1);
    static final Setting<Integer> ID =
            Setting.required("id", Setting.Type.integer(0, Integer.MAX_VALUE), "the part's number");
    static final Setting<Integer> INPUTS =
            Setting.optional("inputs", Setting.Type.integer(0, 1000), "0", "the number of sinks");
    static final Setting<String> KINDS = Setting.optional(
            "kinds", Setting.Type.text("a letter each"), "n", "of each sink: n for a number, d for data with one");
    static final Setting<Boolean> GIVES_DATA =
            Setting.optional("data", Setting.Type.flag(), "false", "whether it gives data with the number");
    static final Setting<Boolean> EXIT =
            Setting.optional("exit", Setting.Type.flag(), "false", "whether it ends a loop");
    static final Setting<Integer> FAILS =
            Setting.optional("fails", Setting.Type.integer(0, 1000), "0", "the execution that fails; 0 for none");
    static final Setting<String> RUN = Setting.optional("run", Setting.Type.text("a name"), "none", "names the log");

    /** The parts in the order of their executions, by the name of the run. */
    static final Map<String, List<Integer>> ORDERS = new ConcurrentHashMap<>();
    /** The executions after which one does {@link #AT_STOP}, whichever that is; 0 for none. */
    static final AtomicInteger STOP = new AtomicInteger();

    /** The action of that execution: it fails, or ends the run in another way. */
    static final AtomicReference<Action> AT_STOP = new AtomicReference<>(Mix::fail);

    /** A part of an execution. */
    interface Action {
        void run() throws InterruptedException;
    }

    /** Fails. */
    static void fail() {
        throw new IllegalStateException("stopped by the test");
    }

    /** Instances that are open. */
    static final AtomicInteger OPEN = new AtomicInteger();

    private static final Source<Long> VALUE = Source.of("value", LONG, "the mixture");
    private static final Source<Data> VALUE_IN_DATA = Source.of("value", DATA, "the mixture");
    private static final Source<Long> AGAIN = Source.again("again", LONG, "the mixture");
    private static final Sink<Long> BACK = Sink.optional("back", LONG, "what ended the last pass");

    @Override
    public String name() {
        return "mix";
    }

    @Override
    public String description() {
        return "mixes numbers";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(ID, INPUTS, KINDS, GIVES_DATA, EXIT, FAILS, RUN);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        List<ComponentSocket<?>> sockets = new ArrayList<>(sinks(settings));
        sockets.add(BACK);
        sockets.add(settings.get(GIVES_DATA) ? VALUE_IN_DATA : VALUE);
        if (settings.get(EXIT)) {
            sockets.add(AGAIN);
        }
        return sockets;
    }

    private static List<Sink<?>> sinks(Settings settings) {
        List<Sink<?>> sinks = new ArrayList<>();
        for (int i = 0; i < settings.get(INPUTS); i++) {
            sinks.add(isData(settings, i) ? Sink.of("in" + i, DATA, "data") : Sink.of("in" + i, LONG, "a number"));
        }
        return sinks;
    }

    private static boolean isData(Settings settings, int input) {
        String kinds = settings.get(KINDS);
        return kinds.length() > input && kinds.charAt(input) == 'd';
    }

    /** Returns what reads the number of a sink. */
    @SuppressWarnings("unchecked") // the types are those of sinks(settings)
    private static Supplier<Long> input(ComponentContext context, Sink<?> sink) {
        if (!sink.type().equals(DATA)) {
            return context.input((Sink<Long>) sink)::get;
        }
        Input<Data> input = context.input((Sink<Data>) sink);
        return () -> {
            Data data = input.get();
            try (UserView view = context.session().data().open(data, Mode.READ)) {
                return view.memory(data).getLong(0);
            }
        };
    }

    /** Returns what gives the number; data by a task that is not waited for. */
    private static Consumer<Long> output(ComponentContext context) {
        if (!context.settings().get(GIVES_DATA)) {
            return context.output(VALUE)::set;
        }
        Output<Data> output = context.output(VALUE_IN_DATA);
        Session session = context.session();
        Data[] data = {session.data().vector("mixture", DataType.INT64, 1)};
        context.keep("data", DATA, () -> data[0], its -> data[0] = its);
        return value -> {
            Data its = data[0];
            session.graph().task("mix").writes(its).run(task -> task.memory(its).setLong(0, value));
            output.set(its);
        };
    }

    /** Mixes two numbers. */
    static long mixed(long a, long b) {
        long x = (a ^ b * 0x9E3779B97F4A7C15L) + 0x632BE59BD9B4E019L;
        x = (x ^ (x >>> 29)) * 0xBF58476D1CE4E5B9L;
        return x ^ (x >>> 32);
    }

    /** Returns true if the execution with that result is the last one of a loop that has run that number of passes. */
    static boolean leaves(long value, int passes) {
        return passes >= 3 || Long.remainderUnsigned(value, 3) == 0;
    }

    @Override
    public Instance open(ComponentContext context) {
        Settings settings = context.settings();
        int id = settings.get(ID);
        List<Supplier<Long>> inputs =
                sinks(settings).stream().map(sink -> input(context, sink)).toList();
        Input<Long> back = context.input(BACK);
        Consumer<Long> output = output(context);
        List<Output<Long>> again = settings.get(EXIT) ? List.of(context.output(AGAIN)) : List.of();
        int fails = settings.get(FAILS);
        List<Integer> order = ORDERS.computeIfAbsent(settings.get(RUN), run -> new ArrayList<>());
        OPEN.incrementAndGet();
        List<Long> values = new ArrayList<>();
        return new Instance() {
            private int passes;

            {
                context.keep("passes", SocketType.of(Integer.class), () -> passes, its -> passes = its);
                context.keep("values", SocketType.listOf(LONG), () -> values, values::addAll);
            }

            @Override
            public boolean execute() throws InterruptedException {
                long value = mixed(id, values.size());
                for (Supplier<Long> input : inputs) {
                    value = mixed(value, input.get());
                }
                value = mixed(value, back.orElse(7L));
                values.add(value);
                if (STOP.get() > 0 && STOP.decrementAndGet() == 0) {
                    Objects.requireNonNull(AT_STOP.get()).run();
                }
                synchronized (order) {
                    order.add(id);
                }
                context.result(List.copyOf(values));
                output.accept(value);
                if (values.size() == fails) {
                    throw new IllegalStateException("as the program says");
                }
                boolean leaves = leaves(value, ++passes);
                passes = leaves ? 0 : passes;
                for (Output<Long> its : again) {
                    its.set(value);
                }
                return leaves;
            }

            @Override
            public void close() {
                OPEN.decrementAndGet();
            }
        };
    }
}
