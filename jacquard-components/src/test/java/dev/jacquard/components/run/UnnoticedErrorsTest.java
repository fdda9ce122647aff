package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of a program that no value shows: empty sections, sinks that stay empty, names that the program uses. */
class UnnoticedErrorsTest {
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

    /** A section without values would go unnoticed. */
    @Test
    void emptySectionsAreChecked() {
        assertError(
                """
                program: bad
                wirse: {}
                mode: {}
                checkpoint: {}
                components:
                  one: {component: number, value: 1}
                  two: {component: number, value: 2, vlaue: {}}
                  sum: {component: sum, within: {}}
                  show: {component: show, x: {y: {}}}
                wires:
                  show: {value: one.value}
                  shw: {}
                  sum: {in1: {}}
                """,
                "FILE:2:1: a program has no 'wirse'; did you mean 'wires'?",
                "FILE:3:1: 'mode' is a section; expected a single value",
                "FILE:12:3: there is no component 'shw' in the program; did you mean 'show'?",
                "FILE:13:9: 'sum.in1' is a section; expected a source, as in 'add.in1: one.value'",
                "FILE:7:38: component 'number' has no section 'vlaue'; there are none",
                "FILE:8:25: 'within' is a section; expected a single value",
                "FILE:9:27: component 'show' has no section 'x'; there are none");
        assertError(
                "components: {one: {component: number, value: {}}}\n",
                "FILE:1:39: 'value' is a section; expected a single value");
        assertError("component: delay\nmillis: {}\n", "FILE:2:1: 'millis' is a section; expected a single value");
        assertError(
                "component: number\nvalue: 1\nwirse: {}\n",
                "FILE:3:1: component 'number' has no section 'wirse';" + " there are none");
    }

    /** Its own source is none for its sink: it would hand on nothing. */
    @Test
    void aComponentThatHandsOnIsPluggedToAnotherOne() {
        String yaml = "components:\n  wait: {component: delay, millis: 1}\n  last: {component: show}\n";
        assertError(
                yaml,
                "FILE:2:3: sink 'wait.value' finds no source: no other component has one called 'value' that gives"
                        + " Double, and 'last.value' needs the component's own 'value'; plug one in under 'wires:', as"
                        + " in 'wait.value: component.source', or 'wait.value: none' if it is to be empty");
        assertDoesNotThrow(() -> programs.load(yaml + "wires: {wait.value: none}\n", null));
        assertError(
                yaml + "wires: {wait.value: wait.value}\n",
                "FILE:4:9: 'wait.value' is plugged to the component itself; expected a source of another one");
    }

    @Test
    void aPartIsNotCalledAsTheProgramsCheckpoint() {
        assertError(
                "components: {one: {component: sum}, checkpoint: {component: sum}}\n",
                "FILE:1:37: a component is called 'checkpoint', as the program's own file in the output folder; expected"
                        + " another name");
        assertDoesNotThrow(() -> programs.load("components: {checkpoint: {component: sum}}\n", null));
    }
}
