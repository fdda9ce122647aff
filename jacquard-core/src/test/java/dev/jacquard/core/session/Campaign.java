package dev.jacquard.core.session;

import dev.jacquard.core.engine.SeededPlay;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.testing.Program;
import dev.jacquard.core.testing.Programs;
import dev.jacquard.core.testing.Trial;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Many random programs: every second one by several threads; on real threads, and under a seeded schedule with one.
 * {@code scripts/campaign --schedules} runs {@link #main}.
 *
 * @param configuration how sessions are opened
 * @param workers how many
 */
public record Campaign(Configuration configuration, int workers) {
    private static final int PROGRAMS_PER_SESSION = 25;
    private static final int LIMIT_SECONDS = Integer.getInteger("jacquard.campaign.limit", 60);
    private static final int MOST_WORKERS = 8;
    /** From this seed on, most tasks are demoted while they are pending. */
    private static final long FIRST_CHANGING = 1_000_000_000;

    private static final int MOST_LIVE = 50;
    private static final long TELL_NANOS = 10_000_000_000L;

    /**
     * A kind of session.
     *
     * @param policy what workers go by
     * @param open opens one with so many workers
     */
    public record Configuration(Policy policy, IntFunction<Session> open) {}

    /** The kinds of session that campaigns run with: one for each policy. */
    static final List<Configuration> CONFIGURATIONS = Policies.all().stream()
            .map(policy -> new Configuration(
                    policy,
                    workers -> Session.builder().workers(workers).policy(policy).open()))
            .toList();

    private static Program draw(long seed) {
        if (seed >= FIRST_CHANGING) {
            return Programs.changing(seed % 2 == 0 ? 1 : 4).draw(seed);
        }
        return (seed % 2 == 0 ? Programs.dense() : Programs.crowded()).draw(seed);
    }

    /**
     * Runs the programs of {@code count} seeds on real threads.
     *
     * @throws AssertionError at the first that fails, with its seed and how to run it again
     */
    public void run(long from, int count) {
        for (long first = from; first < from + count; first += PROGRAMS_PER_SESSION) {
            runInOneSession(first, (int) Math.min(PROGRAMS_PER_SESSION, from + count - first));
        }
    }

    private void runInOneSession(long first, int count) {
        long[] seed = {first};
        try (ExecutorService opener = Executors.newSingleThreadExecutor(body -> {
            Thread thread = new Thread(body, "opener");
            thread.setDaemon(true);
            return thread;
        })) {
            CompletableFuture<Void> all = CompletableFuture.runAsync(
                    () -> {
                        Session session = configuration.open.apply(workers);
                        for (; seed[0] < first + count; seed[0]++) {
                            runOne(session, seed[0]);
                        }
                        session.close();
                    },
                    opener);
            all.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(again(seed[0]) + "hangs\n" + draw(seed[0]), e);
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(again(seed[0]) + e.getCause(), e);
        }
    }

    private void runOne(Session session, long seed) {
        Program program = draw(seed);
        TaskGraph graph = session.graph("g", FailurePolicy.CONTINUE);
        if (seed / 2 % 2 == 0 && mayHaveWindow(program)) {
            graph.window(1 + (int) (seed / 4 % MOST_LIVE));
        }
        new Trial(program, graph, session).run();
    }

    /**
     * Within a window many tasks run as they are submitted. Of several submitters the opener waits for the others without running tasks,
     * and they for a window that is not full: then somebody else must run them, whatever the policy.
     */
    private boolean mayHaveWindow(Program program) {
        return program.submitters().size() == 1
                || (workers > 1
                        && configuration.policy instanceof Stealing
                        && program.lines().noneMatch(line -> line.order().main()));
    }

    private String again(long seed) {
        return "seed " + seed + " with " + workers + " workers, " + configuration.policy.name()
                + " (scripts/campaign --schedules --from " + seed + " --seeds 1 --workers " + workers + "): ";
    }

    /** Plays the programs of {@code count} seeds under seeded schedules; throws like {@link #run}. */
    void play(long from, int count) {
        for (long seed = from; seed < from + count; seed++) {
            String failure = new SeededPlay(draw(seed), workers, configuration.policy).failure(seed);
            if (failure != null) {
                throw new AssertionError(again(seed) + failure);
            }
        }
    }

    /**
     * Runs a campaign: {@code [--seeds N] [--from N] [--workers N] [--policy NAME]}. Half of the seeds run on real threads, half under
     * seeded schedules. Workers and policies change every {@value #PROGRAMS_PER_SESSION} seeds; seeds from {@value #FIRST_CHANGING} on
     * give programs in which most tasks are demoted while they are pending. Ends with 1 when a seed failed.
     */
    public static void main(String[] args) {
        long seeds = 10_000;
        long from = 0;
        int workers = 0;
        List<Configuration> configurations = CONFIGURATIONS;
        for (int i = 0; i + 1 < args.length; i += 2) {
            String value = args[i + 1];
            switch (args[i]) {
                case "--seeds" -> seeds = Long.parseLong(value);
                case "--from" -> from = Long.parseLong(value);
                case "--workers" -> workers = Integer.parseInt(value);
                case "--policy" -> configurations = named(value);
                default ->
                    throw new IllegalArgumentException(
                            "unknown option " + args[i] + "; expected --seeds, --from, --workers or --policy");
            }
        }
        System.exit(campaign(from, seeds, workers, configurations));
    }

    private static List<Configuration> named(String policy) {
        List<Configuration> found = CONFIGURATIONS.stream()
                .filter(known -> known.policy.name().equals(policy))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no policy '" + policy + "'; expected one of "
                    + CONFIGURATIONS.stream().map(known -> known.policy.name()).toList());
        }
        return found;
    }

    private static int campaign(long from, long seeds, int fixed, List<Configuration> configurations) {
        long start = System.nanoTime();
        long told = start;
        int failures = 0;
        for (long seed = from; seed < from + seeds; seed += PROGRAMS_PER_SESSION) {
            int count = (int) Math.min(PROGRAMS_PER_SESSION, from + seeds - seed);
            long block = seed / PROGRAMS_PER_SESSION;
            int workers = fixed > 0 ? fixed : 1 + (int) (block / configurations.size() % MOST_WORKERS);
            Campaign campaign = new Campaign(configurations.get((int) (block % configurations.size())), workers);
            try {
                if (count == 1 || block % 2 == 0) {
                    campaign.run(seed, count);
                }
                if (count == 1 || block % 2 == 1) {
                    campaign.play(seed, count);
                }
            } catch (AssertionError e) {
                failures++;
                System.out.println("FAILED " + e.getMessage());
            }
            long now = System.nanoTime();
            if (now - told > TELL_NANOS || seed + count == from + seeds) {
                told = now;
                System.out.printf(
                        "%d of %d seeds, %d failed, %d s%n",
                        seed + count - from, seeds, failures, (now - start) / 1_000_000_000L);
            }
        }
        return failures == 0 ? 0 : 1;
    }
}
