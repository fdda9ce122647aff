package dev.jacquard.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of learned times that are damaged, of another version, or no files. */
class BadTimeFilesTest {
    private static final Place GPU = Place.device(ExecutionTarget.OPENCL, "opencl0", 2);

    private static final String GOOD =
            "jacquard-times\t1\t3\nname\tscale\t2\ntime\thost\t11\t1500.0\t7\t2000.0\t10.0\nend\t2\n";

    @TempDir
    Path folder;

    private Path path() {
        return folder.resolve("cache/times.tsv");
    }

    private TimeFile file() {
        return new TimeFile(path());
    }

    /** A session: learns, and keeps what it has learned. */
    private void session(Consumer<TimeModel> learns) {
        session(file(), learns);
    }

    private static void session(TimeFile file, Consumer<TimeModel> learns) {
        TimeModel model = new TimeModel();
        model.keepIn(file, Map.of(Place.HOST, "host", GPU, "Model of a device"));
        learns.accept(model);
        model.keep();
    }

    private static void run(TimeModel model, String name, Place place, double nanos, int times) {
        for (int n = 0; n < times; n++) {
            model.add(name, place, 1_500, nanos);
        }
    }

    /** A part of the good file, its replacement, and the reason why the file is refused. */
    static Stream<Arguments> badFiles() {
        return Stream.of(
                Arguments.of(
                        "jacquard-times\t1", "jacquard-times\t2", "has version 2 of learned times, and this one is 1"),
                Arguments.of("jacquard-times", "times", "line 1: expected \"jacquard-times\", not \"times\""),
                Arguments.of("end\t2\n", "", "is cut off: it has 4 lines, and the last one does not say \"end\""),
                Arguments.of("10.0\nend\t2\n", "", "is cut off: it has 3 lines, and the last one does not say \"end\""),
                Arguments.of("\t10.0\n", "\n", "line 3: expected 7 fields between tabs, not 6"),
                Arguments.of("end\t2", "end\t3", "line 4: the file has 2 lines before, not 3"),
                Arguments.of("2000.0", "NaN", "line 3: field 6 is \"NaN\"; expected a number from 0 to 1.0E18"),
                Arguments.of("2000.0", "-1.0", "line 3: field 6 is \"-1.0\"; expected a number from 0 to 1.0E18"),
                Arguments.of("2000.0", "1e300", "line 3: field 6 is \"1e300\"; expected a number from 0 to 1.0E18"),
                Arguments.of(
                        "2000.0", "Infinity", "line 3: field 6 is \"Infinity\"; expected a number from 0 to 1.0E18"),
                Arguments.of("2000.0", "fast", "line 3: field 6 is \"fast\"; expected a number from 0 to 1.0E18"),
                Arguments.of("10.0\n", "-0.5\n", "line 3: field 7 is \"-0.5\"; expected a number from 0 to 1.0E18"),
                Arguments.of(
                        "\t7\t",
                        "\t0\t",
                        "line 3: field 5 is \"0\"; expected a whole number from 1 to 1000000000000000"),
                Arguments.of("\t11\t", "\t65\t", "line 3: field 3 is \"65\"; expected a whole number from 0 to 64"),
                Arguments.of("1500.0", "1e40", "line 3: field 4 is \"1e40\""),
                Arguments.of("scale", "a\\q", "line 2: \\ is followed by none of"),
                Arguments.of("name\tscale\t2\n", "", "line 2: a time without a name before it"),
                Arguments.of("end\t2\n", "end\t2\nend\t2\n", "line 4: expected the end of the file after this line"));
    }

    @ParameterizedTest
    @MethodSource("badFiles")
    void aBadFileIsNamedAndIgnored(String good, String bad, String message) throws IOException {
        Files.createDirectories(path().getParent());
        Files.writeString(path(), GOOD.replace(good, bad));
        IOException refused = assertThrows(IOException.class, () -> file().read());
        assertTrue(String.valueOf(refused.getMessage()).contains(path().toString()), refused::getMessage);
        assertTrue(String.valueOf(refused.getMessage()).contains(message), refused::getMessage);
        List<String> log = Logged.by(
                TimeFile.class,
                () -> session(model -> {
                    assertEquals(-1, model.nanos("scale", Place.HOST, 1_500));
                    assertEquals(-1, model.nanos("add", Place.HOST, 1_500));
                }));
        assertEquals(List.of("learned times are ignored: " + refused.getMessage()), log);
        assertFalse(log.getFirst().contains("\n"));
    }

