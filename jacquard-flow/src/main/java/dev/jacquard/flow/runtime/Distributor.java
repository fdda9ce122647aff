package dev.jacquard.flow.runtime;

import dev.jacquard.base.text.UserText;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Distribution.Loads;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of the stage that distributes the items of a pipeline: asks the distribution, and sends each item through
 * the outlets of the copies that it names.
 *
 * <p>Threads: confined to the activation of the stage's only copy.
 */
final class Distributor implements Body<Object, Object>, Loads, IntConsumer {
    private final String name;
    private final Distribution<Object> distribution;
    private final Outlet[] outlets;
    /** Per copy of the pipeline, its stages. */
    private final Stage[][] stages;

    private final long[] given;
    private long before;
    /** The item that is being distributed; null between items. */
    private @Nullable Object item;
    /** The number of copies that got the item. */
    private int receivers;

    Distributor(String name, Distribution<Object> distribution, Outlet[] outlets, Stage[][] stages) {
        this.name = name;
        this.distribution = distribution;
        this.outlets = Arrays.copyOf(outlets, stages.length); // without those that get some of the items
        this.stages = stages;
        this.given = new long[stages.length];
    }

    @Override
    public void execute(Object its, Emitter<Object> out) throws Exception {
        item = its;
        receivers = 0;
        try {
            distribution.distribute(its, this, this);
        } finally {
            item = null;
        }
        if (receivers == 0) {
            throw new IllegalStateException("the distribution of pipeline \"" + name + "\" sent item "
                    + UserText.of(its) + " to no copy: send it to at least one, from 0 to " + (outlets.length - 1));
        }
        before++;
    }

    /** Sends the item to a copy. */
    @Override
    public void accept(int copy) {
        Object its = item;
        if (its == null) {
            throw new IllegalStateException("the distribution of pipeline \"" + name
                    + "\" sent an item after distribute() returned: send it during the call");
        }
        if (copy < 0 || copy >= outlets.length) {
            throw new IllegalArgumentException("the distribution of pipeline \"" + name + "\" sent item "
                    + UserText.of(its) + " to copy " + copy + ", and there "
                    + (outlets.length == 1
                            ? "is 1: number 0"
                            : "are " + outlets.length + ": numbers 0 to " + (outlets.length - 1)));
        }
        outlets[copy].emit(its);
        given[copy]++;
        receivers++;
    }

    // ---- the loads

    @Override
    public int copies() {
        return outlets.length;
    }

    @Override
    public long items(int copy) {
        Objects.checkIndex(copy, outlets.length);
        long sum = outlets[copy].held();
        for (Stage stage : stages[copy]) {
            sum += stage.backlog() - stage.setup.distributed(); // whose stages are among these
            for (TaskInstance instance : stage.setup.instances) {
                sum += instance.load() + (instance.code.isAtWork() ? 1 : 0);
            }
        }
        return sum;
    }

    @Override
    public long given(int copy) {
        return given[Objects.checkIndex(copy, outlets.length)];
    }

    @Override
    public long before() {
        return before;
    }
}
