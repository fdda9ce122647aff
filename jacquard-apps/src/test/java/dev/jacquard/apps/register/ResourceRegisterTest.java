package dev.jacquard.apps.register;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceRegisterTest {
    private static final Path EXAMPLE = Path.of("../examples/resource-register.yaml");

    @TempDir
    Path folder;

    @Test
    void theExamplePrintsWhatTheDocumentPrints() throws Exception {
        String expected = """
                fieldA: [0.000000, 2.000000] [0.000000, 2.000000] [0.000000, 2.000000] rw
                fieldB: [0.000000, 2.000000] [1.000000, 2.000000] [0.000000, 2.000000] read
                fieldC: [0.000000, 2.000000] [0.000000, 0.900000] [0.000000, 2.000000] aadd
                Dependency fieldA -> fieldA (== they need to run sequentially): 1
                Dependency fieldB -> fieldB (== they need to run sequentially): 0
                Dependency fieldC -> fieldC (== they need to run sequentially): 0
                Dependency fieldA -> fieldB (== they need to run sequentially): 1
                Dependency fieldB -> fieldA (== they need to run sequentially): 1
                Dependency fieldA -> fieldC (== they need to run sequentially): 1
                Dependency fieldC -> fieldA (== they need to run sequentially): 1
                Dependency fieldB -> fieldC (== they need to run sequentially): 0
                Dependency fieldC -> fieldB (== they need to run sequentially): 0
                fieldA is superset of fieldA (== fieldA can be demoted to fieldA): 1
                fieldB is superset of fieldB (== fieldB can be demoted to fieldB): 1
                fieldC is superset of fieldC (== fieldC can be demoted to fieldC): 1
                fieldA is superset of fieldB (== fieldA can be demoted to fieldB): 1
                fieldB is superset of fieldA (== fieldB can be demoted to fieldA): 0
                fieldA is superset of fieldC (== fieldA can be demoted to fieldC): 1
                fieldC is superset of fieldA (== fieldC can be demoted to fieldA): 0
                fieldB is superset of fieldC (== fieldB can be demoted to fieldC): 0
                fieldC is superset of fieldB (== fieldC can be demoted to fieldB): 0
                """;
        assertEquals(expected.lines().toList(), run().lines());
    }

    @Test
    void theReportHasEveryAnswer() throws Exception {
        String json = run().toJson().replaceAll("\\s", "");
        assertTrue(json.startsWith("{\"component\":\"resource-register\",\"fields\":["), json);
        for (String part : List.of(
                "{\"name\":\"fieldC\",\"area\":[[0.0,2.0],[0.0,0.9],[0.0,2.0]],\"access\":\"aadd\"}",
                "{\"earlier\":\"fieldA\",\"later\":\"fieldB\",\"depends\":true}",
                "{\"superset\":\"fieldB\",\"subset\":\"fieldA\",\"covers\":false}")) {
            assertTrue(json.contains(part), json);
        }
        assertEquals(19, json.split("\"depends\"|\"covers\"", -1).length, "nine answers each");
    }

    @Test
    void otherTablesMayBeAsymmetric() throws Exception {
        Report report = run(
                "matrix=post: writes 0 0 0; poll: reads 1 0 0; none: 0 0 0", "fields=a: [0, 1] post; b: [1, 2] poll");
        assertTrue(report.lines().contains("Dependency a -> b (== they need to run sequentially): 1"));
        assertTrue(report.lines().contains("Dependency b -> a (== they need to run sequentially): 0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "fields=a: [0, 1] red | 'fields', line 1: 'red' is no access of the matrix; | did you mean 'read'?",
                "fields=a: [0, 1] read; b: [0, x] read | line 2: 'x' is no number | [0, 0.9]",
                "fields=a: [0, 1] read; b: [0, 1e400] read | line 2: '1e400' is Infinity | [0, 0.9]",
                "fields=a: [0, 1] read; b: [2, 1] read | line 2: dimension 0 of an area goes from 2.0 to 1.0 | above",
                "fields=a: [0, 1] read; b: [0, 1] [0, 1] read | line 2: 'b' has 2 intervals, 'a' has 1 | same number",
                "fields=a: [0, 1] read; a: [0, 1] read | line 2: there is a 'a' above already | unique",
                "fields=a: read | line 1: an area needs a lowest and a highest coordinate | not 0 numbers",
                "fields=a: [0, NaN] read | line 1: the highest coordinate in dimension 0 | NaN",
                "fields=[0, 1] read | line 1: '[0, 1] read' has no name | name: ",
                "fields=# | 'fields' has no line; expected lines like | fieldB",
                "matrix=rw: reads writes 1 | 'matrix': an access table needs an entry that neither reads | [rw]",
                "matrix=rw: reads writes 1; none: 0 | the matrix of 2 entries | the row of 'rw' has 1 columns",
                "matrix=rw: reads writs 1 0; none: 0 0 | 'matrix', line 1: 'writs' is not expected | 'reads' and 'writes'"
            })
    void badInputIsExplained(String override, String part, String hint) {
        InputException error = assertThrows(InputException.class, () -> run(override));
        assertTrue(error.getMessage().contains(part), error.getMessage());
        assertTrue(error.getMessage().contains(hint), error.getMessage());
    }

    private Report run(String... overrides) throws Exception {
        SingleProgram program = SingleProgram.load(EXAMPLE, List.of(overrides), null);
        try (OutputFolder out = OutputFolder.open(folder.resolve("result"))) {
            return program.application().run(new Job(program.settings(), out, Progress.NONE, new Cancellation()));
        }
    }
}
