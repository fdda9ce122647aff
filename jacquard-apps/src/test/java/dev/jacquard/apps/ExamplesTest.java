package dev.jacquard.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"stitching.yaml", "make-plate.yaml", "resource-register.yaml"})
    void theExampleNamesEverySetting(String name) {
        Path file = Path.of("../examples").resolve(name);
        List<Setting<?>> settings =
                SingleProgram.load(file, List.of(), null).application().settings();
        assertEquals(
                new TreeSet<>(settings.stream().map(Setting::key).toList()),
                new TreeSet<>(ProgramFile.read(file, List.of()).values().keySet()));
    }

    @Test
    void namesTheNearestComponent(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("program.yaml");
        Files.writeString(file, "component: make-plat\n");
        InputException error = assertThrows(InputException.class, () -> SingleProgram.load(file, List.of(), null));
        assertEquals(file + ":1:1: there is no component 'make-plat'; did you mean 'make-plate'?", error.getMessage());
    }
}
