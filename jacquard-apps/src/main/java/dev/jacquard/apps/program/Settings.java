package dev.jacquard.apps.program;

import dev.jacquard.base.text.NearestName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of one component's settings, all known and of the right type; where folders are looked for. Immutable. */
public final class Settings {
    private final Map<String, Object> values;
    private final SearchPath searchPath;

    private Settings(Map<String, Object> values, SearchPath searchPath) {
        this.values = values;
        this.searchPath = searchPath;
    }

    /**
     * Reads what {@code program} says.
     *
     * @param schema the settings that the component knows
     * @throws InputException for an unknown key, a missing one or a wrong value
     */
    static Settings of(ProgramFile program, List<Setting<?>> schema, SearchPath searchPath) {
        List<String> known = schema.stream().map(Setting::key).toList();
        program.values().forEach((key, value) -> {
            if (!known.contains(key)) {
                throw new InputException(value.where() + ": component '"
                        + program.component().text() + "' has no setting '" + key + "'" + NearestName.hint(key, known));
            }
        });
        Map<String, Object> values = new HashMap<>();
        for (Setting<?> setting : schema) {
            values.put(setting.key(), parse(setting, program));
        }
        return new Settings(values, searchPath);
    }

    private static <T> T parse(Setting<T> setting, ProgramFile program) {
        ProgramFile.Value given = program.values().get(setting.key());
        String text = given == null ? setting.byDefault() : given.text();
        if (text == null) {
            throw new InputException(program.file() + ": '" + setting.key() + "' is missing; expected "
                    + setting.type().expected() + " (" + setting.meaning() + ")");
        }
        @Nullable T value = setting.type().parser().apply(text);
        if (value == null) {
            String where = given == null ? program.file().toString() : given.where();
            throw new InputException(where + ": '" + setting.key() + "' is '" + text + "'; expected "
                    + setting.type().expected());
        }
        return value;
    }

    /** The value of {@code setting}, which must be one of the component's. */
    @SuppressWarnings("unchecked") // the key was parsed by its own type
    public <T> T get(Setting<T> setting) {
        Object value = values.get(setting.key());
        if (value == null) {
            throw new IllegalArgumentException("'" + setting.key() + "' is not among the component's settings");
        }
        return (T) value;
    }

    /** The existing folder that {@code setting} names. */
    public Path folder(Setting<String> setting) {
        return searchPath.find(setting.key(), get(setting), "folder", Files::isDirectory);
    }

    /** The existing file that {@code setting} names. */
    public Path file(Setting<String> setting) {
        return searchPath.find(setting.key(), get(setting), "file", Files::isRegularFile);
    }
}
