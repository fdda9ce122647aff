package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeGraph() throws IOException {
        Files.writeString(folder.resolve("a.stg"), "3\n0 0 0\n1 2 1 0\n2 3 1 0\n3 4 1 0\n4 0 3 1 2 3\n");
        Files.writeString(folder.resolve("g_task_connectivity.csv"), "T,A,B\nA,0,6\nB,0,0\n");
        Files.writeString(folder.resolve("g_task_exe_time.csv"), "T,P,Q\nA,3,4\nB,5,6\n");
        Files.writeString(folder.resolve("g_resource_BW.csv"), "P,P,Q\nP,0,2\nQ,3,0\n");
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] full = new String[args.length + 1];
        full[0] = "simulate";
        for (int i = 0; i < args.length; i++) {
            full[i + 1] = args[i].replace("FOLDER", folder.toString());
        }
        return Main.run(full, new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false));
    }

    @Test
    void oneGraphUnderOnePolicy() {
        assertEquals(0, run("--graph", "FOLDER/a.stg", "--machine", "2", "--policy", "fifo"), err::toString);
        assertEquals(
                "a.stg under fifo: 5 tasks on 2 workers, makespan 5 (bound 4.5), speedup 1.80, critical path 4\n",
                out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void jsonIsInTheUnitOfTheFile() {
        assertEquals(0, run("--graph", "FOLDER/a.stg", "--machine", "2", "--policy", "fifo", "--json"));
        String json = out.toString().replaceAll("\\s+", "");
        assertTrue(
                json.contains("\"makespan\":5,\"bound\":4.5,\"proved\":false,\"speedup\":1.8,\"criticalPath\":4"),
                json);
        assertTrue(json.contains("{\"task\":\"3\",\"target\":\"w0\",\"start\":0,\"end\":4}"), json);
        String first = out.toString();
        run("--graph", "FOLDER/a.stg", "--machine", "2", "--policy", "fifo", "--json");
        assertEquals(first, out.toString());
    }

    @Test
    void foldersAndPoliciesHaveRows() {
        assertEquals(0, run("--graph", "FOLDER", "--policy", "fifo,sequential", "--machine", "2", "--json"));
        assertEquals(4, out.toString().split("\"makespan\"", -1).length - 1);
        assertTrue(out.toString().startsWith("{\n  \"rows\""), out.toString());
        assertEquals(0, run("--graph", "FOLDER/a.stg", "--policy", "fifo,sequential", "--machine", "1"));
        assertEquals(2, out.toString().lines().count());
    }

    @Test
    void graphsWithProcessorsRunOnThem() {
        assertEquals(0, run("--graph", "FOLDER/g_task_connectivity.csv", "--policy", "sequential", "--why", "B"));
        assertTrue(out.toString().contains("2 tasks on 2 workers, makespan 8 (optimal)"), out.toString());
        assertTrue(out.toString().contains("task \"B\" runs on P from 3 to 8"), out.toString());
        assertTrue(out.toString().contains("Q: free at 0, data there at 6, runs 6, over at 12"), out.toString());
        assertEquals(0, run("--graph", "FOLDER/g_task_connectivity.csv", "--machine", "1"));
    }

    @Test
    void schedulesAreDrawn() throws IOException {
        Path svg = folder.resolve("schedule.svg");
        assertEquals(0, run("--graph", "FOLDER/a.stg", "--machine", "2", "--policy", "fifo", "--svg", svg.toString()));
        assertTrue(Files.readString(svg).contains("a.stg under fifo: 5 tasks on 2 workers, makespan 5 (bound 4.5)"));
    }

    @Test
    void timesAreDrawnFromTheSeed() {
        run("--graph", "FOLDER/a.stg", "--machine", "2", "--noise", "0.5", "--seed", "3", "--learned");
        String first = out.toString();
        run("--graph", "FOLDER/a.stg", "--machine", "2", "--noise", "0.5", "--seed", "3", "--learned");
        assertEquals(first, out.toString());
        run("--graph", "FOLDER/a.stg", "--machine", "2", "--noise", "0.5", "--seed", "4", "--learned");
        assertTrue(!first.equals(out.toString()), first);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--graph no.stg | no.stg: there is no such file",
                "--graph FOLDER/a.stg --policy fofi | --policy fofi: there is no policy \"fofi\"; did you mean \"fifo\"?",
                "--graph FOLDER/a.stg --machine 0 | --machine 0: expected 1 to 4096 workers",
                "--graph FOLDER/a.stg --machine mine | --machine mine: there is no such file; expected a number of workers",
                "--graph FOLDER/g_task_connectivity.csv --machine 3 | --machine 3: the graph has times for its own 2",
                "--graph FOLDER/a.stg --why x | --why x: the graph has no task of this name; expected one such as \"0\"",
                "--graph FOLDER/a.stg --noise -1 | --noise -1.0: expected a number from 0 to 10",
                "--graph FOLDER/a.stg --budget -1 | --budget -1: expected a number of tasks from 0 on",
                "--graph FOLDER --svg FOLDER/x.svg | a drawing has one schedule; expected one graph and one policy",
                "--graph FOLDER/a.stg --svg FOLDER/a.stg | that is the graph; expected another file",
                "--policy fifo | Missing required option: '--graph=FILE|FOLDER'",
            })
    void badUsageIsExplained(String line, String part) {
        assertEquals(2, run(line.split(" ", -1)), out::toString);
        assertTrue(err.toString().contains(part), err.toString());
        assertEquals("", out.toString());
    }
}
