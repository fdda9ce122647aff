package dev.jacquard.components.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    private static final Setting<Integer> SIZE =
            Setting.required("box.size", Setting.Type.integer(1, 9), "how large the box is");
    private static final Setting<Double> SHARE =
            Setting.optional("share", Setting.Type.fractionOrAuto(0, 1), "auto", "how much");
    private static final Setting<String> FOLDER =
            Setting.optional("box.folder", Setting.Type.text("a folder"), ".", "where it is");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("program.yaml");
    }

    @Test
    void readsSectionsDottedKeysAndDefaults() throws IOException {
        Settings settings = settings("component: box\nbox:\n  size: 3 # three\n");
        assertEquals(3, settings.get(SIZE));
        assertEquals(0, settings.get(SHARE));
        assertEquals(4, settings("component: box\nbox.size: '4'\nshare: 0.5\n").get(SIZE));
    }

    @Test
    void overridesAreStrongerThanTheFile() throws IOException {
        Settings settings = settings("component: box\nbox: {size: 3}\n", "box.size=5", "share = 0.25");
        assertEquals(5, settings.get(SIZE));
        assertEquals(0.25, settings.get(SHARE));
    }

    @Test
    void namesTheNearestKey() {
        assertMessage(
                "component: box\nbox:\n  sise: 3\n",
                file + ":3:3: component 'box' has no setting 'box.sise'; did you mean 'box.size'?");
        assertMessage(
                "component: box\nwhatever: 3\n",
                file + ":2:1: component 'box' has no setting 'whatever'; known are box.size, share, box.folder");
    }

    @Test
    void saysWhatAWrongValueShouldBe() {
        assertMessage(
                "component: box\nbox:\n  size: ten\n",
                file + ":3:3: 'box.size' is 'ten'; expected a whole number from 1 to 9");
        assertMessage("component: box\nbox.size: 10\n", "'box.size' is '10'; expected a whole number from 1 to 9");
        assertMessage("component: box\nbox.size:\n", "'box.size' is ''; expected a whole number");
        assertMessage(
                "component: box\nbox.size: 1\nshare: 2\n",
                "'share' is '2'; expected auto or a fraction from 0.0 to 1.0");
        assertMessage(
                "component: box\nbox.size: 1\n",
                List.of("share=much"),
                "--set share=much: 'share' is 'much'; expected auto or a fraction");
    }

    @Test
    void saysWhatIsMissing() {
        assertMessage(
                "component: box\n",
                file + ": 'box.size' is missing; expected a whole number from 1 to 9 (how large the box is)");
        assertMessage(
                "box:\n  size: 1\n", file + ": it names no component; expected a line like 'component: stitching'");
    }

    @Test
    void syntaxErrorsHaveTheirPlace() {
        assertMessage("component: box\nbox:\n  size: [1\nshare: 2\n", file + ":4:6: not YAML: ");
        assertMessage("component: box\n\tsize: 1\n", file + ":2:1: not YAML: ");
        assertMessage(
                "component: box\nbox:\n  size: @1\n",
                file + ":3:9: not YAML: found character '@' that cannot start any token but in quotes");
        assertMessage("- component\n", file + ":1:1: expected 'key: value' lines");
        assertMessage("", file + ": it is empty");
        assertMessage("component: box\nbox.size: [1]\n", file + ":2:1: 'box.size' is a list; expected a single value");
        assertMessage(
                "component: box\nbox.size: 1\nbox:\n  size: 2\n",
                file + ":4:3: 'box.size' is given a second time, after " + file + ":2:1");
        assertMessage(
                "component: box\nbox: {size: 1}\nbox: {folder: a}\n",
                file + ":3:1: 'box' is given a second time, after " + file + ":2:1");
        assertMessage("component: box\nbox: &box {size: *box}\n", file + ":2:1: section 'box' contains itself");
        assertMessage(
                "component: box\nbase: &base {size: 1}\nbox:\n  <<: *base\n",
                file + ":4:3: '<<' merges no sections here; expected the entries themselves");
        assertMessage("component: box\nbox: " + "{a: ".repeat(100_000), file + ":2:");
        assertMessage("component: box\nbox: " + "{a: ".repeat(100_000), ": its sections are nested too deeply");
        assertMessage(
                "component: box\n---\nbox.size: 1\n",
                file + ":2:1: a second document begins here; expected one program");
        String name = "a key is a list or a section; expected a name";
        assertMessage("component: box\nbox:\n  ? {a: 1}\n  : 2\n", file + ":3:5: " + name);
        assertMessage("component: box\nbox:\n  [a]: 2\n", file + ":3:3: " + name);
        assertMessage("component: box\nbox.size: *none\n", file + ":2:11: not YAML: found undefined alias none");
        assertMessage(
                "component: box\nbox.folder: \"a\u0007\"\n",
                file + ":2:15: not YAML: there is the control character U+0007; expected printable text");
    }

    /** What they ask for would be taken as text. */
    @Test
    void tagsThatAskForMoreAreRefused() throws IOException {
        assertMessage(
                "component: box\nbox.folder: !include a.yaml\n",
                file + ":2:13: the tag '!include' has no meaning in a program; expected the value itself");
        assertMessage("component: box\nbox: !ENV {size: 1}\n", file + ":2:6: the tag '!ENV' has no meaning");
        assertMessage("component: box\nbox.size: !!binary MQ==\n", file + ":2:11: the tag '!!binary' has no meaning");
        assertMessage("component: box\n!x box.size: 1\n", file + ":2:1: the tag '!x' has no meaning");
        assertMessage("component: box\nbox.size: !x [1]\n", file + ":2:11: the tag '!x' has no meaning");
        Files.createDirectory(folder.resolve("${x}"));
        Settings settings = settings("component: box\nbox.size: !!int 3\nbox.folder: ${x}\n");
        assertEquals(3, settings.get(SIZE));
        assertEquals(folder.resolve("${x}"), settings.folder(FOLDER));
    }

    @Test
    void byteOrderMarksStandAtTheBeginningAlone() throws IOException {
        assertEquals(3, settings("\uFEFFcomponent: box\nbox.size: 3\n").get(SIZE));
        assertMessage(
                "component: box\n\uFEFFbox.size: 3\n",
                file + ":2:1: not YAML: there is a byte order mark (U+FEFF), which is invisible; expected one at the"
                        + " beginning of the file alone");
        assertMessage("\uFEFF\uFEFFcomponent: box\n", file + ":1:1: not YAML: there is a byte order mark");
    }

    @Test
    void textsAreWhole() {
        assertMessage(
                "component: box\nbox:\n  size: 1\n  folder: \"a\\ud800b\"\n",
                file + ":4:3: 'box.folder' has one half of a surrogate pair");
    }

    @Test
    void overridesAreTakenAsTheyAre() throws IOException {
        for (String text : List.of("{pp}_a.tif", "a, b", "plate #3", "a: b", "*.tif", "- a", "@home")) {
            assertEquals(
                    text,
                    settings("component: box\nbox.size: 1\n", "box.folder=" + text)
                            .get(FOLDER));
        }
        assertEquals(
                " a ",
                settings("component: box\nbox.size: 1\n", "box.folder=' a '").get(FOLDER));
        assertMessage("component: box\n", List.of("box.folder='a': b"), "expected a single text between the quotes");
    }

    @Test
    void overridesWithoutEqualsAreRefused() {
        assertMessage("component: box\n", List.of("share"), "--set share: expected key=value");
        assertMessage(
                "component: box\n",
                List.of("sharee=1"),
                "--set sharee=1: component 'box' has no setting 'sharee'; did you mean 'share'?");
    }

    @Test
    void filesThatAreNoProgramsAreRefused() throws IOException {
        assertReadMessage(folder.resolve("none.yaml"), "there is no such file");
        assertReadMessage(folder, "it is a folder");
        Files.write(file, new byte[] {(byte) 0xC3, (byte) 0x28});
        assertReadMessage(file, "it is not UTF-8 text");
    }

    @Test
    void programsInBracesAreToldFromTaskPrograms() throws IOException {
        assertEquals(3, settings("{component: box, box: {size: 3}}\n").get(SIZE));
        assertEquals(
                3,
                settings("{\n  \"box.size\": 3,\n  \"component\" : \"box\"\n}\n")
                        .get(SIZE));
        assertMessage(
                "{\"tasks\": [{\"name\": \"component\"}]}\n", file + ": it is JSON; expected a program in a YAML file");
    }

    /** A number that is infinite is null in JSON, which no schema may have for a limit. */
    @Test
    void schemasHaveNoInfiniteLimits() {
        for (Setting.Type<Double> type : List.of(
                Setting.Type.number(0, Double.POSITIVE_INFINITY),
                Setting.Type.number(Double.NEGATIVE_INFINITY, 0),
                Setting.Type.number(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
                Setting.Type.number(0, 1))) {
            assertFalse(Report.json(type.schema()).contains("null"), type.expected());
        }
    }

    @Test
    void relativeFoldersAreLookedForInSeveralPlaces() throws IOException {
        Files.createDirectories(folder.resolve("data/box/here"));
        Files.createDirectories(folder.resolve("there"));
        Settings settings = settings("component: box\nbox: {size: 1, folder: here}\n");
        assertEquals(folder.resolve("data/box/here"), settings.folder(FOLDER));
        assertEquals(
                folder.resolve("there"),
                settings("component: box\nbox: {size: 1, folder: there}\n").folder(FOLDER));
        InputException error = assertThrows(
                InputException.class,
                () -> settings("component: box\nbox: {size: 1, folder: nowhere}\n")
                        .folder(FOLDER));
        assertTrue(
                error.getMessage()
                        .startsWith("'box.folder': there is no folder 'nowhere'; looked in "
                                + Path.of("").toAbsolutePath() + ", " + folder + ", " + folder.resolve("data") + ", "),
                error.getMessage());
    }

    private Settings settings(String yaml, String... overrides) throws IOException {
        Files.writeString(file, yaml);
        SearchPath path = SearchPath.of(file, folder.resolve("data"), "box");
        return Settings.of(ProgramFile.read(file, List.of(overrides)), List.of(SIZE, SHARE, FOLDER), path);
    }

    private void assertMessage(String yaml, String part) {
        assertMessage(yaml, List.of(), part);
    }

    private void assertMessage(String yaml, List<String> overrides, String part) {
        InputException error =
                assertThrows(InputException.class, () -> settings(yaml, overrides.toArray(new String[0])));
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }

    private static void assertReadMessage(Path file, String part) {
        InputException error = assertThrows(InputException.class, () -> ProgramFile.read(file, List.of()));
        assertTrue(error.getMessage().startsWith(file + ": " + part), error.getMessage());
    }
}
