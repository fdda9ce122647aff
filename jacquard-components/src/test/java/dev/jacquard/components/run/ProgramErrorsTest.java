package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The errors that a program has before it runs: what was wrong, where, and what would be right. */
class ProgramErrorsTest {
    @TempDir
    Path folder;

    private Programs programs;

    @BeforeEach
    void make() {
        programs = new Programs(folder);
    }

    private void assertError(String yaml, String... lines) {
        assertEquals(String.join(System.lineSeparator(), lines), programs.error(yaml));
    }

    @Test
    void allEntriesAreChecked() {
        assertError(
                """
                program: bad
                mode: paralel
                wokers: 3
                workers: none
                components:
                  one: {component: number, value: x}
                  two: {component: numbr, value: 2}
                  add: {component: sum, input: 0}
                  end: text
                  fail: {component: fail, at: 1, timeLimit: 0}
                  b.c: {component: show}
                  none: {value: 1}
                """,
                "FILE:3:1: a program has no 'wokers'; did you mean 'workers'?",
                "FILE:9:3: 'end' is a text; expected a component, like '{component: sum}'",
                "FILE:2:1: 'mode' is 'paralel'; expected one of serial, parallel, task-parallel, data-parallel",
                "FILE:4:1: 'workers' is 'none'; expected a whole number from 1 to 4096",
                "FILE:6:28: 'value' is 'x'; expected a number",
                "FILE:7:9: there is no component 'numbr'; did you mean 'number'?",
                "FILE:8:25: component 'sum' has no setting 'input'; did you mean 'inputs'?",
                "FILE:10:34: 'timeLimit' of component 'fail' is '0'; expected a number from 0.001 to 1.0E9, the"
                        + " seconds that an execution may take",
                "FILE:11:3: 'b' names no component; expected an entry like 'b: {component: sum}'",
                "FILE:12:3: 'none' names no component; expected an entry like 'none: {component: sum}'");
    }

    @Test
    void overridesAreChecked() {
        String yaml = "components:\n  one: {component: number, value: 1}\n";
        assertEquals(
                "--set two.value=3: a program has no 'two.value'; known are one", programs.error(yaml, "two.value=3"));
        assertEquals(
                "--set one.valu=3: component 'number' has no setting 'valu'; did you mean 'value'?",
                programs.error(yaml, "one.valu=3"));
        assertEquals(
                "--set workers=0: 'workers' is '0'; expected a whole number from 1 to 4096",
                programs.error(yaml, "workers=0"));
    }

    @Test
    void whatIsAboveAllNumbersIsToldTheGreatest() {
        String yaml = "components:\n  bad: {component: fail, at: 2}\n";
        assertEquals(
                "--set bad.at=2147483648: 'at' is '2147483648'; expected a whole number from 1 up, at most 2147483647",
                programs.error(yaml, "bad.at=2147483648"));
        assertEquals(
                "--set bad.at=0: 'at' is '0'; expected a whole number from 1 up", programs.error(yaml, "bad.at=0"));
        assertEquals(
                "FILE:1:14: 'checkpoint.every' is '99999999999'; expected a whole number from 1 up, at most 2147483647",
                programs.error("checkpoint: {every: 99999999999}\n" + yaml));
    }

    @Test
    void settingsHaveToGoTogether() {
        assertError(
                "components:\n  end: {component: until}\n",
                "FILE:2:3: 'until' has neither 'limit' nor 'passes'; expected one of them");
    }

    @Test
    void sinksFindOneSource() {
        assertError(
                """
                components:
                  one: {component: number, value: 1}
                  two: {component: number, value: 2}
                  m: {component: mix, id: 1, inputs: 1}
                  show: {component: show}
                """,
                "FILE:4:3: sink 'm.in0' finds no source: none is called 'in0' and gives Long; plug one in under 'wires:',"
                        + " as in 'm.in0: component.source'",
                "FILE:5:3: sink 'show.value' fits more than one source: one.value, two.value; choose one under"
                        + " 'wires:', as in 'show.value: one.value'");
        assertError(
                "components:\n  m: {component: mix, id: 1}\n  show: {component: show}\n",
                "FILE:3:3: sink 'show.value' finds no source: none is called 'value' and gives Double; of that name:"
                        + " m.value (Long); plug one in under 'wires:', as in 'show.value: component.source'");
    }

