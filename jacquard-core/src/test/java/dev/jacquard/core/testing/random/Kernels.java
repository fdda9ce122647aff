package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Arguments;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelParameter;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The kernel of all tasks that have one. Its numbers say whose task it is; implementations of this process look up the
 * rest.
 */
final class Kernels {
    private static final int NUMBERS = 2;
    private static final Map<Integer, Map<Integer, Runner>> RUNNERS = new ConcurrentHashMap<>();
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final EmulatedBody EMULATED = new EmulatedBody("mix", Kernels::onEmulated);
    /** The source of a kernel that an emulated device is not to compile. */
    private static final KernelSource NOWHERE = new KernelSource(Language.OPENCL_C, "mix.cl", "mix", "");
    /** How often devices were told of kernels. */
    private static final LongAdder TOLD = new LongAdder();
    /** How often before their tasks were ready. */
    private static final LongAdder AHEAD = new LongAdder();

    /** On devices alone. */
    static final Kernel ON_DEVICES = Kernel.named("mix")
            .onDevice(ExecutionTarget.OPENCL, work -> onDriver(Language.OPENCL_C, "mix.cl", work))
            .onDevice(ExecutionTarget.CUDA, work -> onDriver(Language.CUDA, "mix.cu", work))
            .onDevice(ExecutionTarget.EMULATED, Kernels::tellEmulated);

    static final Kernel MIX = ON_DEVICES.onHost(Kernels::onHost);

    private Kernels() {}

    /** Does the work of one task. */
    record Runner(Seen its, List<Store> stores, Bodies bodies) {
        void run(boolean onDevice, List<Memory> memories) {
            List<Operand> operands = new ArrayList<>();
            for (int i = 0; i < memories.size(); i++) {
                operands.add(new Operand.InMemory(its.job.touches().get(i).how(), type(i), memories.get(i), !onDevice));
            }
            bodies.kernel(its, onDevice, operands);
        }

        Type type(int data) {
            return stores.get(data).type();
        }
    }

    /** The kernel of {@code job}, whose data is of {@code stores}. */
    static Kernel of(Job job, List<Store> stores) {
        Kernel kernel = job.where().target() == Job.Where.DEVICES ? ON_DEVICES : MIX;
        if (!job.manner().named() && !job.manner().bound()) {
            return kernel;
        }
        List<KernelParameter> parameters = new ArrayList<>();
        parameters.add(KernelParameter.number("trial", Integer.class));
        parameters.add(KernelParameter.number("task", Integer.class));
        for (int i = 0; i < stores.size(); i++) {
            Store store = stores.get(i);
            KernelParameter data = KernelParameter.data(name(job, i, store), store.type().element);
            Access access = store.access(job.touches().get(i)).whole();
            parameters.add(job.manner().bound() ? of(data, access) : data);
        }
        return kernel.parameters(parameters.toArray(KernelParameter[]::new));
    }

    /** The name of the parameter for data number {@code i}. */
    private static String name(Job job, int i, Store store) {
        return job.manner().bound() ? store.name() : "data" + i;
    }

    /** The same parameter for an access of a built-in kind, or one that reads and writes alike. */
    private static KernelParameter of(KernelParameter data, Access access) {
        return switch (access instanceof Mode mode ? mode : Mode.ofStranger(access)) {
            case READ -> data.read();
            case WRITE -> data.write();
            case UPDATE -> data.update();
            case ADD -> data.add();
            case MUL -> data.mul();
            case NONE -> data;
        };
    }

    /** Makes place for a trial's tasks; returns its key. */
    static int open() {
        int key = KEYS.incrementAndGet();
        RUNNERS.put(key, new ConcurrentHashMap<>());
        return key;
    }

    static void put(int key, Runner runner) {
        Objects.requireNonNull(RUNNERS.get(key)).put(runner.its.job.id(), runner);
    }

    static void close(int key) {
        RUNNERS.remove(key);
    }

    private static Runner runner(long key, long id) {
        Map<Integer, Runner> known = RUNNERS.get((int) key);
        Runner runner = known == null ? null : known.get((int) id);
        if (runner == null) {
            throw new IllegalStateException("no task " + id + " of trial " + key + " runs");
        }
        return runner;
    }

    private static void onHost(Arguments arguments) {
        Runner runner = runner(arguments.integer(0), arguments.integer(1));
        boolean named = runner.its.job.manner().named();
        if (named && !runner.equals(runner(arguments.integer("trial"), arguments.integer("task")))) {
            throw new IllegalStateException("the names of numbers mean others");
        }
        List<Memory> memories = new ArrayList<>();
        for (int i = 0; i < runner.stores.size(); i++) {
            String name = name(runner.its.job, i, runner.stores.get(i));
            memories.add(named ? arguments.memory(name) : arguments.memory(NUMBERS + i));
        }
        runner.run(false, memories);
    }

    /** All in one work item. A failing task does not reach the device: drivers may take that worse than devices do. */
    private static void onDriver(Language language, String file, DeviceWork work) {
        Runner runner = runner(
                (Integer) work.arguments().get(0), (Integer) work.arguments().get(1));
        Job job = runner.its.job;
        tell(runner.its);
        int count = runner.stores.size();
        KernelSource source = KernelSource.resource(language, Kernels.class, file, "mix" + count);
        runner.its.compile(source, work.stream().device().name());
        runner.its.entered.incrementAndGet();
        if (job.fate().fails()) {
            throw new PlannedFailure(runner.its);
        }
        List<Object> arguments = new ArrayList<>();
        arguments.add((long) job.id());
        for (int i = 0; i < count; i++) {
            arguments.add(work.arguments().get(NUMBERS + i));
            arguments.add(code(job.touches().get(i).how(), runner.type(i)));
            arguments.add(work.layout(NUMBERS + i).elements());
        }
        work.stream().launch(work.stream().device().compile(source), LaunchShape.of(1), arguments);
    }

    private static int code(How how, Type type) {
        int kind = switch (how) {
            case READ -> 0;
            case UPDATE -> 1;
            case WRITE -> 2;
            case ADD -> 3;
            case MUL, LOCKED, RENEWED, NONE -> throw new IllegalArgumentException("no kernel does " + how);
        };
        return kind
                + switch (type) {
                    case LONG -> 0;
                    case INT -> 8;
                    case DOUBLE -> 16;
                };
    }

    private static void tellEmulated(DeviceWork work) {
        Runner runner = runner(
                (Integer) work.arguments().get(0), (Integer) work.arguments().get(1));
        tell(runner.its);
        runner.its.compile(NOWHERE, work.stream().device().name());
        EMULATED.enqueue(work);
    }

    private static void tell(Seen its) {
        TOLD.increment();
        Task<?> result = its.result;
        if (result != null && result.state() == TaskState.PENDING) {
            AHEAD.increment();
        }
    }

    /** How many launches devices were told of so far, and how many of them ahead. */
    static String told() {
        return AHEAD.sum() + " of " + TOLD.sum() + " launches told ahead";
    }

    private static void onEmulated(EmulatedBody.Launch launch) {
        Runner runner = runner(launch.intAt(0), launch.intAt(1));
        List<Memory> memories = new ArrayList<>();
        for (int i = 0; i < runner.stores.size(); i++) {
            DataType type = runner.type(i).element;
            MemorySegment segment = launch.memory(NUMBERS + i);
            long elements = segment.byteSize() / type.bytes();
            memories.add(new Memory(segment, Layout.of(type, Box.whole(elements).extents())));
        }
        runner.run(true, memories);
    }
}
