package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.TestData;
import dev.jacquard.components.program.InputException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowReaderTest {
    private static final String DIAMOND = """
            {"name": "diamond", "schemaVersion": "1.5", "workflow": {
              "specification": {"tasks": [
                {"name": "join", "id": "j", "parents": ["l", "r", "s"], "children": [], "inputFiles": ["y", "z"], "outputFiles": []},
                {"name": "side", "id": "l", "parents": ["s"], "children": ["j"], "inputFiles": ["x"], "outputFiles": ["y"]},
                {"name": "side", "id": "r", "parents": ["s"], "children": ["j"], "inputFiles": ["x", "z"], "outputFiles": ["z"]},
                {"name": "start", "id": "s", "parents": [], "children": ["l", "r"], "outputFiles": ["x"]}],
               "files": [{"id": "x", "sizeInBytes": 1}]},
              "execution": {"makespanInSeconds": 3, "tasks": [
                {"id": "s", "runtimeInSeconds": 0.5}, {"id": "l", "runtimeInSeconds": 2},
                {"id": "r", "runtimeInSeconds": 0}, {"id": "j", "runtimeInSeconds": 0}]}}}
            """;

    @Test
    void filesBecomeResourcesAndParentsComeFirst() {
        TaskProgram program = TaskProgram.parse("w", DIAMOND);
        assertEquals(
                List.of("s", "l", "r", "j"),
                program.tasks().stream().map(TaskSpec::name).toList());
        assertEquals(
                List.of(
                        Specs.task("s", 500_000, access("x", AccessMode.WRITE)),
                        Specs.task("l", 2_000_000, access("x", AccessMode.READ), access("y", AccessMode.WRITE)),
                        Specs.task("r", 0, access("x", AccessMode.READ), access("z", AccessMode.UPDATE))),
                program.tasks().subList(0, 3));
        assertEquals(List.of("s"), program.tasks().getLast().after(), "the parent that no file implies");
        assertEquals(3, program.resources().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"parents\": [\"s\"], \"children\": [\"j\"] | \"parents\": [\"s\", \"j\"] | task \"j\": it waits for itself: j -> l -> j",
                "\"parents\": [\"l\", \"r\", \"s\"] | \"parents\": [\"q\"] | task \"j\": its parent \"q\" is no task; known are j, l, r, s",
                "\"id\": \"r\" | \"id\": \"l\" | task \"l\": there is another task of this id at w:",
                "\"id\": \"l\", \"runtime | \"id\": \"k\", \"runtime | task \"k\" of \"execution\": \"specification\" has no such task",
                "0.5 | -0.5 | \"runtimeInSeconds\" is -0.5; expected a number of seconds",
                "0.5 | 1e300 | \"runtimeInSeconds\" is 1.0E300; expected a number of seconds from 0 on, at most a year",
                "{\"id\": \"r\", \"runtimeInSeconds\": 0}, | '' | task \"r\": \"execution\" has no task of this id, which says how long it runs",
                "\"l\", \"runtimeInSeconds\": 2 | \"l\" | task \"l\" of \"execution\": it has no \"runtimeInSeconds\"; expected a number",
                "{\"id\": \"l\", \"runtime | {\"id\": \"s\", \"runtimeInSeconds\": 1}, {\"id\": \"l\", \"runtime | task \"s\" of \"execution\": it is given a second time, after w:9:5",
                "\"specification\" | \"spec\" | \"specification\" is missing",
                "\"tasks\": [ | \"task\": [ | \"tasks\" is missing; expected a list of tasks",
            })
    void aWrongWorkflowIsExplained(String right, String wrong, String part) {
        assertTrue(DIAMOND.contains(right), right);
        InputException e =
                assertThrows(InputException.class, () -> TaskProgram.parse("w", DIAMOND.replace(right, wrong)));
        assertTrue(e.getMessage().startsWith("w:") && e.getMessage().contains(part), e.getMessage());
    }

    /** A second each: it was not executed. */
    @Test
    void aWorkflowWithoutExecutionHasUnitTimes() {
        TaskProgram program = TaskProgram.parse("w", DIAMOND.replace("\"execution\"", "\"executed\""));
        assertEquals(
                List.of(1e6, 1e6, 1e6, 1e6),
                program.tasks().stream().map(TaskSpec::micros).toList());
    }

    @Test
    void laterVersionsMayHaveMetrics() {
        String later = DIAMOND.replace("\"1.5\"", "\"1.6\"")
                .replace("\"files\": [", "\"metrics\": {\"numberOfTasks\": 4, \"maximumWidth\": 2}, \"files\": [")
                .replace("\"makespanInSeconds\": 3,", "\"metrics\": {\"sumTaskRuntimesInSeconds\": 2.5},");
        assertEquals(TaskProgram.parse("w", DIAMOND), TaskProgram.parse("w", later));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'schemaVersion': '1.0', 'workflow': {'jobs': []} | w:1:2: the program: it is version 1.0 of WfFormat, in",
                "'schemaVersion': '1.2', 'workflow': {'jobs': []} | it is version 1.2 of WfFormat, in which a workflow has",
                "'schemaVersion': '1.3', 'workflow': {'tasks': []} | it is version 1.3 of WfFormat, in which a workflow",
                "'workflow': {'jobs': []} | w:1:1: the program: it is an earlier version of WfFormat, in which a workflow",
            })
    void earlierVersionsAreNamed(String members, String message) {
        InputException e = assertThrows(
                InputException.class, () -> TaskProgram.parse("w", '{' + members.replace('\'', '"') + '}'));
        assertTrue(e.getMessage().contains(message), e.getMessage());
        assertTrue(e.getMessage().contains("; expected version 1.5 or 1.6"), e.getMessage());
    }

    /** In a time that grows with their number: each is looked at once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(120)
    void aChildMayStandBeforeAllItsParents(boolean byFile) {
        int count = 200_000;
        StringBuilder text = new StringBuilder("{\"workflow\": {\"specification\": {\"tasks\": [");
        text.append("{\"name\": \"child\", \"inputFiles\": [\"shared\"], \"parents\": [");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append("\"p").append(i).append('"');
        }
        text.append("]}");
        for (int i = 0; i < count; i++) {
            text.append(", {\"name\": \"p").append(i).append('"');
            text.append(byFile ? ", \"outputFiles\": [\"shared\"]}" : "}");
        }
        TaskProgram program = TaskProgram.parse("w", text.append("]}}}").toString());
        assertEquals("p0", program.tasks().getFirst().name());
        TaskSpec child = program.tasks().getLast();
        assertEquals("child", child.name());
        assertEquals(byFile ? 0 : count, child.after().size());
        assertEquals(program, TaskProgram.parse("again", ProgramWriter.write(program)));
    }

    /** Tasks and all their run times, as counted apart from this reader. */
    @ParameterizedTest
    @CsvSource({
        "1000genome-chameleon-2ch-100k-001.json, 52, 2771.3",
        "cycles-chameleon-1l-1c-9p-001.json, 67, 862.7",
        "epigenomics-chameleon-hep-1seq-100k-001.json, 41, 539.3",
        "helloworld-forkjoin-10-chameleon.json, 10, 1028.7",
        "montage-chameleon-2mass-005d-001.json, 58, 221.7",
        "montage-chameleon-2mass-05d-001.json, 1738, 8694.7",
        "seismology-chameleon-100p-001.json, 101, 71.9"
    })
    void recordedWorkflowsAreRead(String name, int tasks, double seconds) {
        TaskProgram program = TaskProgram.read(TestData.find("wfinstances/" + name));
        assertEquals(tasks, program.tasks().size());
        assertEquals(
                seconds, program.tasks().stream().mapToDouble(TaskSpec::micros).sum() / 1e6, 0.051);
        assertTrue(program.tasks().stream().allMatch(task -> task.after().isEmpty()), "files imply all parents");
        assertReadersFollowWriters(program);
        assertEquals(program, TaskProgram.parse("again", ProgramWriter.write(program)));
    }

    private static void assertReadersFollowWriters(TaskProgram program) {
        Map<String, Integer> writer = new HashMap<>();
        for (int i = 0; i < program.tasks().size(); i++) {
            for (AccessSpec access : program.tasks().get(i).accesses()) {
                if (access.mode().writes()) {
                    writer.put(access.resource(), i);
                }
            }
        }
        for (int i = 0; i < program.tasks().size(); i++) {
            for (AccessSpec access : program.tasks().get(i).accesses()) {
                if (access.mode() == AccessMode.READ) {
                    assertTrue(writer.getOrDefault(access.resource(), -1) < i, access.resource());
                }
            }
        }
    }

    private static AccessSpec access(String file, AccessMode mode) {
        return new AccessSpec(file, mode, null);
    }
}
