package dev.jacquard.components.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void jsonKeepsOrderAndEscapes() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", "a \"b\"\n");
        values.put("list", Arrays.asList(1, 2L, 0.5, true, null, Double.NaN));
        values.put("map", Map.of("x", List.of()));
        String json = new Report(List.of(), values).toJson().replaceAll("\\s+", " ");
        assertEquals(
                "{ \"name\" : \"a \\\"b\\\"\\n\", \"list\" : [ 1, 2, 0.5, true, null, null ],"
                        + " \"map\" : { \"x\" : [ ] } } ",
                json);
    }

    /** A text that was cut within a pair must not cost the results, which no file could hold as it is. */
    @Test
    void halvesOfPairsAreEscaped() {
        String json = new Report(List.of(), Map.of("cut \uD83D", "a \uD800 b \uD83D\uDE00 \uDC00")).toJson();
        assertEquals(
                "{ \"cut \\ud83d\" : \"a \\ud800 b \uD83D\uDE00 \\udc00\" }",
                json.replaceAll("\\s+", " ").strip());
    }

    @Test
    void otherObjectsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
    }
}
