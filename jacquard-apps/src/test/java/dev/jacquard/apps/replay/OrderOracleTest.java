package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results written by hand: those that the format allows, and for each rule one that breaks it. */
class OrderOracleTest {
    private static final String RESOURCES = """
            'resources': [{'name': 'E'}, {'name': 'E.x', 'parent': 'E'}, {'name': 'E.y', 'parent': 'E'},
                          {'name': 'board', 'unordered': true}, {'name': 'board.a', 'parent': 'board'}]
            """;

    // ---- order

    /** Two accesses to E by two tasks, the second asked while the first runs: may they overlap? */
    @ParameterizedTest
    @CsvSource({
        "read, read, yes",
        "add, add, yes",
        "mul, mul, yes",
        "none, write, yes",
        "overwrite, none, yes",
        "read, write, no",
        "write, read, no",
        "read, overwrite, no",
        "write, write, no",
        "overwrite, overwrite, no",
        "add, mul, no",
        "mul, add, no",
        "add, read, no",
        "read, mul, no",
        "write, add, no"
    })
    void modesDecideWhoOverlaps(String first, String second, String overlap) {
        TaskProgram program = two(access("E", first), access("E", second));
        assertOverlap(
                program,
                overlap.equals("yes"),
                "\"b\" started at 5, before 10, when \"a\", with which it conflicts, was over");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[0, 4]] | [[5, 9]] | yes",
                "[[0, 4]] | [[4, 9]] | no",
                "[[0, 4], [0, 4]] | [[4, 4], [5, 5]] | yes",
                "[[0, 4], [0, 4]] | [[4, 4], [4, 5]] | no",
                "[[3, 3]] | [[0, 9]] | no"
            })
    void closedAreasDecideWhoOverlaps(String first, String second, String overlap) {
        TaskProgram program = two(area("E", "write", first), area("E", "write", second));
        assertOverlap(program, overlap.equals("yes"), "\"b\" started at 5, before 10");
        assertOverlap(two(area("E", "write", first), access("E", "read")), false, "\"b\" started at 5");
    }

    @ParameterizedTest
    @CsvSource({"E, E.x, no", "E.x, E, no", "E.x, E.x, no", "E.x, E.y, yes", "E, board, yes"})
    void aPartMeetsItsParentAndNotItsSiblings(String first, String second, String overlap) {
        TaskProgram program = two(area(first, "write", "[[0, 1]]"), access(second, "write"));
        assertOverlap(program, overlap.equals("yes"), "\"b\" started at 5, before 10");
    }

    @Test
    void unorderedTasksExcludeEachOtherInAnyOrder() {
        TaskProgram program = two(access("board", "write"), access("board.a", "write"));
        assertRight(program, done("a", 0, 10, "w0"), done("b", 10, 20, "w1"));
        assertRight(program, done("a", 10, 20, "w0"), done("b", 0, 10, "w1"));
        assertWrong(
                program,
                "\"a\" started at 9 while \"b\" had, until 10, what excludes it",
                done("a", 9, 20, "w0"),
                done("b", 0, 10, "w1"));
        assertOverlap(two(area("board", "write", "[[0, 1]]"), area("board", "write", "[[2, 3]]")), true, "");
    }

    @Test
    void explicitEdgesAndBarriersOrder() {
        TaskProgram after = program("{'name': 'a'}, {'name': 'b', 'after': ['a']}");
        assertOverlap(after, false, "\"b\" started at 5, before 10, when \"a\", which it names in \"after\"");
        TaskProgram before = program("{'name': 'a'}, {'name': 'b', 'flags': ['synchronizing']}");
        assertOverlap(before, false, "\"b\" started at 5, before 10, when \"a\", though it is synchronizing");
        TaskProgram behind = program("{'name': 'a', 'flags': ['synchronizing']}, {'name': 'b'}");
        assertOverlap(behind, false, "\"b\" started at 5, before 10, when \"a\", which is synchronizing");
    }

    @Test
    void aDemotionLetsThoseGoThatConflictWithNothingLeft() {
        TaskProgram program =
                program("{'name': 'a', 'accesses': [" + access("E", "write") + ", " + access("board", "write")
                        + "], 'demote': [{'at': 0, 'resource': 'E', 'mode': 'read'}, {'at': 0, 'resource': 'board', 'mode': 'none'}]},"
                        + task("b", access("E", "read")) + ", " + task("c", access("E", "write")) + ", "
                        + task("d", access("board", "write")));
        TaskResult a =
                demoting("a", 0, 10, new Demoted("E", AccessMode.READ, 4), new Demoted("board", AccessMode.NONE, 6));
        assertRight(program, a, done("b", 4, 5, "w1"), done("c", 10, 11, "w1"), done("d", 6, 7, "w2"));
        assertWrong(
                program,
                "\"b\" started at 3, before 4, when \"a\", with which it conflicts, gave way",
                a,
                done("b", 3, 5, "w1"),
                done("c", 10, 11, "w1"),
                done("d", 6, 7, "w2"));
        assertWrong(
                program,
                "\"c\" started at 9, before 10, when \"a\", with which it conflicts, was over",
                a,
                done("b", 4, 5, "w1"),
                done("c", 9, 11, "w1"),
                done("d", 6, 7, "w2"));
        assertWrong(
                program,
                "\"d\" started at 5 while \"a\" had, until 6, what excludes it",
                a,
                done("b", 4, 5, "w1"),
                done("c", 10, 11, "w1"),
                done("d", 5, 7, "w2"));
    }

    @Test
    void demotionsMustBeThoseOfTheProgram() {
        TaskProgram program = program("{'name': 'a', 'micros': 0.01, 'accesses': [" + access("E", "write")
                + "], 'demote': [{'at': 0.5, 'resource': 'E', 'mode': 'read'}]}");
        assertRight(program, demoting("a", 0, 10, new Demoted("E", AccessMode.READ, 5)));
        assertWrong(program, "\"a\" gave up 0 accesses, not 1", done("a", 0, 10, "w0"));
        assertWrong(
                program,
                "demoted \"E\" to none, not to read of \"E\"",
                demoting("a", 0, 10, new Demoted("E", AccessMode.NONE, 5)));
        assertWrong(
                program,
                "out of order or out of its time",
                demoting("a", 0, 10, new Demoted("E", AccessMode.READ, 11)));
        assertWrong(
                program,
                "\"a\" gave up \"E\" at 2, too early",
                demoting("a", 0, 10, new Demoted("E", AccessMode.READ, 2)));
    }

    @Test
    void subTasksStayInsideTheirParentAndOrderThemselves() {
        TaskProgram program = program("{'name': 'p', 'accesses': [" + access("E", "write") + "], 'refine': ["
                + task("s", access("E", "write")) + ", " + task("t", access("E", "read")) + "]}, "
                + task("q", access("E", "read")));
        TaskResult q = done("q", 20, 21, "w0");
        assertRight(program, parent("p", 0, 20, done("s", 1, 5, "w1"), done("t", 5, 20, "w2")), q);
        assertWrong(
                program,
                "\"s\" started before its parent \"p\"",
                parent("p", 2, 20, done("s", 1, 5, "w1"), done("t", 5, 20, "w2")),
                q);
        assertWrong(
                program,
                "\"t\" ended after its parent \"p\"",
                parent("p", 0, 20, done("s", 1, 5, "w1"), done("t", 5, 21, "w2")),
                done("q", 21, 22, "w0"));
        assertWrong(
                program,
                "\"t\" started at 4, before 5, when \"s\"",
                parent("p", 0, 20, done("s", 1, 5, "w1"), done("t", 4, 20, "w2")),
                q);
        assertWrong(
                program,
                "\"q\" started at 19, before 20, when \"p\"",
                parent("p", 0, 20, done("s", 1, 5, "w1"), done("t", 5, 20, "w2")),
                done("q", 19, 21, "w0"));
        assertWrong(program, "\"t\" is missing", parent("p", 0, 20, done("s", 1, 5, "w1")), q);
    }

    // ---- states

    @Test
    void whoReadsWhatAFailedTaskWasToWriteIsCancelled() {
        for (String mode : List.of("read", "write", "add", "mul")) {
            TaskProgram program = program(failing("a", access("E", "write")) + ", " + task("b", access("E", mode)));
            assertRight(program, failed("a", 0, 1), cancelled("b"));
            assertWrong(
                    program,
                    "\"b\" ran, though it has " + mode + " of \"E\", which \"a\" was to write and did not",
                    failed("a", 0, 1),
                    done("b", 1, 2, "w0"));
        }
        TaskProgram harmless = program(failing("a", access("E", "read")) + ", " + task("b", access("E", "write")));
        assertRight(harmless, failed("a", 0, 1), done("b", 1, 2, "w0"));
        assertWrong(harmless, "\"b\" is cancelled without a reason", failed("a", 0, 1), cancelled("b"));
    }

    @Test
    void anOverwriteOfTheWholeClears() {
        TaskProgram program = program(failing("a", area("E", "write", "[[0, 9]]")) + ", "
                + task("b", area("E", "overwrite", "[[0, 9]]")) + ", " + task("c", access("E", "read")));
        assertRight(program, failed("a", 0, 1), done("b", 1, 2, "w0"), done("c", 2, 3, "w0"));
        assertWrong(program, "\"b\" is cancelled without a reason", failed("a", 0, 1), cancelled("b"), cancelled("c"));
    }

    @Test
    void anOverwriteOfAPartClearsThatPart() {
        TaskProgram program = program(failing("a", area("E", "write", "[[0, 9]]")) + ", "
                + task("b", area("E", "overwrite", "[[0, 4]]")) + ", " + task("c", area("E", "read", "[[5, 9]]")));
        assertRight(program, failed("a", 0, 1), done("b", 1, 2, "w0"), cancelled("c"));
        assertWrong(
                program,
                "\"c\" ran, though it has read of \"E\" [5..9]",
                failed("a", 0, 1),
                done("b", 1, 2, "w0"),
                done("c", 2, 3, "w0"));
    }

    @Test
    void explicitEdgesCarryTheFailure() {
        TaskProgram program = program(
                failing("a", access("E", "read")) + ", {'name': 'b', 'after': ['a']}, {'name': 'c', 'after': ['b']}");
        assertRight(program, failed("a", 0, 1), cancelled("b"), cancelled("c"));
        assertWrong(
                program,
                "\"b\" ran, though \"a\", which it names in \"after\", did not end well",
                failed("a", 0, 1),
                done("b", 1, 2, "w0"),
                done("c", 2, 3, "w0"));
    }

    @Test
    void barriersCarryNoFailure() {
        TaskProgram program = program(
                failing("a", access("E", "write")) + ", {'name': 'b', 'flags': ['synchronizing']}, {'name': 'c'}");
        assertRight(program, failed("a", 0, 1), done("b", 1, 2, "w0"), done("c", 2, 3, "w0"));
        assertWrong(
                program,
                "\"c\" is cancelled without a reason",
                failed("a", 0, 1),
                done("b", 1, 2, "w0"),
                cancelled("c"));
    }

    @Test
    void aFailedSubTaskFailsItsParent() {
        TaskProgram program = program("{'name': 'p', 'accesses': [" + access("E", "write") + "], 'refine': ["
                + failing("s", access("E", "write")) + ", " + task("t", access("E", "read")) + "]}, "
                + task("q", access("E", "read")));
        TaskResult s = failed("s", 1, 2);
        TaskResult p =
                new TaskResult("p", EndState.FAILED, new Execution(0, 9, "w0"), List.of(), List.of(s, cancelled("t")));
        assertRight(program, p, cancelled("q"));
        assertWrong(
                program,
                "\"p\" is done, though a sub-task did not end well",
                parent("p", 0, 9, s, cancelled("t")),
                done("q", 9, 10, "w0"));
    }

    @Test
    void subTasksOfCancelledTasksDoNotRun() {
        TaskProgram program = program(failing("a", access("E", "write")) + ", {'name': 'p', 'accesses': ["
                + access("E", "read") + "], 'refine': [{'name': 's'}]}");
        TaskResult p = new TaskResult("p", EndState.CANCELLED, null, List.of(), List.of(cancelled("s")));
        assertRight(program, failed("a", 0, 1), p);
        assertRight(program, failed("a", 0, 1), cancelled("p"));
        assertWrong(
                program,
                "\"s\" ran, and its parent \"p\" did not",
                failed("a", 0, 1),
                new TaskResult("p", EndState.CANCELLED, null, List.of(), List.of(done("s", 1, 2, "w0"))));
    }

    @Test
    void statesNeedReasons() {
        TaskProgram program = two(access("E", "read"), access("E", "read"));
        assertWrong(program, "\"a\" is failed without a reason", failed("a", 0, 1), done("b", 1, 2, "w0"));
        assertWrong(program, "\"a\" is cancelled without a reason", cancelled("a"), done("b", 1, 2, "w0"));
        assertWrong(
                program,
                "\"a\" is done and has no times",
                new TaskResult("a", EndState.DONE, null, List.of(), List.of()),
                done("b", 1, 2, "w0"));
        assertWrong(
                program(failing("a", access("E", "read"))),
                "\"a\" is done, though its body throws",
                done("a", 0, 1, "w0"));
        assertWrong(
                program,
                "\"a\" is cancelled and has times",
                new TaskResult("a", EndState.CANCELLED, new Execution(0, 1, "w0"), List.of(), List.of()),
                done("b", 1, 2, "w0"));
    }

    @Test
    void unorderedTasksDoNotCancelEachOtherInACircle() {
        TaskProgram program =
                program(failing("a", access("board", "write")) + ", " + task("b", access("board", "write")));
        assertRight(program, failed("a", 0, 1), cancelled("b"));
        assertRight(program, failed("a", 1, 2), done("b", 0, 1, "w0"));
        TaskProgram sound = two(access("board", "write"), access("board", "write"));
        assertWrong(sound, "is cancelled without a reason", cancelled("a"), cancelled("b"));
    }

    // ---- shape

    @Test
    void everyTaskIsThereOnce() {
        TaskProgram program = two(access("E", "read"), access("E", "read"));
        assertWrong(program, "\"b\" is missing", done("a", 0, 1, "w0"));
        assertWrong(
                program,
                "\"a\" is there more than once",
                done("a", 0, 1, "w0"),
                done("a", 1, 2, "w0"),
                done("b", 2, 3, "w0"));
        assertWrong(
                program,
                "\"c\" is no task of the program",
                done("a", 0, 1, "w0"),
                done("b", 1, 2, "w0"),
                done("c", 2, 3, "w0"));
    }

    @Test
    void timesAndWorkersArePossible() {
        TaskProgram program = program("{'name': 'a', 'micros': 0.01}, {'name': 'b', 'flags': ['main']}");
        TaskResult b = done("b", 20, 21, "main");
        assertRight(program, done("a", 0, 10, "w0"), b);
        assertWrong(program, "\"a\" took 5 ns, less than its body needs", done("a", 0, 5, "w0"), b);
        assertWrong(program, "\"a\" took -5 ns", done("a", 10, 5, "w0"), b);
        assertWrong(program, "\"a\" started before the run", done("a", -10, 5, "w0"), b);
        assertWrong(program, "\"a\" ended after the makespan", done("a", 990, 1001, "w0"), b);
        assertWrong(program, "\"a\" ran on \"w4\", which is no worker of this run", done("a", 0, 10, "w4"), b);
        assertWrong(
                program,
                "\"b\" ran on w0; it is flagged for the main thread",
                done("a", 0, 10, "w0"),
                done("b", 20, 21, "w0"));
        assertWrong(program, "\"b\" started on main while \"a\" ran there", done("a", 15, 25, "main"), b);
    }

    @Test
    void theExampleOfTheFormatIsRight() {
        TaskProgram program = TaskProgram.read(Path.of("../examples/replay-tour.json"));
        String json = """
                {"makespan": 28400, "workers": 2, "policy": "stealing",
                 "tasks": [{"name": "t0", "state": "done", "start": 1200, "end": 22300, "worker": "w0",
                            "tasks": [{"name": "t0.a", "state": "done", "start": 1500, "end": 6800, "worker": "w1"}]},
                           {"name": "t1", "state": "done", "start": 6900, "end": 27000, "worker": "w1",
                            "demoted": [{"resource": "board", "mode": "read", "time": 16950}]},
                           {"name": "t2", "state": "failed", "start": 22600, "end": 27700, "worker": "main"}]}
                """;
        ReplayResult result = ResultReader.parse("r", json);
        assertEquals(List.of(), OrderOracle.check(program, result));
        assertEquals(result, ResultReader.parse("again", result.toJson()));
        assertEquals(json.replaceAll("\\s", ""), result.toJson().replaceAll("\\s", ""));
    }

    @Test
    void boxesAreCoveredByTheirParts() {
        Box box = Specs.box(0, 9, 0, 9);
        assertTrue(
                Poison.isCovered(box, List.of(Specs.box(0, 4, 0, 20), Specs.box(5, 9, -1, 4), Specs.box(5, 9, 5, 9))));
        assertEquals(
                false,
                Poison.isCovered(box, List.of(Specs.box(0, 4, 0, 20), Specs.box(5, 9, -1, 4), Specs.box(5, 9, 6, 9))));
    }

    // ---- programs and results

    private static TaskProgram program(String tasks) {
        return TaskProgram.parse("p", ("{" + RESOURCES + ", 'tasks': [" + tasks + "]}").replace('\'', '"'));
    }

    private static TaskProgram two(String first, String second) {
        return program(task("a", first) + ", " + task("b", second));
    }

    private static String task(String name, String access) {
        return "{'name': '" + name + "', 'accesses': [" + access + "]}";
    }

    private static String failing(String name, String access) {
        return "{'name': '" + name + "', 'fails': true, 'accesses': [" + access + "]}";
    }

    private static String access(String resource, String mode) {
        return "{'resource': '" + resource + "', 'mode': '" + mode + "'}";
    }

    private static String area(String resource, String mode, String area) {
        return "{'resource': '" + resource + "', 'mode': '" + mode + "', 'area': " + area + "}";
    }

    private static TaskResult done(String name, long start, long end, String worker) {
        return new TaskResult(name, EndState.DONE, new Execution(start, end, worker), List.of(), List.of());
    }

    private static TaskResult failed(String name, long start, long end) {
        return new TaskResult(name, EndState.FAILED, new Execution(start, end, "w0"), List.of(), List.of());
    }

    private static TaskResult cancelled(String name) {
        return new TaskResult(name, EndState.CANCELLED, null, List.of(), List.of());
    }

    private static TaskResult demoting(String name, long start, long end, Demoted... demoted) {
        return new TaskResult(name, EndState.DONE, new Execution(start, end, "w0"), List.of(demoted), List.of());
    }

    private static TaskResult parent(String name, long start, long end, TaskResult... tasks) {
        return new TaskResult(name, EndState.DONE, new Execution(start, end, "w0"), List.of(), List.of(tasks));
    }

    // ---- verdicts

    private static void assertRight(TaskProgram program, TaskResult... tasks) {
        assertEquals(List.of(), check(program, tasks));
    }

    private static void assertWrong(TaskProgram program, String violation, TaskResult... tasks) {
        List<String> violations = check(program, tasks);
        assertTrue(violations.stream().anyMatch(text -> text.contains(violation)), violations.toString());
    }

    /** a runs from 0 to 10; b from 10 on is right, from 5 on only if they may overlap. */
    private static void assertOverlap(TaskProgram program, boolean allowed, String violation) {
        assertRight(program, done("a", 0, 10, "w0"), done("b", 10, 20, "w1"));
        if (allowed) {
            assertRight(program, done("a", 0, 10, "w0"), done("b", 5, 20, "w1"));
            assertRight(program, done("a", 5, 10, "w0"), done("b", 0, 20, "w1"));
        } else {
            assertWrong(program, violation, done("a", 0, 10, "w0"), done("b", 5, 20, "w1"));
            assertWrong(program, "\"b\" started at 0", done("a", 5, 10, "w0"), done("b", 0, 5, "w1"));
        }
    }

    private static List<String> check(TaskProgram program, TaskResult... tasks) {
        return OrderOracle.check(program, new ReplayResult(1000, 4, "stealing", Arrays.asList(tasks)));
    }
}
