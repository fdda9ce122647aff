package dev.jacquard.apps.replay;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramReaderTest {
    private static final Path EXAMPLES = Path.of("../examples");

    @Test
    void theTourIsReadWordByWord() {
        AccessSpec part = new AccessSpec("E", AccessMode.UPDATE, Specs.box(0, 4, 0, 4));
        AccessSpec board = new AccessSpec("board", AccessMode.UPDATE, Specs.box(0, 4));
        TaskSpec t0 = new TaskSpec(
                "t0",
                20,
                List.of(new AccessSpec("E", AccessMode.UPDATE, Specs.box(0, 9, 0, 4))),
                List.of(),
                Set.of(),
                0,
                false,
                List.of(Specs.task("t0.a", 5, part)),
                List.of());
        TaskSpec t1 = new TaskSpec(
                "t1",
                20,
                List.of(board),
                List.of(),
                Set.of(),
                0,
                false,
                List.of(),
                List.of(new DemoteSpec(0.5, new AccessSpec("board", AccessMode.READ, Specs.box(0, 4)))));
        TaskSpec t2 = new TaskSpec(
                "t2",
                5,
                List.of(new AccessSpec("E", AccessMode.READ, null)),
                List.of("t0"),
                Set.of(TaskFlag.MAIN),
                0,
                true,
                List.of(),
                List.of());
        TaskProgram expected = new TaskProgram(
                List.of(
                        new ResourceSpec("E", null, 2, false),
                        new ResourceSpec("E.x", "E", null, false),
                        new ResourceSpec("board", null, 1, true)),
                List.of(t0, t1, t2));
        TaskProgram program = TaskProgram.read(EXAMPLES.resolve("replay-tour.json"));
        assertEquals(expected, program);
        assertEquals(expected, TaskProgram.parse("again", ProgramWriter.write(program)));
    }

    @Test
    void messagesSayNothingOfTheParser() {
        for (String text : List.of("{\"tasks\": [}]}", "{\"tasks\": [NaN]}")) {
            InputException e = assertThrows(InputException.class, () -> TaskProgram.parse("p", text));
            assertFalse(e.getMessage().contains("REDACTED") || e.getMessage().contains("enable"), e.getMessage());
        }
    }

    @Test
    void whatIsNotSaidIsNothing() {
        assertEquals(
                new TaskProgram(List.of(), List.of(Specs.task("a", 0))),
                TaskProgram.parse("p", "\uFEFF{\"tasks\": [{\"name\": \"a\"}]}"));
        assertEquals(new TaskProgram(List.of(), List.of()), TaskProgram.parse("p", "{\"tasks\": []}"));
    }

    @Test
    void aResourceMayBeNamedTwiceAndAParentLater() {
        TaskProgram program = TaskProgram.parse("p", """
                {"resources": [{"name": "x", "parent": "E"}, {"name": "E", "unordered": true}],
                 "tasks": [{"name": "a", "priority": -3, "after": [], "accesses": [
                   {"resource": "E", "mode": "read", "area": [[-9223372036854775808, 0]]},
                   {"resource": "E", "mode": "add", "area": [[1, 9223372036854775807]]}]}]}
                """);
        assertEquals(2, program.tasks().getFirst().accesses().size());
        assertEquals(-3, program.tasks().getFirst().priority());
    }

    @Test
    void treesOfResourcesOfMoreLevelsThanThereMayBe() {
        for (int parents : new int[] {999, 1000}) {
            String chain = IntStream.rangeClosed(1, parents)
                    .mapToObj(i -> ", {\"name\": \"r" + i + "\", \"parent\": \"r" + (i - 1) + "\"}")
                    .collect(Collectors.joining());
            String text = "{\"resources\": [{\"name\": \"r0\"}" + chain + "], \"tasks\": []}";
            if (parents < 1000) {
                assertEquals(
                        parents + 1, TaskProgram.parse("p", text).resources().size());
            } else {
                assertMentions(
                        assertThrows(InputException.class, () -> TaskProgram.parse("p", text)),
                        "resource \"r1000\"",
                        "level 1001 of its tree, which may have 1000");
            }
        }
    }

    /**
     * In single quotes for double ones: the resources and one task, or the whole document; then parts of the message.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // documents
                "`` | p: it is empty; expected a JSON object",
                "[] | p:1:1: the program: expected an object, {…}, but there is a list",
                "{} | \"tasks\" is missing",
                "{'tasks': [] | p:1:13: not JSON: it ends in the middle of a value",
                "{'tasks': [}]} | p:1:12: not JSON: Unexpected close marker '}': expected ']'",
                "{'tasks': []} {} | not JSON: something follows the end",
                "{'tasks': [], 'tasks': []} | p:1:15: \"tasks\" is given a second time, after p:1:2",
                "{'tasks': [], 'resource': []} | p:1:15: the program: there is no \"resource\" here; did you mean \"resources\"?",
                "{'tasks': 3} | \"tasks\" is the number 3; expected a list, […]",
                "{'tasks': [3]} | p:1:12: tasks[0]: expected an object, {…}, but there is the number 3",
                "{'tasks': [NaN]} | not JSON: Non-standard token 'NaN'",
                // resources
                "{'resources': [{'name': 'E'}, {'name': 'E'}], 'tasks': []} | p:1:32: resource \"E\": there is another of this name at p:1:17",
                "{'resources': [{'name': ''}], 'tasks': []} | resources[0]: \"name\" is the text \"\"; expected a text that is not empty",
                "{'resources': [{'name': 'E', 'parent': 'F'}], 'tasks': []} | resource \"E\": its parent \"F\" is no resource; known are E",
                "{'resources': [{'name': 'a', 'parent': 'b'}, {'name': 'b', 'parent': 'c'}, {'name': 'c', 'parent': 'b'}], 'tasks': []} | its parents form a cycle: b -> c -> b",
                "{'resources': [{'name': 'a', 'parent': 'a'}], 'tasks': []} | resource \"a\": its parents form a cycle: a -> a",
                "{'resources': [{'name': 'a', 'dimensions': 0}], 'tasks': []} | resource \"a\": \"dimensions\" is the number 0; expected a whole number from 1 to 64",
                "{'resources': [{'name': 'a', 'unordered': 'yes'}], 'tasks': []} | \"unordered\" is the text \"yes\"; expected true or false",
                "{'resources': [{'name': 'a'}, {'name': 'b', 'parent': 'a', 'unordered': true}], 'tasks': []} | resource \"b\": it is a part of \"a\", which is ordered; say \"unordered\" there",
                "{'resources': [{'name': 'a', 'dimension': 1}], 'tasks': []} | there is no \"dimension\" here; did you mean \"dimensions\"?",
            })
    void aWrongDocumentIsExplained(String document, String part) {
        assertRefused(document, part);
    }

    /** In single quotes for double ones: tasks of a program with E (2-D), its part E.x, and board (1-D, unordered). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // names and types
                "{'micros': 1} | tasks[0]: \"name\" is missing",
                "{'name': 'a'}, {'name': 'a'} | there is another task \"a\" at p:2:12",
                "{'name': 'a', 'refine': [{'name': 'a'}]} | task \"a\", refine[0]: there is another task \"a\"",
                "{'name': 'a', 'micro': 1} | task \"a\": there is no \"micro\" here; did you mean \"micros\"?",
                "{'name': 'a', 'micros': -1} | task \"a\": \"micros\" is -1.0; expected a number of microseconds from 0 on",
                "{'name': 'a', 'micros': 1e999} | task \"a\": \"micros\" is Infinity",
                "{'name': 'a', 'micros': 1e300} | task \"a\": \"micros\" is 1.0E300;"
                        + " expected a number of microseconds from 0 on, at most a year",
                "{'name': 'a', 'micros': '1'} | task \"a\": \"micros\" is the text \"1\"; expected a number",
                "{'name': 'a', 'priority': 1.5} | task \"a\": \"priority\" is the number 1.5; expected a whole number",
                "{'name': 'a', 'priority': 3000000000} | \"priority\" is the number 3000000000",
                "{'name': 'a', 'fails': 1} | \"fails\" is the number 1; expected true or false",
                "{'name': 'a', 'flags': ['mian']} | task \"a\": there is no flag \"mian\"; did you mean \"main\"?",
                "{'name': 'a', 'flags': 'main'} | \"flags\" is the text \"main\"; expected a list",
                "{'name': 'a', 'flags': [1]} | \"flags\" has the number 1 in its list; expected texts only",
                "{'name': 'a', 'refine': {}} | \"refine\" is an object; expected a list",
                // accesses
                "{'name': 'a', 'accesses': [{'resource': 'F', 'mode': 'read'}]} | task \"a\": there is no resource \"F\"; known are E",
                "{'name': 'a', 'accesses': [{'resource': 'something else', 'mode': 'read'}]} | known are E, E.x, board",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'raed'}]} | task \"a\", resource \"E\": there is no mode \"raed\"; did you mean \"read\"?",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'READ'}]} | did you mean \"read\"?",
                "{'name': 'a', 'accesses': [{'resource': 'E'}]} | task \"a\", resource \"E\": \"mode\" is missing",
                "{'name': 'a', 'accesses': [{'mode': 'read'}]} | task \"a\": \"resource\" is missing",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [[0, 1]]}]} | task \"a\", resource \"E\": its area has 1 dimension(s); expected 2, after \"dimensions\" of the resource",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': []}]} | its area is empty",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [0, 1]}]} | dimension 0 of its area is the number 0; expected [low, high]",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [[0, 1, 2], [0, 1]]}]} | dimension 0 of its area is a list of 3",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [[0, 1], [5, 4]]}]} | dimension 1 of its area goes from 5 to 4",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [[0.5, 1], [5, 4]]}]} | low of dimension 0 of its area is the number 0.5; expected a whole number",
                "{'name': 'a', 'accesses': [{'resource': 'E.x', 'mode': 'read', 'area': [[0, 1]]}, {'resource': 'E.x', 'mode': 'read', 'area': [[0, 1], [0, 1]]}]} | its area has 2 dimension(s); expected 1, after the area at p:2:",
                // after
                "{'name': 'a', 'after': ['a']} | task \"a\": it is to run after itself",
                "{'name': 'a', 'after': ['b']}, {'name': 'b'} | task \"a\": it is to run after \"b\", which comes later, at p:2:",
                "{'name': 'abc'}, {'name': 'x', 'after': ['abd']} | task \"x\": it is to run after \"abd\", which is no task; did you mean \"abc\"?",
                "{'name': 'a', 'after': ['zz']} | which is no task; there are none",
                "{'name': 'a', 'refine': [{'name': 'a.b'}]}, {'name': 'c', 'after': ['a.b']} | task \"c\": it is to run after \"a.b\", which is a sub-task of \"a\", while it is a task of the program",
                "{'name': 'a'}, {'name': 'b', 'refine': [{'name': 'b.c', 'after': ['a']}]} | task \"b.c\": it is to run after \"a\", which is no sub-task, while it is a sub-task of \"b\"",
                // refinement
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read'}], 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E', 'mode': 'write'}]}]} | task \"a.b\": write of \"E\" is more than its parent \"a\" has, which may only do read of \"E\"",
                "{'name': 'a', 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E', 'mode': 'read'}]}]} | task \"a.b\": read of \"E\" is more than its parent \"a\" has, which declares no access to all of \"E\"",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write', 'area': [[0, 1], [0, 1]]}], 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E', 'mode': 'read', 'area': [[0, 2], [0, 1]]}]}]} | task \"a.b\": read of \"E\" [0..2, 0..1] is more than",
                "{'name': 'a', 'accesses': [{'resource': 'E.x', 'mode': 'write'}], 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E', 'mode': 'read'}]}]} | task \"a.b\": read of \"E\" is more than",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write', 'area': [[0, 1], [0, 1]]}], 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E.x', 'mode': 'read'}]}]} | task \"a.b\": read of \"E.x\" is more than",
                // demotion
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'demote': [{'at': 1.5, 'resource': 'E', 'mode': 'read'}]} | task \"a\", demotion: \"at\" is 1.5; expected a fraction",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'demote': [{'resource': 'E', 'mode': 'read'}]} | task \"a\", demotion: \"at\" is missing",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'demote': [{'at': 1, 'resource': 'F', 'mode': 'read'}]} | task \"a\", demotion: there is no resource \"F\"",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'read'}], 'demote': [{'at': 0, 'resource': 'E', 'mode': 'write'}]} | task \"a\": its demotion at 0.0 to write of \"E\" is more than what it has then, read of \"E\"",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'add'}], 'demote': [{'at': 0, 'resource': 'E', 'mode': 'mul'}]} | to mul of \"E\" is more than what it has then, add of \"E\"",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'demote': [{'at': 0.9, 'resource': 'E', 'mode': 'add'}, {'at': 0.5, 'resource': 'E', 'mode': 'read'}]} | its demotion at 0.9 to add of \"E\" is more than what it has then, read of \"E\"",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'demote': [{'at': 0, 'resource': 'board', 'mode': 'none'}]} | task \"a\": it is to demote its access to \"board\", and declares none",
                "{'name': 'a', 'accesses': [{'resource': 'E', 'mode': 'write'}], 'refine': [{'name': 'a.b', 'accesses': [{'resource': 'E', 'mode': 'write'}]}], 'demote': [{'at': 1, 'resource': 'E', 'mode': 'read'}]} | task \"a\": its demotion to read of \"E\" gives up what its sub-task \"a.b\" needs: write of \"E\"",
            })
    void aWrongTaskIsExplained(String tasks, String part) {
        String resources =
                "{'name': 'E', 'dimensions': 2}, {'name': 'E.x', 'parent': 'E'}, {'name': 'board', 'unordered': true}";
        assertRefused("{'resources': [" + resources + "],\n'tasks': [" + tasks + "]}", part);
    }

    @Test
    void aFileThatIsNoneIsRefused(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("no.json");
        assertEquals(
                missing + ": there is no such file",
                assertThrows(InputException.class, () -> TaskProgram.read(missing))
                        .getMessage());
        assertEquals(
                folder + ": it is a folder; expected a JSON file",
                assertThrows(InputException.class, () -> TaskProgram.read(folder))
                        .getMessage());
        Path binary = Files.write(folder.resolve("binary.json"), new byte[] {(byte) 0xC3, (byte) 0x28});
        assertEquals(
                binary + ": it is no text in UTF-8",
                assertThrows(InputException.class, () -> TaskProgram.read(binary))
                        .getMessage());
    }

    @Test
    void nestingWithoutEndIsRefused() {
        assertRefused(
                "[".repeat(100_000),
                "too large to read: Document nesting depth (501) is more than 500, which is the most");
    }

    private static void assertRefused(String document, String part) {
        InputException e =
                assertThrows(InputException.class, () -> TaskProgram.parse("p", document.replace('\'', '"')));
        assertTrue(e.getMessage().startsWith("p:") && e.getMessage().contains(part), e.getMessage());
    }
}
