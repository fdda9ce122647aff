package dev.jacquard.components.program;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.program.Settings.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sections with names that the user gives. */
class NamedSectionsTest {
    private static final Setting<Double> NUMBER =
            Setting.required("parameters.*", Setting.Type.number(0, 9), "a number");
    private static final Setting<String> RATE =
            Setting.required("unknowns.*.rate", Setting.Type.text("an expression"), "its rate");
    private static final Setting<String> EXACT =
            Setting.absent("unknowns.*.exact", Setting.Type.text("an expression"), "its solution");
    private static final Setting<Integer> WORKERS =
            Setting.optional("workers", Setting.Type.integer(1, 9), "2", "threads");
    private static final Setting<Integer> EVERY =
            Setting.optional("checkpoint.every", Setting.Type.integer(1, 9), "3", "steps");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("program.yaml");
    }

    private Settings settings(String yaml, String... overrides) throws IOException {
        Files.writeString(file, yaml);
        SearchPath path = SearchPath.of(file, null, "box");
        return Settings.of(
                ProgramFile.read(file, List.of(overrides)), List.of(NUMBER, RATE, EXACT, WORKERS, EVERY), path);
    }

    private void assertMessage(String yaml, String override, String message) {
        assertMentions(
                assertThrows(
                        InputException.class,
                        () -> settings(yaml, override.isEmpty() ? new String[0] : new String[] {override})),
                message);
    }

    @Test
    void theUserGivesTheNames() throws IOException {
        Settings settings = settings("""
                component: box
                parameters: {kappa: 1, lambda: 2}
                unknowns:
                  c: {rate: "kappa*c"}
                  d:
                    rate: d
                    exact: x
                """);
        assertEquals(List.of("kappa", "lambda"), List.copyOf(settings.names("parameters")));
        assertEquals(List.of("c", "d"), List.copyOf(settings.names("unknowns")));
        assertEquals(2.0, given(settings.named(NUMBER), "lambda").value());
        assertEquals("kappa*c", given(settings.named(RATE), "c").value());
        assertEquals(List.of("d"), List.copyOf(settings.named(EXACT).keySet()));
        assertEquals("unknowns.d.exact", given(settings.named(EXACT), "d").key());
        assertEquals(2, settings.get(WORKERS));
    }

    private static <T> Given<T> given(Map<String, Given<T>> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    @Test
    void sectionsMayBeEmptyOrMissing() throws IOException {
        assertEquals(0, settings("component: box\nparameters:\n").named(NUMBER).size());
        assertEquals(
                0, settings("component: box\nparameters: {}\n").named(NUMBER).size());
        assertEquals(0, settings("component: box\n").named(RATE).size());
        assertEquals(0, settings("component: box\ncheckpoint:\n").named(RATE).size(), "all in it may be comments");
    }

    @Test
    void aValueInThePlaceOfASectionIsRefusedAsSuch() {
        assertMessage(
                "component: box\ncheckpoint: 8\n",
                "",
                file + ":2:1: 'checkpoint' is '8'; expected a section, with settings such as 'checkpoint.every'");
        assertMessage(
                "component: box\nparameters: 3\n", "", "expected a section, with settings such as 'parameters.NAME'");
        assertMessage("component: box\nunknowns: {c: 1}\n", "", "'unknowns.c' is '1'; expected a section");
    }

    @Test
    void emptySectionsAreKnownOnes() {
        assertMessage(
                "component: box\nparametres: {}\n",
                "",
                file + ":2:1: component 'box' has no section 'parametres'; did you mean 'parameters'?");
        assertMessage("component: box\nparameters: {k: {}}\n", "", file + ":2:14: 'parameters.k' is a section");
        assertMessage("component: box\nworkers: {}\n", "", file + ":2:1: 'workers' is a section; expected a single");
        assertMessage("component: box\nunknowns: {c: {rate: 1, at: {}}}\n", "", "has no section 'unknowns.c.at'");
        assertMessage("component: box\nunknowns: {c: {}}\n", "", "'unknowns.c.rate' is missing");
    }

    @Test
    void overridesReachThem() throws IOException {
        String yaml = "component: box\nparameters: {kappa: 1}\nunknowns: {c: {rate: c}}\n";
        Settings settings = settings(yaml, "parameters.kappa=0.5", "unknowns.c.rate=-kappa*c", "unknowns.c.exact=2*x");
        assertEquals(0.5, given(settings.named(NUMBER), "kappa").value());
        assertEquals("-kappa*c", given(settings.named(RATE), "c").value());
        assertEquals("2*x", given(settings.named(EXACT), "c").value());
        assertMessage(
                yaml,
                "parameters.kapa=2",
                "--set parameters.kapa=2: there is no 'parameters.kapa' in " + file + "; did you mean 'kappa'?");
        assertMessage(yaml, "unknowns.d.rate=2", "there is no 'unknowns.d' in " + file);
        assertMessage(
                yaml,
                "unknowns.c.rat=2",
                "--set unknowns.c.rat=2: component 'box' has no setting 'unknowns.c.rat'; did you mean"
                        + " 'unknowns.c.rate'?");
        assertMessage(yaml, "parameters.kappa=much", "'parameters.kappa' is 'much'; expected a number from 0.0 to 9.0");
    }

    @Test
    void messagesHaveThePlaceAndTheNearestKey() {
        assertMessage(
                "component: box\nunknowns:\n  c:\n    ratee: 1\n",
                "",
                file + ":4:5: component 'box' has no setting 'unknowns.c.ratee'; did you mean 'unknowns.c.rate'?");
        assertMessage("component: box\nunknown:\n  c: {rate: 1}\n", "", "did you mean 'unknowns.c.rate'?");
        assertMessage("component: box\nparameter: {k: 1}\n", "", "did you mean 'parameters.k'?");
        assertMessage(
                "component: box\nparameters: {k: 1, l: 10}\n", "", file + ":2:20: 'parameters.l' is '10'; expected");
        assertMessage(
                "component: box\nunknowns:\n  c:\n    exact: 1\n",
                "",
                file + ":3:3: 'unknowns.c.rate' is missing; expected an expression (its rate)");
        assertMessage("component: box\nparameters: {k: {l: 1}}\n", "", "has no setting 'parameters.k.l'");
        assertMessage("component: box\nparameters: {k: 1, k: 2}\n", "", "'parameters.k' is given a second time");
    }

    /** Marks the character whose place is asked for: the first of its kind in the text. */
    private String place(String yaml, char marked) throws IOException {
        Given<String> rate = given(settings(yaml).named(RATE), "c");
        String message = rate.error(rate.text().indexOf(marked), "wrong").getMessage();
        return message.replace(file.toString(), "").replace(": 'unknowns.c.rate': wrong", "");
    }

    /** Quotes, escapes and lines that are folded do not move what is behind them. */
    @Test
    void charactersOfAValueHaveTheirPlace() throws IOException {
        assertEquals(":4:16", place("component: box\n# ä \uD83D\uDE00\nunknowns:\n  c: {rate: \"c + u\"}", '+'));
        assertEquals(":2:24", place("component: box\nunknowns: {c: {rate: c + u}}", '+'));
        assertEquals(":6:7", place("component: box\nunknowns:\n  c:\n    rate: |\n      c\n      + u\n", '+'));
        assertEquals(":6:7", place("component: box\nunknowns:\n  c:\n    rate: >-\n      c\n      + u\n", '+'));
        assertEquals(":5:9", place("component: box\nunknowns:\n  c:\n    rate: c\n        + u\n", '+'));
        assertEquals(":2:45", place("component: box\nunknowns: {c: {rate: \"stencil(c, \\\"1 0.5\\\") + u\"}}", '+'));
        assertEquals(":2:27", place("component: box\nunknowns.c.rate: 'a ''b'' * c + c'", '*'));
    }

    @Test
    void charactersOfAnOverrideHaveTheirColumn() throws IOException {
        Given<String> rate = given(
                settings("component: box\nunknowns: {c: {rate: c}}", "unknowns.c.rate=2*d")
                        .named(RATE),
                "c");
        assertEquals(
                "--set unknowns.c.rate=2*d, column 3 of the value: 'unknowns.c.rate': wrong",
                rate.error(2, "wrong").getMessage());
    }
}
