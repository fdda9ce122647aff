package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Settings;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A loop of a million passes, or fewer of components that wait: as much heap, and as many threads, at its end. */
class LongLoopTest {
    private static final int PASSES = 1_000_000;
    private static final int PASSES_WAITING = Integer.getInteger("jacquard.passes", 200_000);
    private static final int SAMPLES = 10;
    /** Those that the engine and the JVM start when there is work for them. */
    private static final int FEW_THREADS = 6;
    /** Less than an object for each pass. */
    private static final long MOST_GROWTH = 1 << 20;

    /**
     * What was seen now and then.
     *
     * @param heap bytes that the last collection left, without what threads have allocated since
     * @param threads those that are alive
     */
    private record Sample(long heap, int threads) {
        static Sample now() {
            System.gc();
            long heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                    .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                    .sum();
            return new Sample(heap, Thread.getAllStackTraces().size());
        }
    }

    /** Hands a number on, and looks around now and then. */
    private static final class Samples implements Component {
        private static final SocketType<Double> NUMBER = SocketType.of(Double.class);
        private static final Sink<Double> IN = Sink.of("value", NUMBER, "a number");
        private static final Source<Double> OUT = Source.of("value", NUMBER, "the number");

        private final boolean waits;
        private final List<Sample> all = Collections.synchronizedList(new ArrayList<>());

        Samples(boolean waits) {
            this.waits = waits;
        }

        int passes() {
            return waits ? PASSES_WAITING : PASSES;
        }

        @Override
        public String name() {
            return "samples";
        }

        @Override
        public String description() {
            return "looks at the heap";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(IN, OUT);
        }

        @Override
        public boolean neverWaits() {
            return !waits;
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<Double> in = context.input(IN);
            Output<Double> out = context.output(OUT);
            int[] executions = {0};
            return () -> {
                if (++executions[0] % (passes() / SAMPLES) == 0) {
                    all.add(Sample.now());
                }
                out.set(in.get());
                return true;
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"SERIAL, false", "PARALLEL, false", "PARALLEL, true"})
    void takesNoMoreHeapAndThreads(RunMode mode, boolean waits, @TempDir Path folder) throws Exception {
        Samples samples = new Samples(waits);
        Catalog catalog = Catalog.of(List.of()).plus(List.of(samples));
        Programs programs = new Programs(folder);
        programs.run(programs.load(String.format(Locale.ROOT, """
                workers: 2
                components:
                  one: {component: number, value: 0}
                  add: {component: sum}
                  left: {component: samples}
                  right: {component: sum, inputs: 1}
                  both: {component: sum}
                  end: {component: until, passes: %d}
                wires:
                  add.in1: one.value
                  add.in2: end.again
                  left.value: add.value
                  right.in1: add.value
                  both.in1: left.value
                  both.in2: right.value
                  end.value: both.value
                """, samples.passes()), mode, catalog));
        assertEquals(SAMPLES, samples.all.size());
        // what is loaded and compiled first is there by then; a sample may have what the other thread works on
        long growth = median(samples.all.subList(6, SAMPLES)) - median(samples.all.subList(2, 6));
        assertTrue(growth < MOST_GROWTH, () -> growth + " bytes more: " + samples.all);
        int threads = samples.all.getLast().threads - samples.all.get(2).threads;
        assertTrue(threads < FEW_THREADS, () -> threads + " threads more: " + samples.all);
    }

    private static long median(List<Sample> samples) {
        long[] heaps = samples.stream().mapToLong(Sample::heap).sorted().toArray();
        return (heaps[(heaps.length - 1) / 2] + heaps[heaps.length / 2]) / 2;
    }
}
