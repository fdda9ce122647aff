package dev.jacquard.core.testing.loop;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A loop of tasks on a device that must not grow: kernels between data that stays and data that is made, released or
 * freed in every round; some tasks on the host between them; a memory too small for all, so that data leaves it; and a
 * compiled graph now and then. Everything is done once more by a plain loop, and must be the same.
 *
 * <p>{@link #main} runs it in laps, after each of which all data is freed, tells what the process takes after each, and
 * ends with 1 when that grew. {@code scripts/check-leaks} runs that; tests run it in a process of their own
 * ({@link #run}).
 */
public final class DeviceLoop {
    private static final int LENGTH = 96;
    /** Both data that stay and some temporary ones: not the large one besides. */
    private static final long DEVICE_BYTES = 8L * 8 * LENGTH;

    private static final int LARGE = 6 * LENGTH;
    /** The large one or temporary ones. */
    private static final long HOST_BYTES = 8L * LARGE + 64;

    private static final int LAPS = 10;
    /** By then what is bounded has been full, such as the record of the newest 16,384 writes, and most is compiled. */
    private static final int WARM_LAPS = LAPS / 2;

    private static final int COMPILED_EVERY = 8;
    private static final int LARGE_EVERY = 16;
    private static final int LOOK_EVERY = 64;

    private final Session session;
    private final ExecutionTarget device;
    private final long[] x = new long[LENGTH];
    private final long[] y = new long[LENGTH];
    private final long[] expected = new long[LENGTH];
    private long tasks;
    private long rounds;

    private DeviceLoop(Session session, ExecutionTarget device) {
        this.session = session;
        this.device = device;
        Arrays.setAll(x, i -> i);
    }

    /** Some data, and what it holds after what was submitted so far. */
    private record Cell(Data data, Memory model) {}

    /** A task: what it reads is mixed into what it writes. */
    private record Step(long number, boolean onHost, boolean updates, Cell written, List<Cell> reads) {
        void submit(Tasks to, ExecutionTarget device) {
            TaskBuilder task = to.task("mix");
            reads.forEach(read -> task.reads(read.data));
            TaskBuilder all = updates ? task.updates(written.data) : task.writes(written.data);
            int flags = (updates ? MixKernel.UPDATES : 0) | reads.size() << 2;
            all.on(onHost ? ExecutionTarget.HOST : device).run(MixKernel.MIX, number, flags);
        }

        void model() {
            long fold = 0;
            for (Cell read : reads) {
                fold = Elements.fold(read.model, fold);
            }
            Elements.mix(written.model, updates, fold, number);
        }
    }

    private Cell temporary(String name, long length) {
        Layout layout = Layout.of(DataType.INT64, length);
        return new Cell(session.data().of(name, layout), Elements.of(new long[(int) length], layout));
    }

    private Cell home(String name, long[] array, long[] model) {
        return new Cell(session.data().vector(name, array), Elements.of(model, Layout.of(DataType.INT64, LENGTH)));
    }

    private void perform(Step step) {
        step.submit(session.graph(), device);
        step.model();
        tasks += step.onHost ? 0 : 1;
    }

    /** From one temporary to the next and into {@code y}. */
    private List<Step> chain(Cell x, Cell y, Cell one, Cell other) {
        return List.of(
                new Step(rounds, false, false, one, List.of(x)),
                new Step(rounds + 1, false, false, other, List.of(one, x)),
                new Step(rounds + 2, rounds % 4 == 0, true, other, List.of()),
                new Step(rounds + 3, false, true, y, List.of(other)));
    }

    private void round(Cell x, Cell y, Cell large) {
        rounds++;
        Cell one = temporary("one" + rounds, LENGTH);
        Cell other = temporary("other" + rounds, LENGTH / 2 + rounds % 16);
        chain(x, y, one, other).forEach(this::perform);
        session.graph().release(one.data);
        if (rounds % LARGE_EVERY == 0) {
            perform(new Step(rounds, false, true, large, List.of(y)));
            perform(new Step(rounds, true, true, large, List.of()));
        }
        if (rounds % 2 == 0) {
            session.graph().release(other.data);
        } else {
            session.graph().await();
            session.data().free(other.data);
        }
        if (rounds % LOOK_EVERY == 0) {
            session.data().fetch(y.data);
            try (UserView view = session.data().open(x.data, Mode.READ)) {
                require(view.memory().getLong(LENGTH - 1) == LENGTH - 1, "x, as a plain loop has it,");
            }
        }
    }

    /** Behind all tasks so far: as one of them, or when they are over. */
    private void run(CompiledGraph compiled) {
        if (rounds % (2 * COMPILED_EVERY) == 0) {
            compiled.submit(session.graph(), "chain");
        } else {
            session.graph().await();
            compiled.run();
        }
    }

    /** Runs until {@code most} tasks have run on the device in all, and frees all data. */
    private Footprint lap(long most) throws IOException {
        Cell dx = home("x", x, x.clone());
        Cell dy = home("y", y, expected);
        Cell large = temporary("large", LARGE);
        perform(new Step(0, true, false, large, List.of()));
        Cell one = temporary("one", LENGTH);
        Cell other = temporary("other", LENGTH);
        List<Step> steps = chain(dx, dy, one, other);
        CompiledGraph compiled = session.record("chain", graph -> {
            steps.forEach(step -> step.submit(graph, device));
            graph.release(one.data);
            graph.release(other.data);
        });
        while (tasks < most) {
            round(dx, dy, large);
            if (rounds % COMPILED_EVERY == 0) {
                run(compiled);
                steps.forEach(Step::model);
                tasks += steps.stream().filter(step -> !step.onHost).count();
            }
        }
        session.data().fetch(dy.data);
        require(Arrays.equals(expected, y), "y, as a plain loop has it,");
        session.graph().await();
        List.of(dx, dy, large, one, other).forEach(cell -> session.data().free(cell.data));
        Watchdog.until(
                () -> accounted() == 0,
                "all memory is given back: " + session.data().transfers().spaces());
        return Footprint.of(tasks, accounted());
    }

    private long accounted() {
        return session.data().transfers().spaces().stream()
                .mapToLong(Transfers.Used::bytes)
                .sum();
    }

    private static void require(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what + " is not what it should be");
        }
    }

    /**
     * Runs the loop on {@code --device NAME} (the emulated one when it is not given), {@code --tasks N} tasks; resident
     * memory may grow by {@code --tolerance BYTES}. Prints a line per lap, and what grew, in which case it ends with 1.
     */
    public static void main(String[] args) throws IOException {
        long tasks = 1_000_000;
        long tolerance = 8 << 20;
        DeviceOffer offer = EmulatedDevice.offer("emulated0");
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            switch (args[i]) {
                case "--tasks" -> tasks = Long.parseLong(value);
                case "--tolerance" -> tolerance = Long.parseLong(value);
                case "--device" -> offer = value.startsWith("emulated") ? EmulatedDevice.offer(value) : found(value);
                default ->
                    throw new IllegalArgumentException(
                            "unknown option " + args[i] + "; expected --tasks, --device or --tolerance");
            }
        }
        String grown = laps(offer, tasks, tolerance);
        if (!grown.isEmpty()) {
            System.out.print(grown);
            System.exit(1);
        }
    }

    private static DeviceOffer found(String name) {
        DeviceProvider.Discovery found = Devices.discover();
        return found.offers().stream()
                .filter(offer -> offer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no device \"" + name + "\"; there are "
                        + found.offers().stream().map(DeviceOffer::name).toList() + ", absent: " + found.absences()));
    }

    /** Every memory was used, and those that are too small were left. */
    private static void requireUse(List<Transfers.Used> spaces) {
        for (Transfers.Used space : spaces) {
            require(space.peak() > 0 && (space.evictions() > 0 || space.space().equals("disk")), "the use of " + space);
        }
    }

    /** What grew in the second half; empty when nothing did. */
    private static String laps(DeviceOffer offer, long tasks, long tolerance) throws IOException {
        Path folder = Files.createTempDirectory("jacquard-loop");
        List<Footprint> laps = new ArrayList<>();
        System.out.printf(
                "%10s %12s %12s %13s %6s  (%s)%n",
                "tasks", "accounted", "heap-KiB", "resident-KiB", "files", offer.name());
        try (Session session = Session.builder()
                .workers(2)
                .device(offer, DEVICE_BYTES)
                .hostMemory(HOST_BYTES)
                .disk(folder, 1 << 20, false)
                .open()) {
            DeviceLoop loop = new DeviceLoop(session, ExecutionTarget.named(offer.name()));
            for (int lap = 1; lap <= LAPS; lap++) {
                Footprint taken = loop.lap(tasks * lap / LAPS);
                laps.add(taken);
                System.out.printf(
                        "%10d %12d %12d %13d %6d%n",
                        taken.tasks(), taken.accounted(), taken.heap() >> 10, taken.resident() >> 10, taken.files());
            }
            requireUse(session.data().transfers().spaces());
        }
        Files.delete(folder);
        return laps.getLast()
                .growthSince(
                        laps.subList(0, WARM_LAPS).stream()
                                .reduce((before, after) -> after.most(before))
                                .orElseThrow(),
                        tolerance);
    }

    /**
     * Runs {@link #main} in a process of its own, with a heap of one size that is in memory from the beginning, so that
     * it does not seem to grow.
     *
     * @return what it printed
     * @throws AssertionError when it does not end well
     */
    public static String run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xms64m",
                "-Xmx64m",
                "-XX:+AlwaysPreTouch",
                "-XX:MarkSweepAlwaysCompactCount=1", // else collections leave what they would have to move others for
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DeviceLoop.class.getName()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " ended with " + process.exitValue() + ":\n" + output);
        }
        return output;
    }
}
