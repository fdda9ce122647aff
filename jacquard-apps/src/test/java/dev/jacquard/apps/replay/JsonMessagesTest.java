package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are no JSON. */
class JsonMessagesTest {
    /** A constant, a class or a method of a parser. */
    private static final Pattern SWITCH =
            Pattern.compile("[A-Z]{2,}_[A-Z]|Feature|Constraints|JsonRead|REDACTED|[a-z]\\(\\)|`");

    private static String message(String json) {
        return String.valueOf(assertThrows(InputException.class, () -> JsonSource.parse("p", json), json)
                .getMessage());
    }

    /** A message is about the file: users have no parser to set up. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": NaN}",
                "{\"a\": -Infinity}",
                "{\"a\": INF}",
                "{\"a\": +1}",
                "{\"a\": .5}",
                "{\"a\": 5.}",
                "{\"a\": 01}",
                "{\"a\": 0x10}",
                "{\"a\": 1e}",
                "{\"a\": 1_000}",
                "{\"a\": 'b'}",
                "{'a': 1}",
                "{a: 1}",
                "{\"a\": 1,}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\" 1}",
                "// a comment\n{}",
                "/* a comment */ {}",
                "# a comment\n{}",
                "{\"a\": 1 // a comment\n}",
                "{\"a\": \"tab\there\"}",
                "{\"a\": \"line\nend\"}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"\\u12\"}",
                "{\"a\": True}",
                "{\"a\": undefined}",
                "{\"a\": nul}",
                "\u0001",
                "{\"a\": \u001e1}",
                "}",
                "{]",
                "\"a",
            })
    void messagesNameNoSwitchOfTheParser(String json) {
        String message = message(json);
        assertFalse(SWITCH.matcher(message).find(), message);
        assertTrue(message.matches("(?s)p:\\d+:\\d+: not JSON: .{8,}"), message);
    }

    @Test
    void limitsOfTheParserAreToldWithoutItsNames() {
        for (String json : List.of("[".repeat(100_000), "1".repeat(100_000), "{\"" + "a".repeat(100_000) + "\": 1}")) {
            String message = message(json);
            assertFalse(SWITCH.matcher(message).find(), message);
            assertTrue(message.startsWith("p:1:"), message);
        }
    }

    @Test
    void aByteOrderMarkStandsAtTheBeginningAlone() {
        JsonSource.parse("p", "\uFEFF{}");
        for (String json : List.of("\uFEFF\uFEFF{}", "{\n\uFEFF\"a\": 1}", "{\"a\": \uFEFF1}", "{}\n\uFEFF")) {
            String message = message(json);
            assertTrue(message.contains("there is a byte order mark (U+FEFF), which is invisible"), message);
        }
    }
}
