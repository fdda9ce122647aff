package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.testing.random.Components;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Does the work of a random program's part; its source has the number of the execution. */
final class Submitting implements Component {
    private static final SocketType<Long> LONG = SocketType.of(Long.class);
    private static final Setting<Integer> ID =
            Setting.required("id", Setting.Type.integer(0, Integer.MAX_VALUE), "the part's number");
    private static final Setting<Integer> INPUTS =
            Setting.optional("inputs", Setting.Type.integer(0, 1000), "0", "the number of sinks");
    private static final Setting<Boolean> EXIT =
            Setting.optional("exit", Setting.Type.flag(), "false", "whether it ends a loop");
    private static final Source<Long> VALUE = Source.of("value", LONG, "the execution");
    private static final Source<Long> AGAIN = Source.again("again", LONG, "the execution");
    private static final Sink<Long> BACK = Sink.optional("back", LONG, "what ended the last pass");

    private final String name;
    private final boolean neverWaits;
    private final Components.Work work;
    private final Cancellation users;
    private final AtomicInteger open;

    /**
     * The component of one run.
     *
     * @param work what executions do
     * @param users cancels the program
     * @param open counts the instances that are not closed
     */
    Submitting(String name, boolean neverWaits, Components.Work work, Cancellation users, AtomicInteger open) {
        this.name = name;
        this.neverWaits = neverWaits;
        this.work = work;
        this.users = users;
        this.open = open;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "submits tasks";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(ID, INPUTS, EXIT);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        List<ComponentSocket<?>> sockets = new ArrayList<>(sinks(settings));
        sockets.add(BACK);
        sockets.add(VALUE);
        if (settings.get(EXIT)) {
            sockets.add(AGAIN);
        }
        return sockets;
    }

    private static List<Sink<Long>> sinks(Settings settings) {
        List<Sink<Long>> sinks = new ArrayList<>();
        for (int i = 0; i < settings.get(INPUTS); i++) {
            sinks.add(Sink.of("in" + i, LONG, "an execution"));
        }
        return sinks;
    }

    @Override
    public boolean neverWaits() {
        return neverWaits;
    }

    @Override
    public Instance open(ComponentContext context) {
        Settings settings = context.settings();
        int id = settings.get(ID);
        List<Input<Long>> inputs = sinks(settings).stream().map(context::input).toList();
        Output<Long> output = context.output(VALUE);
        List<Output<Long>> again = settings.get(EXIT) ? List.of(context.output(AGAIN)) : List.of();
        Components.Control control = new Components.Control() {
            @Override
            public boolean isCancelled() {
                return context.cancellation().isCancelled();
            }

            @Override
            public void cancel() {
                users.cancel();
            }
        };
        open.incrementAndGet();
        return new Instance() {
            private long executions;

            @Override
            public boolean execute() throws Exception {
                executions++;
                output.set(executions);
                again.forEach(its -> its.set(executions));
                return work.execute(id, inputs.stream().mapToLong(Input::get).toArray(), control);
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }
}
