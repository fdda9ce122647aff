package dev.jacquard.apps.pde;

import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs programs of equations in a folder, as the command line does. */
record PdeRuns(Path folder) {
    /** Runs a file, with the results in a folder of that name. */
    Report run(Path file, String out, String... settings) throws Exception {
        return run(file, out, false, Progress.NONE, new Cancellation(), settings);
    }

    Report run(Path file, String out, boolean resumes, Progress progress, Cancellation cancellation, String... settings)
            throws Exception {
        SingleProgram program = SingleProgram.load(file, List.of(settings), null);
        try (OutputFolder output = OutputFolder.open(folder.resolve(out))) {
            Report report =
                    program.application().run(new Job(program.settings(), output, progress, cancellation, resumes));
            output.commit();
            return report;
        }
    }

    /** Writes a program, and returns its file. */
    Path file(String yaml) throws Exception {
        return Files.writeString(folder.resolve("program.yaml"), yaml);
    }

    byte[] bytes(String out, String name) throws Exception {
        return Files.readAllBytes(folder.resolve(out).resolve(name));
    }

    /** Returns the numbers of an array: x varies fastest. */
    double[] values(String out, String name) throws Exception {
        byte[] all = bytes(out, name + ".npy");
        ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        int begin = 10 + buffer.getShort(8);
        boolean isDouble = new String(all, 10, begin - 10, java.nio.charset.StandardCharsets.US_ASCII).contains("<f8");
        ByteBuffer rest = buffer.position(begin).slice().order(ByteOrder.LITTLE_ENDIAN);
        if (isDouble) {
            DoubleBuffer numbers = rest.asDoubleBuffer();
            double[] values = new double[numbers.remaining()];
            numbers.get(values);
            return values;
        }
        FloatBuffer numbers = rest.asFloatBuffer();
        double[] values = new double[numbers.remaining()];
        for (int i = 0; i < values.length; i++) {
            values[i] = numbers.get(i);
        }
        return values;
    }

    /** Returns a member of a report: {@code "unknowns", "c", "error", "l2"}. */
    static Object member(Report report, String... keys) {
        Object value = report.values();
        for (String key : keys) {
            value = Objects.requireNonNull(((Map<?, ?>) value).get(key), () -> key + " of " + report);
        }
        return value;
    }

    static double number(Report report, String... keys) {
        return ((Number) member(report, keys)).doubleValue();
    }
}