    @Test
    void wiresAreToldWithWhatIsWrongElsewhere() {
        assertError(
                """
                components:
                  b: {component: number, valu: 2}
                  s: {component: show}
                  t: {component: show}
                wires: {s.value: q.value, b: s.value, t.value: b.value, t.walue: b.nothing, b.some: s.none}
                checkpoint: {every: 0}
                """,
                "FILE:2:26: component 'number' has no setting 'valu'; did you mean 'value'?",
                "FILE:6:14: 'checkpoint.every' is '0'; expected a whole number from 1 up",
                "FILE:5:27: 'b' is no socket; expected 'component.socket'",
                "FILE:5:27: component 's' (show) has no source 'value'; it has none",
                "FILE:5:57: component 't' (show) has no sink 'walue'; did you mean 'value'?",
                "FILE:5:77: component 's' (show) has no source 'none'; it has none",
                "FILE:5:9: there is no component 'q' in the program; known are b, s, t");
    }

    @Test
    void wiresNameSockets() {
        assertError(
                """
                components:
                  one: {component: number, value: 1}
                  m: {component: mix, id: 1, inputs: 2}
                  add: {component: sum}
                  show: {component: show}
                wires:
                  show.valu: one.value
                  shw.value: one.value
                  add: one.value
                  show.value: none
                  m.in0: one.value
                  m.in1: m.value
                  add.in1: one
                  add.in2: one.number
                """,
                "FILE:7:3: component 'show' (show) has no sink 'valu'; did you mean 'value'?",
                "FILE:8:3: there is no component 'shw' in the program; did you mean 'show'?",
                "FILE:9:3: 'add' is no socket; expected 'component.socket'",
                "FILE:11:3: source 'one.value' gives Double, but sink 'm.in0' takes Long",
                "FILE:12:3: 'm.in1' is plugged to the component itself; expected a source of another one",
                "FILE:13:3: 'one' is no socket; expected 'component.socket'",
                "FILE:14:3: component 'one' (number) has no source 'number'; known are value",
                "FILE:10:3: sink 'show.value' must not be empty; expected 'component.source'");
    }

    @Test
    void loopsAreClosed() {
        assertError(
                """
                components:
                  a: {component: sum}
                  b: {component: sum}
                  e: {component: until, passes: 2}
                wires: {a.in1: b.value, b.in1: a.value, e.value: a.value}
                """,
                "FILE:2:3: these components wait for each other: a -> b -> a; expected a loop that is closed by a source"
                        + " of its exit, such as 'again' of 'until'",
                "FILE:4:3: component 'e' closes no loop: its source 'e.again' is plugged to no sink; plug it to the"
                        + " component where its loop begins");
        assertError(
                """
                components:
                  a: {component: sum}
                  b: {component: sum}
                  e: {component: until, passes: 2}
                wires: {a.in1: e.again, b.in1: e.again, e.value: b.value, b.in2: a.value}
                """,
                "FILE:4:3: source 'e.again' closes a loop, and is plugged to a.in1, b.in1; expected sinks of one"
                        + " component, the loop's entry");
        assertError(
                """
                components:
                  one: {component: number, value: 1}
                  a: {component: sum}
                  e: {component: until, passes: 2}
                wires: {a.in1: e.again, e.value: one.value}
                """,
                "FILE:4:3: component 'e' closes no loop: no path leads from 'a', where it is to begin again, to 'e'");
        assertError(
                """
                components:
                  one: {component: number, value: 1}
                  e: {component: until, passes: 2}
                  s: {component: show}
                wires: {s.value: e.again, e.value: one.value}
                """,
                "FILE:5:9: sink 's.value' needs a value in each execution, but 'e.again' is empty in a loop's first"
                        + " pass; expected a sink that may be empty");
    }

