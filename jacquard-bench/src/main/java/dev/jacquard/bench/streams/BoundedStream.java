package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ProcessMemory;
import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocks of 9 MB from a source through 56 transforms to a writer with 4 copies, bounded by a memory edge; oneTBB's flow
 * graph does the same without a bound. Each runs in a process alone, which reports by how much its resident memory was
 * larger, at most, than before its first round. Fails if that is more than a tenth above the bound of the proof.
 */
final class BoundedStream extends Workload {
    private static final String RESIDENT = ".resident";
    /** A page: the least growth of resident memory that is reported. */
    private static final long LEAST_BYTES = 4_096;

    private static final String BOUND = ".bound";
    private static final double MEBIBYTE = 1 << 20;
    /** 9 MiB of integers. */
    private static final int ELEMENTS = 9 << 18;

    private static final int ITEMS = 1000;
    private static final int WARM_UPS = 20;
    /** Small blocks, so that the code of the JVM would be more than a tenth of them. */
    private static final int QUICK_ELEMENTS = 1 << 12;

    private static final int QUICK_ITEMS = 20;

    BoundedStream() {
        super("flow.stream56", "ms/item", new Rounds(0, 1), new Rounds(0, 5));
    }

    @Override
    public String unit(String part) {
        return part.isEmpty() ? unit() : "MiB";
    }

    private static boolean isMeasurable() {
        return ProcessMemory.peakResidentBytes().isPresent();
    }

    @Override
    public List<Absence> absences(Plan plan) {
        List<Absence> absences = new ArrayList<>(plan.includes(OneTbb.SYSTEM) ? OneTbb.absences() : List.of());
        if (!isMeasurable()) {
            absences.add(new Absence("jacquard", "the system does not report resident memory", ""));
        }
        return absences;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        if (!isMeasurable()) {
            return List.of();
        }
        int workers = Collections.max(plan.workers());
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        int elements = plan.quick() ? QUICK_ELEMENTS : ELEMENTS;
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new Streaming("jacquard", workers, items, Alone.start(workers, items, elements), !plan.quick()));
        if (plan.includes(OneTbb.SYSTEM) && OneTbb.isPresent()) {
            contenders.add(new Streaming(
                    OneTbb.SYSTEM, workers, items, OneTbb.start("blocks", workers, items, elements), false));
        }
        return contenders;
    }

    /** A process that answers each line with the nanoseconds of all items, its growth, and its bound if it has one. */
    private static final class Streaming extends Contender {
        private final int items;
        private final Program process;
        private final boolean isBounded;

        Streaming(String system, int workers, int items, Program process, boolean isBounded) {
            super(system, workers);
            this.items = items;
            this.process = process;
            this.isBounded = isBounded;
        }

        @Override
        public Map<String, Double> round() throws IOException {
            String[] answer = process.ask("round", "[0-9]+( -?[0-9]+)+").split(" ", -1);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(MAIN, Long.parseLong(answer[0]) / 1e6 / items);
            // few small blocks may need less than what the process gave back
            double resident = Math.max(Long.parseLong(answer[1]), LEAST_BYTES);
            figures.put(RESIDENT, resident / MEBIBYTE);
            if (answer.length > 2) {
                double bound = Long.parseLong(answer[2]);
                figures.put(BOUND, bound / MEBIBYTE);
                verify(
                        !isBounded || resident <= 1.1 * bound,
                        "resident memory, " + resident + " bytes more than before with a bound of " + bound + ',');
            }
            return figures;
        }

        @Override
        public void close() throws IOException {
            process.close();
        }
    }

    /** The process with Jacquard: {@code WORKERS ITEMS ELEMENTS}. */
    static final class Alone {
        private Alone() {}

        /** Starts a process with a heap that has room for the blocks. */
        static Program start(int workers, int items, int elements) throws IOException {
            return Program.start(
                    "jacquard",
                    new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xms96m",
                            "-Xmx96m",
                            "-Xmn8m", // all in use before memory is measured
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Alone.class.getName(),
                            String.valueOf(workers),
                            String.valueOf(items),
                            String.valueOf(elements)));
        }

        public static void main(String[] args) throws IOException {
            int items = Integer.parseInt(args[1]);
            int elements = Integer.parseInt(args[2]);
            Clock clock = Clock.system();
            try (Session session =
                            Session.builder().workers(Integer.parseInt(args[0])).open();
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                    Writer answers = new FileWriter(FileDescriptor.out)) { // the pipe to the program that started this
                Blocks blocks = new Blocks(session, elements);
                Blocks small = new Blocks(session, QUICK_ELEMENTS);
                for (int i = 0; i < WARM_UPS; i++) { // the JVM compiles the code before memory is measured
                    long _ = small.run(items, clock);
                }
                long before = ProcessMemory.residentBytes().orElseThrow();
                answers.append("ready\n").flush();
                while (in.readLine() != null) {
                    long nanos = blocks.run(items, clock);
                    String answer = nanos + " "
                            + (ProcessMemory.peakResidentBytes().orElseThrow() - before) + " " + blocks.bound();
                    answers.append(blocks.isRight() ? answer : "wrong: the sum of a block")
                            .append('\n')
                            .flush();
                }
            }
        }
    }
}
