package dev.jacquard.apps.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"stitching.yaml", "make-plate.yaml", "resource-register.yaml"})
    void theExampleNamesEverySetting(String name) {
        Path file = Path.of("../examples").resolve(name);
        List<Setting<?>> settings =
                Program.load(file, List.of(), null).component().settings();
        assertEquals(
                new TreeSet<>(settings.stream().map(Setting::key).toList()),
                new TreeSet<>(ProgramFile.read(file, List.of()).values().keySet()));
    }
}
