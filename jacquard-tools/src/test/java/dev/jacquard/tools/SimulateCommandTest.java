package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateCommandTest {
    /** One processor of 1 GHz, two of 2 GHz, and a device that two drivers offer. */
    private static final String NODE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <topology version="2.0">
              <object type="Machine" os_index="0" cpuset="0x00000007" nodeset="0x00000001" gp_index="1">
                <object type="NUMANode" os_index="0" cpuset="0x00000007" nodeset="0x00000001" gp_index="2"/>
                <object type="PU" os_index="0" cpuset="0x00000001" nodeset="0x00000001" gp_index="3"/>
                <object type="PU" os_index="1" cpuset="0x00000002" nodeset="0x00000001" gp_index="4"/>
                <object type="PU" os_index="2" cpuset="0x00000004" nodeset="0x00000001" gp_index="5"/>
                <object type="PCIDev" gp_index="6" pci_busid="0000:01:00.0" pci_type="0302 [10de:15f9] [10de:116b] a1 00" pci_link_speed="2.0">
                  <object type="OSDev" gp_index="7" name="card0" osdev_type="1"/>
                  <object type="OSDev" gp_index="8" name="cuda0" osdev_type="5"/>
                  <object type="OSDev" gp_index="9" name="opencl0d0" osdev_type="5"/>
                </object>
              </object>
              <cpukind cpuset="0x00000001" forced_efficiency="0">
                <info name="FrequencyMaxMHz" value="1000"/>
              </cpukind>
              <cpukind cpuset="0x00000006" forced_efficiency="9">
                <info name="FrequencyMaxMHz" value="2000"/>
              </cpukind>
            </topology>
            """;

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
        Files.writeString(folder.resolve("node.xml"), NODE);
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
                "a.stg under fifo: 5 tasks on 2 workers, makespan 5 (optimal), speedup 1.80, critical path 4\n",
                out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void jsonIsInTheUnitOfTheFile() {
        assertEquals(0, run("--graph", "FOLDER/a.stg", "--machine", "2", "--policy", "fifo", "--json"));
        String json = out.toString().replaceAll("\\s+", "");
        assertTrue(
                json.contains("\"makespan\":5,\"bound\":5,\"proved\":true,\"speedup\":1.8,\"criticalPath\":4"), json);
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
        assertTrue(Files.readString(svg).contains("a.stg under fifo: 5 tasks on 2 workers, makespan 5 (optimal)"));
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

    private String compactJson(String... args) {
        assertEquals(0, run(args), err::toString);
        return out.toString().replaceAll("\\s+", "");
    }

    private static double number(String json, String member) {
        Matcher found = Pattern.compile('"' + member + "\":([\\d.E+-]+)").matcher(json);
        assertTrue(found.find(), json);
        return Double.parseDouble(found.group(1));
    }

    @Test
    void processorsOfAFileHaveTheSpeedsOfTheirKinds() {
        assertEquals(
                0, run("--graph", "FOLDER/a.stg", "--machine", "FOLDER/node.xml", "--policy", "fifo", "--why", "3"));
        assertTrue(out.toString().contains("5 tasks on 3 workers, "), out.toString());
        assertTrue(out.toString().contains("w0: free at 0, data there at 0, runs 4, over at 4"), out.toString());
        assertTrue(out.toString().contains("w1: free at 3, data there at 0, runs 4, over at 7"), out.toString());
        assertTrue(out.toString().contains("w2: free at 4, data there at 0, runs 8, over at 12"), out.toString());
    }

    @Test
    void coprocessorsOfAFileAreDevicesWhereTheyHaveASpeed() {
        String json = compactJson(
                "--graph",
                "FOLDER/a.stg",
                "--machine",
                "FOLDER/node.xml",
                "--device",
                "4",
                "--policy",
                "fifo",
                "--json");
        assertTrue(json.contains("\"workers\":3,\"devices\":1"), json);
        assertTrue(json.contains("{\"task\":\"3\",\"target\":\"cuda0\",\"start\":0,\"end\":1}"), json);
    }

    @Test
    void devicesAreReachedOverLinks() throws IOException {
        Files.writeString(folder.resolve("w.json"), """
                {"schemaVersion": "1.5", "workflow": {"specification": {"tasks": [
                   {"id": "make", "parents": [], "children": ["use"], "outputFiles": ["f"]},
                   {"id": "use", "parents": ["make"], "children": [], "inputFiles": ["f"]}],
                  "files": [{"id": "f", "sizeInBytes": 3000}]},
                 "execution": {"tasks": [{"id": "make", "runtimeInSeconds": 8}, {"id": "use", "runtimeInSeconds": 8}]}}}
                """);
        assertEquals(
                0,
                run(
                        "--graph",
                        "FOLDER/w.json",
                        "--machine",
                        "1",
                        "--device",
                        "4,2",
                        "--link",
                        "1000,0.5",
                        "--policy",
                        "heft",
                        "--why",
                        "use"));
        assertTrue(
                out.toString().startsWith("w.json under heft: 2 tasks on 1 worker and 2 devices, makespan 4 (optimal)"),
                out.toString());
        assertTrue(out.toString().contains("w0: free at 0, data there at 5.5, runs 8, over at 13.5"), out.toString());
        assertTrue(out.toString().contains("d1: free at 0, data there at 9, runs 4, over at 13"), out.toString());
        assertEquals(
                0,
                run(
                        "--graph",
                        "FOLDER/w.json",
                        "--machine",
                        "FOLDER/node.xml",
                        "--device",
                        "4",
                        "--policy",
                        "heft",
                        "--why",
                        "use"));
        assertTrue(out.toString().contains("w0: free at 0, data there at 2.0000015, runs 8"), "the speed of the bus");
    }

    @Test
    void onlinePoliciesAndPlansHaveOneBound() {
        String json = compactJson("--graph", "FOLDER/a.stg", "--policy", "all", "--machine", "2", "--json");
        assertEquals(
                List.of("5"),
                Pattern.compile("\"bound\":([\\d.]+)")
                        .matcher(json)
                        .results()
                        .map(found -> found.group(1))
                        .distinct()
                        .toList());
    }

    @Test
    void tablesHaveAllPoliciesAsColumns() {
        assertEquals(0, run("--graph", "FOLDER", "--policy", "all", "--machine", "4", "--table"), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals(5, lines.size(), out::toString);
        assertTrue(
                lines.getFirst().startsWith("| graph | tasks | places | bound | stealing | sequential |"),
                lines::toString);
        assertTrue(lines.get(2).startsWith("| a | 5 | 4 | 4 | "), lines::toString);
        assertTrue(lines.get(3).startsWith("| g | 2 | 2 | 8 | "), "a graph with fewer processors runs on all of them");
        assertTrue(lines.getLast().startsWith("| geometric mean |"), lines::toString);
        String json = compactJson(
                "--graph", "FOLDER/a.stg", "--policy", "sequential,search", "--machine", "4", "--table", "--json");
        assertTrue(
                json.contains("\"bound\":4,\"policies\":{\"sequential\":{\"makespan\":9,\"ratio\":2.25},"
                        + "\"search\":{\"makespan\":4,\"ratio\":1}}"),
                json);
    }

    @Test
    void theWorkflowOfTheExamplesRunsUnderAllPolicies() {
        String json = compactJson(
                "--graph",
                "../examples/workflow-survey.json",
                "--policy",
                "all",
                "--machine",
                "4",
                "--table",
                "--json");
        assertTrue(json.contains("\"tasks\":37,\"workers\":4,\"devices\":0,\"unit\":\"seconds\""), json);
        for (Policy policy : Policies.all()) {
            assertTrue(json.contains('"' + policy.name() + "\":{\"makespan\""), policy::name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heft", "cpop", "peft", "hybrid", "fifo", "priority", "earliest-finish", "stealing"})
    void anAdversaryWritesAGraphThatIsAsBadWhenItIsRead(String policy) {
        String[] search = {
            "--adversary", policy, "--seed", "3", "--budget", "20000", "--out", "FOLDER/worst/deep", "--json"
        };
        String found = compactJson(search);
        assertTrue(found.contains("\"proved\":true"), found);
        assertTrue(number(found, "ratio") > 2, found);
        assertEquals(found, compactJson(search));
        String file = "FOLDER/worst/deep/" + policy + "_task_connectivity.csv";
        String simulated = compactJson("--graph", file, "--policy", policy, "--seed", "3", "--json");
        assertEquals(number(found, "makespan"), number(simulated, "makespan"));
        String shortest = compactJson("--graph", file, "--policy", "search", "--json");
        assertTrue(shortest.contains("\"proved\":true"), shortest);
        assertEquals(number(found, "ratio"), number(simulated, "makespan") / number(shortest, "makespan"), 1e-12);
    }

    @Test
    void anAdversarySaysHowToSimulateItsGraph() {
        assertEquals(0, run("--adversary", "heft", "--budget", "5000", "--out", "FOLDER/worst"));
        assertTrue(out.toString().contains("times as long as the shortest schedule of"), out.toString());
        assertTrue(
                out.toString().contains("--graph " + folder + "/worst/heft_task_connectivity.csv --policy heft,search"),
                out.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--graph no.stg | no.stg: there is no such file",
                "--graph FOLDER/a.stg --policy fofi | --policy fofi: there is no policy \"fofi\"; did you mean \"fifo\"?",
                "--graph FOLDER/a.stg --policy all,fofi | --policy fofi: there is no policy \"fofi\"",
                "--graph FOLDER/a.stg --machine 0 | --machine 0: expected 1 to 4096 workers",
                "--graph FOLDER/a.stg --machine mine | --machine mine: there is no such file; expected a number of workers",
                "--graph FOLDER/g_task_connectivity.csv --machine 3 | --machine 3: the graph has times for its own 2",
                "--graph FOLDER/a.stg --why x | --why x: the graph has no task of this name; expected one such as \"0\"",
                "--graph FOLDER/a.stg --noise -1 | --noise -1.0: expected a number from 0 to 10",
                "--graph FOLDER/a.stg --budget -1 | --budget -1: expected a number of tasks from 0 on",
                "--graph FOLDER --svg FOLDER/x.svg | a drawing has one schedule; expected one graph and one policy",
                "--graph FOLDER/a.stg --svg FOLDER/a.stg | that is the graph; expected another file",
                "--policy fifo | there is no graph; expected --graph FILE|FOLDER, or --adversary NAME to search one",
                "--graph FOLDER/a.stg --device 0 | --device 0: the speed \"0\"; expected a number from 0.001 to 1000000",
                "--graph FOLDER/a.stg --device 4,NaN | --device 4,NaN: the speed \"NaN\"; expected a number from 0.001",
                "--graph FOLDER/a.stg --device -1 | --device -1: the speed \"-1\"; expected a number from 0.001",
                "--graph FOLDER/a.stg --device 1, | --device 1,: the speed \"\"; expected a number from 0.001",
                "--graph FOLDER/a.stg --link 1e9 | --link 1e9: a link leads to a device; expected --device, too",
                "--graph FOLDER/a.stg --device 2 --link 0 | --link 0: expected bytes per second above 0",
                "--graph FOLDER/a.stg --device 2 --link 1e9,-1 | --link 1e9,-1: expected bytes per second above 0",
                "--graph FOLDER/a.stg --device 2 --link 1,NaN | --link 1,NaN: expected bytes per second above 0",
                "--graph FOLDER/g_task_connectivity.csv --device 2 | --device: the graph has times for its own 2",
                "--graph FOLDER/a.stg --machine FOLDER/node.xml --device 2,3 | node.xml has 1 co-processor; expected one speed for all",
                "--graph FOLDER/a.stg --out FOLDER | it is the folder for the graph of --adversary; expected --adversary",
                "--graph FOLDER/a.stg --adversary heft | --adversary heft: it makes a graph with its processors; expected no",
                "--graph FOLDER/a.stg --table --why 1 | --why 1: a table has no explanations; expected no --table",
                "--adversary hetf | --adversary hetf: there is no policy \"hetf\"; did you mean \"heft\"?",
                "--adversary search | --adversary search: it finds the shortest schedule of such small graphs",
                "--adversary heft --out FOLDER/a.stg | --out FOLDER/a.stg: the folder cannot be made",
                "--adversary heft --out /proc/nothing | --out /proc/nothing: the folder cannot be made",
            })
    void badUsageIsExplained(String line, String part) {
        assertEquals(2, run(line.split(" ", -1)), out::toString);
        assertTrue(err.toString().contains(part.replace("FOLDER/a", folder + "/a")), err.toString());
        assertEquals("", out.toString());
    }
}