    @Test
    void loopsNest() {
        String sums = """
                  a: {component: sum, inputs: 4}
                  b: {component: sum, inputs: 4}
                  x: {component: until, passes: 2}
                  y: {component: until, passes: 2}
                """;
        assertError(
                "components:\n" + sums + "wires: {b.in1: a.value, x.value: b.value, a.in1: x.again, y.value: x.value,"
                        + " b.in2: y.again}\n",
                "the bodies of two loops overlap, but neither lies in the other: the loop from 'a' to 'x' with a, b, x;"
                        + " the loop from 'b' to 'y' with b, x, y; both have b, x");
        assertError(
                "components:\n  c: {component: sum, inputs: 4}\n  d: {component: sum, inputs: 4}\n" + sums
                        + "wires: {x.value: c.value, c.in1: a.value, a.in1: x.again, y.value: d.value, d.in1: b.value,"
                        + " b.in1: y.again, d.in2: a.value, c.in2: b.value}\n",
                "each of two loops needs something from the body of the other: the loop from 'a' to 'x' with c, a, x;"
                        + " the loop from 'b' to 'y' with d, b, y");
    }

    @Test
    void withinNamesALoopThatCanHoldIt() {
        String loop = """
                components:
                  a: {component: sum}
                  x: {component: until, passes: 2}
                  s: {component: sum%s}
                  t: {component: show%s}
                wires: {x.value: a.value, a.in1: x.again, s.in1: a.value, t.value: s.value}
                """;
        assertError(
                loop.formatted(", within: y", ""),
                "FILE:4:23: 'within' of component 's': no component 'y' is the exit of a loop; known are x");
        assertError(
                loop.formatted("", ", within: x"),
                "with the components that 'within' puts into loops, a loop waits for itself: s -> the loop of a, x, t"
                        + " -> s; put what lies between into the same loop, or take 'within' away");
        assertError(
                "components:\n  n: {component: number, value: 1, within: n}\n",
                "FILE:2:36: 'within' of component 'n': no component 'n' is the exit of a loop; there is no loop in the"
                        + " program");
    }

