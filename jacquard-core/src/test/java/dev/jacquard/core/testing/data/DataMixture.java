package dev.jacquard.core.testing.data;

import dev.jacquard.core.coherence.Transfers;
import dev.jacquard.core.device.DeviceOffer;
import dev.jacquard.core.device.emulated.EmulatedDevice;
import dev.jacquard.core.device.emulated.EmulatedOffer;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A kind of session.
 *
 * @param workers how many
 * @param policy what they go by
 * @param devices what else tasks run on
 * @param deviceLimit how many bytes of each device data may take
 * @param hostLimit likewise of host memory
 * @param folder of the file for what does not fit there; null for none
 * @param direct whether that bypasses the page cache
 * @param checking whether the session watches for undeclared work
 */
public record DataMixture(
        int workers,
        Policy policy,
        List<DeviceOffer> devices,
        long deviceLimit,
        long hostLimit,
        @Nullable Path folder,
        boolean direct,
        boolean checking) {
    private static final int MOST_WORKERS = 4;
    private static final long DISK_BYTES = 4L << 20;
    /** In which any task finds room, and no program. */
    private static final long TIGHT = DataPrograms.MOST_FIELDS_OF_A_TASK * DataPrograms.FIELD_BYTES;

    public DataMixture {
        devices = List.copyOf(devices);
    }

    /**
     * Draws limits and workers.
     *
     * @param emulated how many emulated devices there are
     * @param others devices besides these
     * @param in a folder for files
     */
    public static DataMixture draw(
            long seed, Policy policy, int emulated, List<? extends DeviceOffer> others, Path in) {
        SplittableRandom random = new SplittableRandom(seed);
        List<DeviceOffer> devices = new ArrayList<>();
        for (int i = 0; i < emulated; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i).memory(1 << 20);
            devices.add(random.nextBoolean() ? offer : offer.withoutPeers());
        }
        devices.addAll(others);
        boolean disk = random.nextBoolean();
        return new DataMixture(
                1 + random.nextInt(MOST_WORKERS),
                policy,
                devices,
                random.nextInt(3) > 0 ? TIGHT : 1 << 19,
                disk ? TIGHT : Long.MAX_VALUE,
                disk ? in : null,
                random.nextBoolean(),
                random.nextInt(3) == 0);
    }

    /** Opens one; the caller is its first worker. */
    public Session open() {
        SessionBuilder builder =
                Session.builder().workers(workers).policy(policy).hostMemory(hostLimit);
        devices.forEach(device -> builder.device(device, deviceLimit));
        if (folder != null) {
            builder.disk(folder, DISK_BYTES, direct);
        }
        return (checking ? builder.checking() : builder).open();
    }

    /** The devices as targets. */
    public List<Target> targets() {
        return devices.stream().map(device -> Target.named(device.name())).toList();
    }

    /**
     * Runs the programs of {@code count} seeds in one session.
     *
     * @param next told before each
     * @return what was moved
     * @throws AssertionError at the first that fails, with its seed
     */
    public Transfers run(long from, int count, LongConsumer next) {
        try (Session session = open()) {
            for (long seed = from; seed < from + count; seed++) {
                next.accept(seed);
                try {
                    new DataTrial(DataPrograms.draw(seed), session, targets()).run();
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + " with " + this + ": " + e.getMessage(), e);
                }
            }
            Transfers moved = session.data().transfers();
            moved.spaces().forEach(space -> {
                if (space.peak() > space.limit() || space.bytes() != 0) {
                    throw new AssertionError("seeds from " + from + " with " + this + " leave or exceed: " + space);
                }
            });
            return moved;
        }
    }

    /** Whether {@code program} fails in one of so many runs. */
    boolean fails(DataProgram program, int runs) {
        try (Session session = open()) {
            for (int i = 0; i < runs; i++) {
                new DataTrial(program, session, targets()).run();
            }
            return false;
        } catch (AssertionError | RuntimeException e) {
            return true;
        }
    }

    @Override
    public String toString() {
        return workers + " workers, " + policy.name() + ", "
                + devices.stream().map(DeviceOffer::name).toList()
                + (deviceLimit == TIGHT ? " with little memory" : "")
                + (folder == null ? "" : direct ? ", disk without page cache" : ", disk");
    }
}
