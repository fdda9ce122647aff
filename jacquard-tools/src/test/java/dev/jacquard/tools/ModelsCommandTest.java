package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeFile;
import dev.jacquard.engine.model.TimeModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The learned times on the command line. */
class ModelsCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TimeFile file = new TimeFile(Path.of(""));

    @BeforeEach
    void learn() {
        file = new TimeFile(folder.resolve("times.tsv"));
        TimeModel model = new TimeModel();
        model.keepIn(file, Map.of(Place.HOST, "host"));
        for (int run = 0; run < 3; run++) {
            model.add("parse", Place.HOST, 0, 1_500_000);
            for (int bits = 10; bits < 15; bits++) {
                model.add("scale", Place.HOST, 1L << bits, 2.0 * (1 << bits));
            }
        }
        model.keep();
    }

    @Test
    void timesAreListedByNameTargetAndSize() {
        assertEquals(0, run(file));
        assertEquals("", err.toString());
        assertTrue(
                out.toString()
                        .startsWith("parse on host\n  any size         1.50 ms ± 0.00 ns, 2 runs\nscale on host: "),
                out.toString());
        assertTrue(out.toString().contains("· bytes^1.00 + "), out.toString());
        assertTrue(out.toString().contains("\n  below 2 KiB      2.05 µs ± 0.00 ns, 2 runs\n"), out.toString());
    }

    @Test
    void jsonHasTheFitAndTheSizes() {
        assertEquals(0, run(file, "--json"));
        String json = out.toString().replaceAll("\\s+", " ");
        assertTrue(json.startsWith("{ \"file\" : \""), json);
        assertTrue(
                json.contains("{ \"name\" : \"parse\", \"target\" : \"host\", \"sizes\" : [ { \"sizeClass\" : 0,"
                        + " \"bytes\" : 0.0, \"count\" : 2, \"meanNanos\" : 1500000.0, \"deviationNanos\" : 0.0 } ] }"),
                json);
        assertTrue(json.contains("\"name\" : \"scale\", \"target\" : \"host\", \"fit\" : { \"a\" : "), json);
    }

    @Test
    void namesAreForgotten() throws IOException {
        assertEquals(0, run(file, "--forget", "scale"));
        assertFalse(out.toString().contains("scale"), out.toString());
        assertTrue(out.toString().contains("parse"), out.toString());
        assertEquals(1, file.read().size());
        assertEquals(0, run(file, "--forget", "parse"));
        assertTrue(out.toString().contains("no times are kept in " + file.path()), out.toString());
    }

    @Test
    void anUnknownNameIsRefused() throws IOException {
        assertEquals(2, run(file, "--forget", "parse", "--forget", "scal"));
        assertEquals(
                "jacquard: --forget scal: no times of that name are kept in " + file.path()
                        + "; did you mean 'scale'?\n",
                err.toString());
        assertEquals(6, file.read().size(), "nothing was forgotten");
    }

    @Test
    void aDamagedFileIsRefusedByName() throws IOException {
        Files.writeString(file.path(), Files.readString(file.path()).replace("1500000.0", "NaN"));
        assertEquals(2, run(file));
        assertTrue(err.toString().startsWith("jacquard: " + file.path() + ", line 3: "), err.toString());
        assertEquals(1, err.toString().lines().count());
        assertEquals("", out.toString());
    }

    @Test
    void thereMayBeNoFile() {
        assertEquals(0, run(new TimeFile(folder.resolve("none.tsv")), "--json"));
        assertTrue(out.toString().contains("\"models\" : [ ]"), out.toString());
        assertEquals(2, run(null));
        assertTrue(err.toString().contains("no times are kept, since"), err.toString());
    }

    /** The build has switched the user's file off. */
    @Test
    void theCommandHasTheFileOfTheUser() {
        Environment environment =
                new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false);
        assertEquals(0, Main.run(new String[] {"models", "--help"}, environment));
        assertTrue(out.toString().contains("--forget=NAME"), out.toString());
    }

    private int run(@Nullable TimeFile times, String... args) {
        Environment environment =
                new Environment(new PrintWriter(out, true), new PrintWriter(err, true), false, null, folder, false);
        FailureHandler failures = new FailureHandler(environment, false);
        int code = new CommandLine(new ModelsCommand(environment, times))
                .setExecutionExceptionHandler(failures)
                .execute(args);
        environment.out().flush();
        environment.err().flush();
        return code;
    }
}
