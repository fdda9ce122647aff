package dev.jacquard.core.testing.data;

import dev.jacquard.core.device.DeviceOffer;
import dev.jacquard.core.device.DeviceProvider;
import dev.jacquard.core.device.Devices;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.testing.random.LentOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many random programs on data, over all policies and mixtures of devices: none, one to three emulated ones, and, besides them, those of this
 * machine. {@code scripts/campaign --data} runs {@link #main}. 100 programs and more per second.
 */
public final class DataCampaign {
    private static final int PROGRAMS_PER_SESSION = 40;
    private static final int LIMIT_SECONDS = Integer.getInteger("jacquard.campaign.limit", 60);
    private static final int MOST_EMULATED = 3;
    private static final int MOST_HANGS = 3;
    private static final int MOST_FAILURES = 20;
    private static final int SHRINKING_RUNS = 20;
    private static final long TELL_NANOS = 10_000_000_000L;

    private final List<Policy> policies;
    private final List<DeviceOffer> others;
    private final Path folder;
    private final int tries;
    private int failures;
    private int hangs;

    private DataCampaign(List<Policy> policies, List<DeviceOffer> others, Path folder, int tries) {
        this.policies = policies;
        this.others = others;
        this.folder = folder;
        this.tries = tries;
    }

    /**
     * The kind of session in which a campaign runs {@code seed}: one for each block of seeds; policies change fastest, then the emulated devices,
     * then the others.
     *
     * @param folder for files
     */
    public static DataMixture mixture(
            long seed, List<Policy> policies, List<? extends DeviceOffer> others, Path folder) {
        long block = seed / PROGRAMS_PER_SESSION;
        Policy policy = policies.get((int) (block % policies.size()));
        long kind = block / policies.size();
        int emulated = (int) (kind % (MOST_EMULATED + 1));
        int more = (int) (kind / (MOST_EMULATED + 1) % (others.size() + 1));
        return DataMixture.draw(block, policy, emulated, others.subList(0, more), folder);
    }

    private DataMixture mixture(long seed) {
        return mixture(seed, policies, others, folder);
    }

    /** Runs the seeds of one block; goes on behind one that fails. */
    private void run(long from, int count, int times) {
        AtomicLong seed = new AtomicLong(from);
        for (long first = from; first < from + count && failures < MOST_FAILURES; first = seed.get() + 1) {
            long its = first;
            seed.set(first);
            FutureTask<@Nullable Void> all = new FutureTask<>(
                    () -> {
                        for (int i = 0; i < times; i++) {
                            mixture(from).run(its, (int) (from + count - its), seed::set);
                        }
                    },
                    null);
            Thread opener = new Thread(all, "opener");
            opener.setDaemon(true);
            opener.start();
            try {
                all.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                hangs++;
                failed(seed.get(), "hangs with " + mixture(from));
                if (hangs == MOST_HANGS) {
                    return;
                }
            } catch (ExecutionException e) {
                failed(seed.get(), String.valueOf(e.getCause()));
                if (tries > 0) {
                    shrink(seed.get(), tries);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted at seed " + seed, e);
            }
        }
    }

    /** The smallest program that fails like that of {@code seed} in one of some runs. */
    private void shrink(long seed, int tries) {
        DataMixture mixture = mixture(seed);
        DataProgram smallest = DataProgram.smallest(
                DataPrograms.draw(seed), tries, candidate -> mixture.fails(candidate, SHRINKING_RUNS));
        System.out.println("smaller, with " + mixture + ":\n" + smallest);
    }

    private void failed(long seed, String what) {
        failures++;
        System.out.println("FAILED seed " + seed + " (scripts/campaign --data" + (others.isEmpty() ? "" : " --devices")
                + " --from " + seed + " --seeds 1 --times 100): " + what);
    }

    private int run(long from, long seeds, int times) {
        long start = System.nanoTime();
        long told = start;
        for (long seed = from; seed < from + seeds && hangs < MOST_HANGS && failures < MOST_FAILURES; ) {
            long end = Math.min(from + seeds, (seed / PROGRAMS_PER_SESSION + 1) * PROGRAMS_PER_SESSION);
            run(seed, (int) (end - seed), times);
            seed = end;
            long now = System.nanoTime();
            if (now - told > TELL_NANOS || seed == from + seeds) {
                told = now;
                System.out.printf(
                        "%d of %d seeds, %d failed, %d s%n",
                        seed - from, seeds, failures, (now - start) / 1_000_000_000L);
            }
        }
        return failures == 0 ? 0 : 1;
    }

    /**
     * Runs a campaign: {@code [--seeds N] [--from N] [--times N] [--shrink TRIES] [--policy NAME] [--devices]}. With devices every second kind of session, or
     * more where there are several, uses those of this machine too. Which kind of session a seed runs in depends on the options but for the
     * numbers. Ends with 1 when a seed failed.
     */
    public static void main(String[] args) throws IOException {
        long seeds = 4_000;
        long from = 0;
        int times = 1;
        int tries = 0;
        List<Policy> policies = Policies.all();
        List<DeviceOffer> others = List.of();
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            if (option.equals("--devices")) {
                others = found();
                continue;
            }
            String value = ++i < args.length ? args[i] : "";
            switch (option) {
                case "--seeds" -> seeds = Long.parseLong(value);
                case "--from" -> from = Long.parseLong(value);
                case "--times" -> times = Integer.parseInt(value);
                case "--shrink" -> tries = Integer.parseInt(value);
                case "--policy" -> policies = List.of(Policies.named(value));
                default ->
                    throw new IllegalArgumentException("unknown option " + option
                            + "; expected --seeds, --from, --times, --shrink, --policy or --devices");
            }
        }
        Path folder = Files.createTempDirectory("jacquard-campaign");
        int status = new DataCampaign(policies, others, folder, tries).run(from, seeds, times);
        Files.deleteIfExists(folder);
        System.exit(status);
    }

    private static List<DeviceOffer> found() {
        DeviceProvider.Discovery found = Devices.discover();
        System.out.println("devices: "
                + found.offers().stream().map(DeviceOffer::name).toList() + ", absent: " + found.absences());
        return found.offers().stream().<DeviceOffer>map(LentOffer::new).toList();
    }
}
