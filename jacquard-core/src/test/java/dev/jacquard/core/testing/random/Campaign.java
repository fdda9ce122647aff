package dev.jacquard.core.testing.random;

import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.testkit.Choices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Runs the programs of many seeds, in several threads; {@code scripts/campaign} calls {@link #main}. */
public final class Campaign {
    private static final long TELL_NANOS = 10_000_000_000L;

    private long from;
    private long seeds = 10_000;
    private int threads = 2;
    private int times = 1;
    private int shrink;
    private long limit = 20;
    private boolean quiet;
    private boolean print;
    private long most = Long.MAX_VALUE;
    private final Set<Feature> enabled = EnumSet.allOf(Feature.class);
    private final Set<Feature> always = EnumSet.noneOf(Feature.class);
    /** The options that make other programs of the seeds. */
    private final StringBuilder drawing = new StringBuilder();

    private final Set<Integer> dropped = new HashSet<>();
    private List<? extends DeviceOffer> offered = List.of();
    /** The schedule of programs that are played; null for those of the seeds. */
    private int @Nullable [] choices;

    private @Nullable Formulas formulas;
    private @Nullable Components components;
    private @Nullable Streams streams;

    private final AtomicLong next = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong hung = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    private Campaign() {}

    /** Ends with 1 when a seed failed. */
    public static void main(String[] args) throws Exception {
        Campaign campaign = new Campaign();
        campaign.read(args);
        System.exit(campaign.run() ? 0 : 1);
    }

    private void read(String[] args) {
        enabled.remove(Feature.REAL);
        enabled.remove(Feature.FORMULAS);
        enabled.remove(Feature.TREES);
        enabled.remove(Feature.COMPONENTS);
        enabled.remove(Feature.STREAMS);
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--from" -> from = Long.parseLong(args[++i]);
                case "--seeds" -> seeds = Long.parseLong(args[++i]);
                case "--threads" -> threads = Integer.parseInt(args[++i]);
                case "--times" -> times = Integer.parseInt(args[++i]);
                case "--shrink" -> shrink = Integer.parseInt(args[++i]);
                case "--limit" -> limit = Long.parseLong(args[++i]);
                case "--most" -> most = Long.parseLong(args[++i]);
                case "--features" -> features();
                case "--quiet" -> quiet = true;
                case "--print" -> print = true;
                case "--only" -> enabled.retainAll(features(args, ++i));
                case "--always" -> always.addAll(features(args, ++i));
                case "--without" -> enabled.removeAll(features(args, ++i));
                case "--drop" -> {
                    for (String id : args[++i].split(",", -1)) {
                        dropped.add(Integer.parseInt(id));
                    }
                }
                case "--choices" ->
                    choices = Arrays.stream(args[++i].split(",", -1))
                            .mapToInt(Integer::parseInt)
                            .toArray();
                case "--formulas" -> {
                    enabled.add(Feature.FORMULAS);
                    enabled.add(Feature.TREES);
                    drawing.append(" --formulas");
                    formulas = ServiceLoader.load(Formulas.class).findFirst().orElseThrow();
                }
                case "--components" -> {
                    enabled.add(Feature.COMPONENTS);
                    drawing.append(" --components");
                    components =
                            ServiceLoader.load(Components.class).findFirst().orElseThrow();
                }
                case "--streams" -> {
                    enabled.add(Feature.STREAMS);
                    drawing.append(" --streams");
                    streams = ServiceLoader.load(Streams.class).findFirst().orElseThrow();
                }
                case "--devices" -> {
                    enabled.add(Feature.REAL);
                    enabled.remove(Feature.PLAYED);
                    drawing.append(" --devices");
                    offered = Devices.discover().offers().stream()
                            .map(LentOffer::new)
                            .toList();
                }
                default -> throw new IllegalArgumentException("unknown option " + args[i] + "; see --help");
            }
        }
    }

    private Set<Feature> features(String[] args, int at) {
        drawing.append(' ').append(args[at - 1]).append(' ').append(args[at]);
        return Feature.list(args[at]);
    }

    private static void features() {
        for (Feature feature : Feature.values()) {
            System.out.println(feature);
        }
        System.exit(0);
    }

    private Program program(long seed) {
        return Program.draw(seed, enabled, always).without(dropped);
    }

    private boolean run() throws Exception {
        next.set(from);
        Path folder = Files.createTempDirectory("campaign");
        long start = System.nanoTime();
        List<Thread> slices = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, seeds); i++) {
            slices.add(Thread.ofPlatform().start(() -> slice(folder)));
        }
        long told = start;
        for (Thread slice : slices) {
            while (!slice.join(Duration.ofSeconds(1))) {
                if (System.nanoTime() - told > TELL_NANOS) {
                    told = System.nanoTime();
                    System.out.println(count(start));
                }
            }
        }
        System.out.println(count(start) + ", " + Kernels.told());
        return wrong.get() + hung.get() == 0;
    }

    private String count(long start) {
        double seconds = (System.nanoTime() - start) * 1e-9;
        return String.format(
                Locale.ROOT,
                "%d of %d seeds from %d: %d wrong, %d hung, %.0f s, %.0f a second",
                done.get(),
                seeds,
                from,
                wrong.get(),
                hung.get(),
                seconds,
                done.get() / seconds);
    }

    private void slice(Path folder) {
        try (Runner runner = new Runner(offered, folder, limit, new Fronts(formulas, components, streams))) {
            for (long seed = next.getAndIncrement();
                    seed < from + seeds && wrong.get() + hung.get() < most;
                    seed = next.getAndIncrement()) {
                one(runner, seed);
                done.incrementAndGet();
            }
        }
    }

    private void one(Runner runner, long seed) {
        Program program = program(seed);
        if (print) {
            System.out.println(program.text());
        }
        for (int i = 0; i < times; i++) {
            List<Violation> violations =
                    runner.run(program, choices == null ? program.schedule(i) : Choices.of(choices));
            if (!violations.isEmpty()) {
                fails(runner, program, violations);
                return;
            }
        }
    }

    private void fails(Runner runner, Program program, List<Violation> violations) {
        boolean hangs = violations.stream().anyMatch(each -> each.kind() == Violation.Kind.HANG);
        (hangs ? hung : wrong).incrementAndGet();
        String first = violations.getFirst().toString();
        StringBuilder text = new StringBuilder("FAILED seed " + program.seed() + ": "
                + (quiet ? first.lines().findFirst().orElse("") : first));
        if (!quiet) {
            violations.stream().skip(1).forEach(each -> text.append("\n  and ").append(each));
            Failure failure = Failure.of(program, runner, shrink);
            text.append('\n').append(failure.small().text()).append(failure.again(drawing, dropped));
        }
        synchronized (this) {
            System.out.println(text);
        }
    }
}