    @Test
    void aGoodFileIsRead() throws IOException {
        Files.createDirectories(path().getParent());
        Files.writeString(path(), GOOD);
        assertEquals(List.of(new TimeFile.Entry("scale", "host", 11, 1_500, 7, 2_000, 10)), file().read());
    }

    @Test
    void aDamagedFileIsReplacedByTheNextThatLearns() throws IOException {
        Files.createDirectories(path().getParent());
        Files.writeString(path(), GOOD.replace("2000.0", "NaN"));
        Logged.by(TimeFile.class, () -> session(model -> run(model, "scale", GPU, 1_000, 5)));
        assertEquals(1, file().read().size());
    }

    @Test
    void aFileOfAnotherVersionStaysAsItIs() throws IOException {
        Files.createDirectories(path().getParent());
        String other = "jacquard-times\t2\tsomething else\n";
        Files.writeString(path(), other);
        List<String> log = Logged.by(TimeFile.class, () -> session(model -> run(model, "scale", GPU, 1_000, 5)));
        assertEquals(2, log.size());
        assertTrue(log.getLast().startsWith("learned times are not kept: "), log::toString);
        assertEquals(other, Files.readString(path()));
    }

    @Test
    void aFolderThatCannotBeWrittenIsReported() throws IOException {
        Files.writeString(folder.resolve("cache"), "a file where a folder should be");
        List<String> log = Logged.by(TimeFile.class, () -> session(model -> run(model, "scale", GPU, 1_000, 5)));
        assertEquals(1, log.size());
        assertTrue(log.getFirst().startsWith("learned times are not kept: "), log::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "."})
    void aFolderIsNoFile(String where) {
        TimeFile file = new TimeFile(where.equals(".") ? folder : Path.of(where));
        List<String> log = Logged.by(TimeFile.class, () -> session(file, model -> run(model, "scale", GPU, 1_000, 5)));
        assertTrue(log.getFirst().startsWith("learned times are ignored: "), log::toString);
        assertTrue(log.getLast().startsWith("learned times are not kept: "), log::toString);
    }

    @Test
    void aFileThatIsTooLargeIsRefused() throws IOException {
        Files.createDirectories(path().getParent());
        byte[] large = new byte[9 << 20];
        Arrays.fill(large, (byte) 'x');
        Files.write(path(), large);
        IOException refused = assertThrows(IOException.class, () -> file().read());
        assertTrue(String.valueOf(refused.getMessage()).contains("has more than 8388608 bytes"), refused::getMessage);
    }

    /** Whatever the bytes are: times, or one named reason. */
    @Test
    void changedFilesAreReadOrRefused() throws IOException {
        session(model -> {
            for (int n = 0; n < 5; n++) {
                run(model, "kernel " + n, GPU, 1_000 + n, 4);
                run(model, "kernel " + n, Place.HOST, 2_000 + n, 4);
            }
        });
        byte[] good = Files.readAllBytes(path());
        Random random = new Random(3);
        for (int n = 0; n < 2_000; n++) {
            byte[] changed = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
            for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
                changed[random.nextInt(changed.length)] = (byte) (random.nextBoolean() ? random.nextInt(256) : '\t');
            }
            int number = n;
            try {
                TimeText.parse(changed, path()).entries().values().forEach(entry -> {
                    assertTrue(entry.meanNanos() >= 0 && entry.meanNanos() <= 1e18, () -> "change " + number);
                    assertTrue(entry.count() > 0 && entry.deviationNanos() >= 0, () -> "change " + number);
                });
            } catch (IOException e) {
                assertTrue(
                        String.valueOf(e.getMessage()).contains(path().toString()),
                        () -> "change " + number + ": " + e + " " + new String(changed, StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void theContentIsTheSameTextAgain() throws IOException {
        TimeText.Content content = TimeText.parse(GOOD.getBytes(StandardCharsets.UTF_8), path());
        assertEquals(GOOD, TimeText.print(content));
        assertEquals(4, content.next(content.entries(), Set.of("scale")).writes());
    }
}