    @Test
    void aProgramOfAllToAllIsRefusedAtOnce() {
        int count = 30;
        String parts = IntStream.range(0, count)
                .mapToObj(i -> "  p" + i + ": {component: mix, id: " + i + ", inputs: " + count + "}\n")
                .collect(Collectors.joining());
        StringBuilder wires = new StringBuilder();
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                wires.append(String.format(Locale.ROOT, "  p%d.in%d: p%d.value\n", i, j, j == i ? (i + 1) % count : j));
            }
        }
        String error = programs.error("components:\n" + parts + "wires:\n" + wires);
        assertTrue(error.contains("p0 -> p1 -> p0"), error);
    }

    @Test
    void sectionsAreNoTextsNorLists() {
        assertError(
                "components: {a: {component: sum}}\nwires: a\ncheckpoint: {evry: 1}\nx: 1\n",
                "FILE:2:1: 'wires' is a text; expected lines like 'add.in1: one.value'",
                "FILE:3:14: a program has no 'checkpoint.evry'; did you mean 'checkpoint.every'?",
                "FILE:4:1: a program has no 'x'; known are program, mode, workers, ranks, weights, checkpoint.every, checkpoint.folder,"
                        + " components, wires");
        assertError(
                "components: [a]\n",
                "FILE:1:1: 'components' is a list; expected entries like 'one: {component: number, value: 3}'");
        assertError(
                "components: {a: [sum]}\n",
                "FILE:1:14: 'components.a' is a list; expected a component, like '{component: sum}'");
        assertError(
                "components: {a: {component: sum}}\nwires: [a.in1: b.value]\n",
                "FILE:2:1: 'wires' is a list; expected entries like 'add.in1: one.value'");
        assertError(
                "program: ''\ncheckpoint: {every: 1, folder: ''}\ncomponents: {a: {component: sum}}\n",
                "FILE:1:1: 'program' is ''; expected a name",
                "FILE:2:24: 'checkpoint.folder' is ''; expected a folder");
        assertError(
                "components: {größe: {component: sum}}\n",
                "FILE:1:14: a component is called 'größe'; expected letters a to z, digits, '-' and '_', without blanks"
                        + " and dots");
    }

    @Test
    void sectionsThatManyShareAreNoReasonToRefuse() throws IOException {
        String parts =
                IntStream.range(0, 100).mapToObj(i -> "  a" + i + ": *one\n").collect(Collectors.joining());
        String yaml = "components:\n  a: &one {component: number, value: 1}\n" + parts;
        assertEquals(101, programs.load(yaml, null).size());
        StringBuilder laughs = new StringBuilder("components:\n  a: &a {x: 1, y: 1}\n");
        for (char name = 'b'; name < 'k'; name++) {
            String before = "*" + (char) (name - 1);
            laughs.append("  %c: &%c {p: %s, q: %s, r: %s, s: %s, t: %s, u: %s}\n"
                    .formatted(name, name, before, before, before, before, before, before));
        }
        String error = programs.error(laughs.toString());
        assertTrue(error.contains(": with what its references stand for, the file has more than 131072 values"), error);
    }

    @Test
    void filesThatAreNoProgramsAreRefused() {
        assertError(
                "components: {}\n",
                "FILE:1:1: 'components:' is empty; expected entries like 'a: {component: number," + " value: 3}'");
        assertError(
                "component: sum\ncomponents: {a: {component: sum}}\n",
                "FILE:1:1: it has both 'component:' and 'components:'; expected one of them");
        for (String yaml : List.of(
                "components: [a, b]\n",
                "components: {a: {component: [sum]}}\n",
                "components: &c {a: *c}\n",
                "components:\n  a: {component: sum}\n  a: {component: sum}\n",
                "components: " + "{a: ".repeat(100_000))) {
            String error = programs.error(yaml);
            assertTrue(error.startsWith("FILE:"), error);
        }
    }

    @Test
    void aModeOfTheCommandLineIsCheckedForOneComponentToo() {
        InputException error =
                assertThrows(InputException.class, () -> programs.load("component: sum\n", RunMode.DATA_PARALLEL));
        assertTrue(
                String.valueOf(error.getMessage()).contains("component 'sum' (sum) does not run data-parallel"),
                error.getMessage());
        InputException ranks = assertThrows(
                InputException.class, () -> programs.load("component: on-ranks\n", RunMode.TASK_PARALLEL, ofRanks()));
        assertEquals(
                "--mode: a program that runs task-parallel needs a number of ranks; give --ranks N, or 'ranks: N' in"
                        + " the file",
                ranks.getMessage());
    }

    private static Catalog ofRanks() {
        Component component = new Component() {
            @Override
            public String name() {
                return "on-ranks";
            }

            @Override
            public String description() {
                return "may run on ranks";
            }

            @Override
            public Set<RunMode> modes() {
                return Set.of(RunMode.values());
            }

            @Override
            public Instance open(ComponentContext context) {
                return () -> true;
            }
        };
        return Catalog.of(List.of()).plus(List.of(component));
    }

    @Test
    void modesAreThoseOfTheComponents() {
        assertError(
                "mode: data-parallel\nranks: 2\ncomponents: {a: {component: sum}}\n",
                "FILE:3:18: component 'a' (sum) does not run data-parallel; it runs serial, parallel, task-parallel");
    }

    @Test
    void ranksAndWeightsAreChecked() {
        assertError(
                "mode: task-parallel\ncomponents: {a: {component: number, value: 1}}\n",
                "FILE: a program that runs task-parallel needs a number of ranks; give --ranks N, or 'ranks: N' in the"
                        + " file");
        assertError(
                "mode: task-parallel\nranks: 3\ncomponents: {a: {component: number, value: 1}}\n",
                "FILE: the program has 1 component, and 3 ranks, of which some would have none; expected at most 1"
                        + " ranks");
        assertError(
                "mode: task-parallel\nranks: 1\ncomponents: {a: {component: number, value: 1, weight: -2}}\n",
                "FILE:3:47: 'weight' of component 'a' is '-2'; expected a number from 1.0E-6 to 1.0E12, its work relative"
                        + " to that of others");
    }
}
