package dev.jacquard.flow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileJsonTest {
    static FlowProfile profile(String slow, long items, long computeNanos, long elapsedNanos) {
        FlowProfile.Copy one = new FlowProfile.Copy(0, "cuda0", items / 2, items / 2, computeNanos / 2, 10, 4, 6, 700);
        FlowProfile.Copy two = new FlowProfile.Copy(1, "cuda1", items / 2, items / 2, computeNanos / 2, 20, 8, 2, 0);
        FlowProfile.Copy quick = new FlowProfile.Copy(0, "", items, items, 1_000, 0, 0, 0, 0);
        return new FlowProfile(
                "a \"graph\"\n\u0001\ud800",
                FlowReport.Outcome.RUNNING,
                elapsedNanos,
                List.of(
                        new FlowProfile.Task("read", false, true, 1, 2, 3, 0, 0, List.of(quick)),
                        new FlowProfile.Task(slow, true, false, 1, 7, 1L << 40, 5, 6, List.of(one, two))),
                List.of(new FlowProfile.Memory(
                        "pool", 8, 1, 7, 99, 123, 4_096, 512, 1_024, 3, List.of("read"), List.of(slow))),
                List.of(new FlowProfile.Link("input", "read", items), new FlowProfile.Link("read", slow, items)),
                List.of(new PipelineBalance("pipe", List.of(new PipelineBalance.Copy("cuda0", items, 1, 2, 3, 4)))));
    }

    @Test
    void aProfileComesBackAsItWas(@TempDir Path folder) throws IOException {
        FlowProfile profile = profile("größe ✓ 𝄞", 100, 5_000_000, 10_000_000);
        assertEquals(profile, FlowProfile.ofJson(profile.toJson()));
        Path file = folder.resolve("profile.json");
        profile.writeJson(file);
        assertEquals(profile, FlowProfile.readJson(file));
        FlowProfile empty = new FlowProfile("", FlowReport.Outcome.DONE, 0, List.of(), List.of(), List.of(), List.of());
        assertEquals(empty, FlowProfile.ofJson(empty.toJson()));
    }

    @Test
    void otherReadersFindTheBottleneck() {
        Object document = Json.read(profile("slow", 100, 5_000_000, 10_000_000).toJson());
        assertEquals(
                Map.of("task", "slow", "itemsPerSecond", 10_000.0, "busy", 0.2500006),
                assertInstanceOf(Map.class, document).get("bottleneck"));
    }

    @Test
    void fieldsOfLaterReleasesAreIgnored() {
        FlowProfile profile = profile("slow", 4, 40, 100);
        String more =
                profile.toJson().replace("\"queued\" : 7", "\"queued\" : 7, \"colour\" : [1e3, {\"a\" : null}, true]");
        assertEquals(profile, FlowProfile.ofJson(more));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\" 1}",
                "\"\\x\"",
                "\"\\u12g4\"",
                "01",
                "1 2",
                "nul",
                "-",
                "{\"a\" : 99999999999999999999}",
                "\"open",
                "{1: 2}",
                "\"\n\""
            })
    void textThatIsNoJsonIsRefusedWithItsPlace(String text) {
        String message = messageOf(() -> FlowProfile.ofJson(text));
        assertTrue(message.startsWith("line ") && message.contains("expected "), message);
    }

    @Test
    void deepDocumentsAreRefused() {
        String message = messageOf(() -> FlowProfile.ofJson("[".repeat(100_000)));
        assertTrue(message.contains("depth (65) exceeds"), message);
    }

    @Test
    void documentsThatAreNoProfileAreRefused(@TempDir Path folder) throws IOException {
        String json = profile("slow", 4, 40, 100).toJson();
        check("[]", "no profile of a flow graph");
        check(json.replace("\"flowProfile\" : 1", "\"flowProfile\" : 2"), "version 2: expected version 1");
        check(
                json.replace("\"queued\" : 7,", ""),
                "element 1 of tasks of profile of the document has no field \"queued\"");
        check(json.replace("\"queued\" : 7", "\"queued\" : \"many\""), "is many, expected a value of type long");
        check(json.replace("\"size\" : 8", "\"size\" : 99999999999"), "is 99999999999, expected a value of type int");
        check(json.replace("\"RUNNING\"", "\"IDLE\""), "is IDLE, expected one of [RUNNING, DONE, FAILED, CANCELLED]");
        check(json.replace("\"memories\" : [", "\"memories\" : 3, \"rest\" : ["), "is 3, expected an array");
        Path file = Files.writeString(folder.resolve("other.json"), "{}");
        String message = messageOf(() -> FlowProfile.readJson(file));
        assertTrue(message.startsWith(file + ": "), message);
    }

    private static void check(String text, String expected) {
        String message = messageOf(() -> FlowProfile.ofJson(text));
        assertTrue(message.contains(expected), message);
    }

    private static String messageOf(Executable call) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    }
}
