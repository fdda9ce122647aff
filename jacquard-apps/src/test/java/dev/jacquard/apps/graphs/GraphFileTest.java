package dev.jacquard.apps.graphs;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.TestData;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.plan.WorkGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphFileTest {
    private static final String STG = """
            2
            0 0 0
            1 3 1 0
            2 4.5 2 0 1
            3 0 2 1 2
            # notes
            anything
            """;

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String message(Path file) {
        return assertThrows(InputException.class, () -> GraphFile.read(file)).getMessage();
    }

    private void assertWrong(String name, String text, String... parts) throws IOException {
        Path file = file(name, text);
        String message = message(file);
        assertTrue(message.startsWith(file.toString()), message);
        assertMentions(new AssertionError(message), parts);
    }

    /** Returns the edges as text: from, to, size. */
    private static List<String> edges(WorkGraph graph) {
        List<String> edges = new ArrayList<>();
        for (int edge = 0; edge < graph.edges(); edge++) {
            edges.add(graph.name(graph.from(edge)) + ">" + graph.name(graph.to(edge)) + " " + graph.size(edge));
        }
        edges.sort(null);
        return edges;
    }

    @Test
    void standardTaskGraphs() throws IOException {
        GraphFile read = GraphFile.read(file("a.stg", STG));
        assertEquals("units of the file", read.unit().name());
        WorkGraph graph = read.on(2);
        assertEquals(4, graph.tasks());
        assertEquals(List.of("w0", "w1"), List.of(graph.place(0), graph.place(1)));
        assertEquals(4.5, graph.cost(2, 1));
        assertEquals(List.of("0>1 0.0", "0>2 0.0", "1>2 0.0", "1>3 0.0", "2>3 0.0"), edges(graph));
    }

    @Test
    void tasksMayBeInAnyOrder() throws IOException {
        WorkGraph graph =
                GraphFile.read(file("a.stg", "1\n2 0 1 7\n7 5 1 0\n0 0 0\n")).on(1);
        assertEquals(List.of("0", "7", "2"), List.of(graph.name(0), graph.name(1), graph.name(2)));
    }

    @Test
    void wrongTaskGraphs() throws IOException {
        assertWrong("empty.stg", "", ":1: the file has no graph");
        assertWrong("n.stg", "x\n", ":1: the number of tasks is \"x\"; expected a whole number from 0");
        assertWrong("few.stg", "2\n0 0 0\n1 3 1 0\n3 0 1 1\n", ":1: there are 3 tasks; expected 4");
        assertWrong("huge.stg", "99999999999\n", ":1: the number of tasks is \"99999999999\"");
        assertWrong("id.stg", "1\n0 0 0\n0 1 0\n1 0 0\n", ":3: task 0 is there a second time, after line 2");
        assertWrong("time.stg", "1\n0 0 0\n1 -3 1 0\n2 0 1 1\n", ":3: the time of task 1 is \"-3\"");
        assertWrong("nan.stg", "1\n0 0 0\n1 NaN 1 0\n2 0 1 1\n", ":3: the time of task 1 is \"NaN\"");
        assertWrong("no.stg", "1\n0 0 0\n1\n2 0 1 1\n", ":3: task 1 has 1 values; expected its number, its time");
        assertWrong("count.stg", "1\n0 0 0\n1 3 2 0\n2 0 1 1\n", ":3: task 1 has 1 predecessors; expected 2");
        assertWrong("who.stg", "1\n0 0 0\n1 3 1 8\n2 0 1 1\n", ":3: predecessor 8 is no task");
        assertWrong(
                "cycle.stg", "2\n0 0 0\n1 3 1 2\n2 4 1 1\n3 0 1 2\n", ": the tasks 1 -> 2 -> 1 wait for each other");
        assertWrong("self.stg", "1\n0 0 0\n1 3 1 1\n2 0 1 1\n", ": the tasks 1 -> 1 wait for each other");
    }

    private Path heft(String edges, String times, String bandwidths, String startup) throws IOException {
        file("g_task_exe_time.csv", times);
        file("g_resource_BW.csv", bandwidths);
        Files.deleteIfExists(folder.resolve("g_resource_BW_startup.csv"));
        if (!startup.isEmpty()) {
            file("g_resource_BW_startup.csv", startup);
        }
        return file("g_task_connectivity.csv", edges);
    }

    private static final String EDGES = "T,A,B\nA,0,6\nB,0,0\n";
    private static final String TIMES = "T,P,Q\nA,3,4\nB,5,6\n";
    private static final String BANDWIDTHS = "P,P,Q\nP,0,2\nQ,3,0\n";

    @Test
    void tablesWithProcessors() throws IOException {
        GraphFile read = GraphFile.read(heft(EDGES, TIMES, BANDWIDTHS, "P,P,Q\nP,0,0\nQ,0,0\nStartup,7,8\n"));
        assertEquals(2, read.processors());
        WorkGraph graph = read.on(2);
        assertEquals(4, graph.cost(0, 1));
        assertEquals(7 + 6 / 2.0, graph.copy(0, 0, 1));
        assertEquals(8 + 6 / 3.0, graph.copy(0, 1, 0));
        assertEquals(1, read.on(1).places());
        assertEquals(3, GraphFile.read(heft(EDGES, TIMES, BANDWIDTHS, "")).on(2).copy(0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> read.on(3));
    }

    @Test
    void graphsAreWrittenAsTables() throws IOException {
        WorkGraph.Builder places =
                new WorkGraph.Builder(List.of("P", "Q")).link(0, 1, 2, 0.25).link(1, 0, 0, 1 / 0.3);
        int first = places.task("first", 3, 4.5);
        WorkGraph graph = places.edge(first, places.task("last", 1e-3, 7), 6).build();
        Path file = GraphFile.write(graph, folder, "w");
        assertEquals("w_task_connectivity.csv", file.getFileName().toString());
        WorkGraph read = GraphFile.read(file).on(2);
        assertEquals(edges(graph), edges(read));
        for (int at = 0; at < 2; at++) {
            assertEquals(graph.place(at), read.place(at));
            for (int other = 0; other < 2; other++) {
                assertEquals(graph.cost(at, other), read.cost(at, other));
                assertEquals(graph.copy(0, at, other), read.copy(0, at, other), 1e-12);
            }
        }
    }

    @Test
    void graphsThatTablesCannotHoldAreRefused() {
        assertUnwritten("\"a\" cannot run on Q", graph -> graph.task("b", 1, 2), Double.POSITIVE_INFINITY, 1);
        assertUnwritten("has no data", graph -> graph.edge(0, graph.task("b", 1, 2), 0), 1, 1);
        assertUnwritten(
                "there is another one",
                graph -> {
                    graph.task("b", 1, 2);
                    graph.edge(0, 1, 2).edge(0, 1, 3);
                },
                1,
                1);
        assertUnwritten("data from P to Q takes 0.0 per unit", graph -> graph.task("b", 1, 2), 1, 0);
        assertUnwritten("the name \"a\" of a task", graph -> graph.task("a", 1, 2), 1, 1);
        assertUnwritten("the name \"b,c\" of a task", graph -> graph.task("b,c", 1, 2), 1, 1);
    }

    private void assertUnwritten(String part, Consumer<WorkGraph.Builder> rest, double cost, double perUnit) {
        WorkGraph.Builder graph =
                new WorkGraph.Builder(List.of("P", "Q")).link(0, 1, 0, perUnit).link(1, 0, 0, 1);
        graph.task("a", 1, cost);
        rest.accept(graph);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> GraphFile.write(graph.build(), folder, "x"));
        assertMentions(refused, part);
    }

    @Test
    void placesOfDifferentSpeeds() throws IOException {
        GraphFile read = GraphFile.read(file("a.stg", STG));
        WorkGraph graph = read.on(new WorkGraph.Builder(List.of("slow", "quick")).link(0, 1, 1, 2), 0.5, 4);
        assertEquals(9, graph.cost(2, 0));
        assertEquals(1.125, graph.cost(2, 1));
        assertEquals(1, graph.copy(0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> read.on(new WorkGraph.Builder(List.of("a")), 0));
        GraphFile tables = GraphFile.read(heft(EDGES, TIMES, BANDWIDTHS, ""));
        assertThrows(IllegalArgumentException.class, () -> tables.on(new WorkGraph.Builder(List.of("a")), 1));
        GraphFile program = GraphFile.read(
                file("p.json", "{\"tasks\": [{\"name\": \"c\", \"micros\": 6, \"flags\": [\"main\"]}]}"));
        WorkGraph main = program.on(new WorkGraph.Builder(List.of("a", "b")), 2, 8);
        assertEquals(3, main.cost(0, 0));
        assertTrue(!main.canRun(0, 1), "the main thread is the first worker");
    }

    @Test
    void wrongTables() throws IOException {
        Path file = heft(EDGES, TIMES, BANDWIDTHS, "");
        Files.delete(folder.resolve("g_resource_BW.csv"));
        assertTrue(message(file).contains("g_resource_BW.csv: there is no such file"), () -> message(file));
        assertTrue(message(heft("T,A,B\nA,0,6\nB,2,0\n", TIMES, BANDWIDTHS, ""))
                .contains("the tasks A -> B -> A wait for each other"));
        assertTrue(message(heft("T,A,B\nA,0,-6\nB,0,0\n", TIMES, BANDWIDTHS, ""))
                .contains(":2: the value of \"A\" and \"B\" is \"-6\"; expected a number of 0 or more"));
        assertTrue(message(heft("T,A,B\nA,0\nB,0,0\n", TIMES, BANDWIDTHS, ""))
                .contains(":2: \"A\" has 1 values; expected 2"));
        assertTrue(message(heft("T,A,C\nA,0,0\nB,0,0\n", TIMES, BANDWIDTHS, ""))
                .contains("the columns are [A, C] and the lines [A, B]"));
        assertTrue(message(heft(EDGES, "T,P\nA,3\nB,5\n", BANDWIDTHS, ""))
                .contains("there are times of 2 tasks on 1 processors; expected 2 tasks"));
        assertTrue(message(heft(EDGES, TIMES, "P,P,Q\nP,0,0\nQ,3,0\n", ""))
                .contains("the bandwidth from \"P\" to \"Q\" is 0; expected a number above 0"));
        assertTrue(message(heft(EDGES, TIMES, BANDWIDTHS, "Startup,1\n"))
                .contains("there are 1 times; expected one for each of 2"));
    }

    @Test
    void workflowsWithTheSizesOfTheirFiles() throws IOException {
        for (String version : List.of("1.5", "1.6")) {
            WorkGraph graph =
                    GraphFile.read(file("w.json", """
                    {"schemaVersion": "%s", "workflow": {"specification": {"tasks": [
                       {"id": "late", "parents": ["early"], "children": [], "inputFiles": ["f", "g"]},
                       {"id": "early", "parents": [], "children": ["late", "last"], "outputFiles": ["f", "g"]},
                       {"id": "last", "parents": ["early"], "children": []}],
                      "files": [{"id": "f", "sizeInBytes": 100}, {"id": "g", "sizeInBytes": 20}]},
                     "execution": {"tasks": [{"id": "late", "runtimeInSeconds": 2.5},
                       {"id": "early", "runtimeInSeconds": 1}, {"id": "last", "runtimeInSeconds": 0}]}}}
                    """.formatted(version))).on(1);
            assertEquals(List.of("early>last 0.0", "early>late 120.0"), edges(graph));
            assertEquals("early", graph.name(0));
            assertEquals(2.5, graph.cost(1, 0), 1e-12);
        }
        assertWrong(
                "size.json",
                "{\"workflow\": {\"specification\": {\"tasks\": [{\"id\": \"a\"}],"
                        + " \"files\": [{\"id\": \"f\", \"sizeInBytes\": -1}]}}}",
                "file \"f\": \"sizeInBytes\" is the number -1; expected a whole number from 0");
        assertWrong("deep.json", "{\"workflow\": " + "[".repeat(100_000), "too large to read");
    }

    @Test
    void programsWithSubTasks() throws IOException {
        WorkGraph graph = GraphFile.read(file("p.json", """
                {"resources": [{"name": "E"}, {"name": "board", "unordered": true}],
                 "tasks": [
                   {"name": "a", "micros": 2, "accesses": [{"resource": "E", "mode": "write"}],
                    "refine": [{"name": "a.1", "micros": 3, "accesses": [{"resource": "E", "mode": "read"}]},
                               {"name": "a.2", "micros": 4, "after": ["a.1"]}]},
                   {"name": "b", "micros": 5, "priority": 7, "accesses": [{"resource": "E", "mode": "read"},
                     {"resource": "board", "mode": "write"}]},
                   {"name": "c", "micros": 6, "flags": ["main"], "accesses": [{"resource": "board", "mode": "write"}]}]}
                """)).on(2);
        assertEquals(List.of("a.1>a.2 0.0", "a.2>b 0.0", "a>a.1 0.0", "a>a.2 0.0", "b>c 0.0"), edges(graph));
        assertEquals(6, graph.cost(4, 0));
        assertTrue(!graph.canRun(4, 1), "the main thread is the first worker");
        assertArrayEquals(
                new int[] {0, 0, 0, 7, 0},
                GraphFile.read(folder.resolve("p.json")).priorities());
    }

    @Test
    void wrongFiles() throws IOException {
        assertWrong(
                "graph.txt", "1", "no known graph; expected a name that ends in .stg, _task_connectivity.csv, .json");
        assertTrue(message(folder.resolve("none.stg")).endsWith("there is no such file"));
        assertTrue(message(folder).endsWith("it is no file"));
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertTrue(assertThrows(InputException.class, () -> GraphFile.in(empty))
                .getMessage()
                .contains("there is no graph in this folder"));
        file("b.stg", STG);
        file("a.stg", STG);
        assertEquals(
                List.of("a.stg", "b.stg"),
                GraphFile.in(folder).stream()
                        .map(path -> String.valueOf(path.getFileName()))
                        .filter(name -> name.endsWith(".stg"))
                        .toList());
        Files.write(folder.resolve("bytes.stg"), new byte[] {'1', '\n', (byte) 0xFF});
        assertTrue(message(folder.resolve("bytes.stg")).endsWith("it is no text in UTF-8"));
    }

    @Test
    void changedFilesEndInAGraphOrAMessage() throws IOException {
        Random random = new Random(1);
        String alphabet = "0123456789 -.#\n\"{}[]:,eNx";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder(STG);
            for (int change = random.nextInt(4); change >= 0; change--) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Path file = file("changed.stg", text.toString());
            try {
                GraphFile.read(file).on(1);
            } catch (InputException e) {
                assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
            }
        }
    }

    @Test
    void theStandardTaskGraphsOfTheLaboratory() throws IOException {
        Map<String, Integer> tasks = new HashMap<>();
        for (Path file : GraphFile.in(TestData.find("stg/tasks-50"))) {
            tasks.put(file.toString(), GraphFile.read(file).on(2).tasks());
        }
        assertEquals(180, tasks.size());
        tasks.forEach((file, count) -> assertEquals(52, count, file));
    }

    @Test
    void theExampleOfThePaper() {
        WorkGraph graph = GraphFile.read(TestData.find("heft/canonicalgraph_task_connectivity.csv"))
                .on(3);
        assertEquals(10, graph.tasks());
        assertEquals(15, graph.edges());
        assertEquals(18, graph.copy(0, 0, 2));
        assertEquals(9, graph.cost(0, 2));
    }

    @Test
    void recordedWorkflows() {
        List<Path> files = GraphFile.in(TestData.find("wfinstances"));
        assertEquals(7, files.size());
        for (Path file : files) {
            WorkGraph graph = GraphFile.read(file).on(4);
            assertTrue(graph.tasks() >= 10, file::toString);
            double bytes = 0;
            for (int edge = 0; edge < graph.edges(); edge++) {
                bytes += graph.size(edge);
            }
            assertTrue(bytes > 0, () -> file + " has the sizes of its files");
        }
    }
}
