package dev.jacquard.components.run;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.component.Application;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.SearchPath;
import dev.jacquard.components.program.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program ready to run: a component and its settings.
 *
 * @param component what runs
 * @param settings with which values
 */
public record Program(Application component, Settings settings) {
    /**
     * Reads a program and checks all of its settings.
     *
     * @param file the YAML file
     * @param overrides {@code key=value} each
     * @param data the folder named by {@code JACQUARD_DATA}, or null
     * @throws InputException if anything is wrong with it
     */
    public static Program load(Path file, List<String> overrides, @Nullable Path data) {
        ProgramFile program = ProgramFile.read(file, overrides);
        Application component = find(program.component());
        SearchPath searchPath = SearchPath.of(file, data, component.dataFolder());
        return new Program(component, Settings.of(program, component.settings(), searchPath));
    }

    private static Application find(ProgramFile.Value name) {
        List<Application> all = Application.all();
        return all.stream()
                .filter(component -> component.name().equals(name.text()))
                .findFirst()
                .orElseThrow(() -> new InputException(name.where() + ": there is no component '" + name.text() + "'"
                        + NearestName.hint(
                                name.text(), all.stream().map(Application::name).toList())));
    }
}
