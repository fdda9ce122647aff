package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BenchCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(args, new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false));
    }

    @Test
    void jsonIsOneDocumentAndProgressGoesToStandardError() {
        assertEquals(0, run("bench", "dynamic.chain", "--quick", "--json", "--workers", "1"));
        String json = out.toString().replaceAll("\\s+", " ");
        String number = "[0-9.E+-]+";
        assertTrue(
                json.matches(
                        "\\{ \"host\" : \\{ .*\\}, \"jdk\" : \".+\", \"commit\" : null, \"date\" : \".+Z\","
                                + " \"quick\" : true, \"calibration\" : \\{ .*\\}, \"rows\" : \\[ \\{ .*\\} \\], \"missing\" : \\[.*\\] \\} "),
                json);
        assertTrue(
                json.contains("\"workload\" : \"dynamic.chain\", \"system\" : \"jacquard\", \"workers\" : 1,"), json);
        assertTrue(
                json.matches(".*\"unit\" : \"ns/task\", \"median\" : " + number + ", \"min\" : " + number
                        + ", \"max\" : " + number + " .*"),
                json);
        assertEquals("jacquard: calibrating\njacquard: 1 of 1: dynamic.chain\n", err.toString());
    }

    @Test
    void aTableShowsTheRatioToJacquard() {
        assertEquals(0, run("bench", "flow", "--quick", "--workers", "1"));
        assertTrue(out.toString().contains("to Jacquard's"), out.toString());
        assertTrue(
                out.toString().lines().anyMatch(line -> line.matches("flow.pipeline3 +disruptor +4 .*x .*to.*")),
                out.toString());
    }

    @Test
    void badUsageIsExplained() {
        assertEquals(2, run("bench", "flw.pipeline3"));
        assertTrue(
                err.toString().contains("did you mean 'flow.pipeline3'?; known are engine, devices, compiled, "),
                err.toString());
        assertEquals(2, run("bench", "--workers", "0"));
        assertTrue(err.toString().contains("--workers 0: expected 1 to 4096"), err.toString());
        assertEquals("", out.toString());
    }
}
