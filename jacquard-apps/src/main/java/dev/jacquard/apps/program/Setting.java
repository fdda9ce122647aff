package dev.jacquard.apps.program;

import org.jspecify.annotations.Nullable;

/**
 * One value that a component takes from its program file. Declared once, as a constant, and used as the typed key to
 * read the value from {@link Settings}.
 *
 * @param key the dotted name: {@code grid.rows} is the entry {@code rows} of the section {@code grid}
 * @param type what the value may be
 * @param byDefault the text that stands when the program gives none, or null if it must give one
 * @param meaning one or two sentences for the user
 * @param <T> the values
 */
public record Setting<T>(
        String key, SettingType<T> type, @Nullable String byDefault, String meaning) {
    public Setting {
        if (byDefault != null && type.parser().apply(byDefault) == null) {
            throw new IllegalArgumentException(key + ": the default '" + byDefault + "' is not " + type.expected());
        }
    }

    /** A setting that every program must give. */
    public static <T> Setting<T> required(String key, SettingType<T> type, String meaning) {
        return new Setting<>(key, type, null, meaning);
    }

    /** A setting that a program may leave out. */
    public static <T> Setting<T> optional(String key, SettingType<T> type, String byDefault, String meaning) {
        return new Setting<>(key, type, byDefault, meaning);
    }
}
