package dev.jacquard.bench.jmh;

import dev.jacquard.base.concurrent.WorkDeque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What an element costs that goes through a deque; beside it the JDK's concurrent deque. Uncontended, one thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class DequeBenchmark {
    private static final int BATCH = 64;

    /** Whether thieves may exist: the owner then pays a fence per pop. */
    @Param({"false", "true"})
    public boolean shared;

    private final Object element = new Object();
    private WorkDeque<Object> deque = new WorkDeque<>(BATCH, true);
    private final ConcurrentLinkedDeque<Object> rival = new ConcurrentLinkedDeque<>();

    /** Takes the parameter. */
    @Setup
    public void setUp() {
        deque = new WorkDeque<>(BATCH, shared);
    }

    /** The owner's path: newest out first. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void pushPop(Blackhole sink) {
        for (int i = 0; i < BATCH; i++) {
            deque.push(element);
        }
        for (int i = 0; i < BATCH; i++) {
            sink.consume(deque.pop());
        }
    }

    /** The thief's path: oldest out first. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void pushSteal(Blackhole sink) {
        for (int i = 0; i < BATCH; i++) {
            deque.push(element);
        }
        for (int i = 0; i < BATCH; i++) {
            sink.consume(deque.steal());
        }
    }

    /** A worker that looks in vain. */
    @Benchmark
    public @Nullable Object popOfEmpty() {
        return deque.pop();
    }

    /** The JDK's. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void rivalPushPop(Blackhole sink) {
        for (int i = 0; i < BATCH; i++) {
            rival.push(element);
        }
        for (int i = 0; i < BATCH; i++) {
            sink.consume(rival.poll());
        }
    }
}
