package dev.jacquard.tools;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A component that adds up its input over all its ranks in each pass, and appends the sum to a file. Before a given
 * pass it waits for ever, unless another file is there.
 */
public final class Tally implements Component {
    private static final SocketType<Long> LONG = SocketType.of(Long.class);
    private static final Sink<Long> IN = Sink.optional("in", LONG, "a number");
    private static final Source<Long> VALUE = Source.of("value", LONG, "the sum");
    private static final Source<Long> AGAIN = Source.again("again", LONG, "the sum");
    private static final Setting<Integer> PASSES =
            Setting.optional("passes", Setting.Type.integer(0, 1000), "0", "of the loop that it ends; 0 for none");
    private static final Setting<Integer> HOLDS =
            Setting.optional("holds", Setting.Type.integer(0, 1000), "0", "the pass before which it waits; 0 for none");
    private static final Setting<String> FILE =
            Setting.optional("file", Setting.Type.text("a file"), "none", "the file without which it waits");

    /** Made by the service loader. */
    public Tally() {}

    @Override
    public String name() {
        return "tally";
    }

    @Override
    public String description() {
        return "adds up";
    }

    @Override
    public Set<RunMode> modes() {
        return Set.of(RunMode.values());
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(PASSES, HOLDS, FILE);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        List<ComponentSocket<?>> all = new ArrayList<>(List.of(IN, VALUE));
        if (settings.get(PASSES) > 0) {
            all.add(AGAIN);
        }
        return all;
    }

    @Override
    public Instance open(ComponentContext context) {
        int passes = context.settings().get(PASSES);
        int holds = context.settings().get(HOLDS);
        Path file = Path.of(context.settings().get(FILE));
        Input<Long> input = context.input(IN);
        Output<Long> value = context.output(VALUE);
        List<Output<Long>> again = passes > 0 ? List.of(context.output(AGAIN)) : List.of();
        return new Instance() {
            private int done;
            private long total;

            {
                context.keep("done", SocketType.of(Integer.class), () -> done, its -> done = its);
                context.keep("total", LONG, () -> total, its -> total = its);
            }

            @Override
            public boolean execute() throws Exception {
                if (++done == holds && !Files.exists(file)) {
                    new CountDownLatch(1).await();
                }
                Communicator comm = context.comm();
                long[] sum = {input.orElse(1L) + comm.rank()};
                comm.allreduce(Elements.of(sum), Reduction.sum());
                total = 3 * total + sum[0];
                Files.writeString(
                        context.output().file("sums.txt"),
                        total + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                value.set(total);
                again.forEach(its -> its.set(total));
                context.result(total);
                return done == passes;
            }
        };
    }
}
