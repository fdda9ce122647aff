package dev.jacquard.components.program;

import dev.jacquard.base.text.NearestName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that a program gives in sections with names of the user's: {@code c} in {@code unknowns.c.rate}, which is a
 * value of the setting {@code unknowns.*.rate}. Immutable.
 */
final class NamedSections {
    /** More keys than these are listed by their sections. */
    private static final int MOST_LISTED = 12;

    private final ProgramFile program;
    private final Map<String, Set<String>> names;

    private NamedSections(ProgramFile program, Map<String, Set<String>> names) {
        this.program = program;
        this.names = names;
    }

    /**
     * Finds the names.
     *
     * @throws InputException for a key that no setting has, or an override with a name that the file does not have
     */
    static NamedSections of(ProgramFile program, List<Setting<?>> schema) {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        for (Setting<?> setting : schema) {
            if (setting.isNamed()) {
                names.computeIfAbsent(setting.section(), section -> inFile(section, program));
            }
        }
        program.values().forEach((key, value) -> {
            if (schema.stream().noneMatch(setting -> setting.matches(key))) {
                requireEmptySection(key, value, program, schema);
            }
            requireNamed(key, value, names, program);
        });
        program.places().forEach((key, where) -> {
            if (!program.values().containsKey(key)) {
                requireSection(key, where, program, schema);
            }
        });
        return new NamedSections(program, names);
    }

    /** Refuses a section that holds no setting: without values it would go unnoticed. */
    private static void requireSection(String key, String where, ProgramFile program, List<Setting<?>> schema) {
        if (schema.stream().anyMatch(setting -> setting.matches(key))) {
            throw new InputException(where + ": " + ProgramText.aSection(key));
        }
        if (schema.stream().noneMatch(setting -> setting.isWithin(key))) {
            throw new InputException(
                    where + ": component '" + program.component().text() + "' has no section '" + key + "'"
                            + NearestName.hint(key, sections(key, schema)));
        }
    }

    /** Returns the sections that may be meant by one that is unknown. */
    private static Set<String> sections(String key, List<Setting<?>> schema) {
        Set<String> all = new LinkedHashSet<>();
        for (String known : known(key, schema)) {
            for (int end = known.lastIndexOf('.'); end > 0; end = known.lastIndexOf('.', end - 1)) {
                all.add(known.substring(0, end));
            }
        }
        return all;
    }

    private static Set<String> inFile(String section, ProgramFile program) {
        Set<String> names = new LinkedHashSet<>();
        for (String key : program.places().keySet()) {
            if (key.startsWith(section + ".")) {
                names.add(key.substring(section.length() + 1).split("\\.", 2)[0]);
            }
        }
        return names;
    }

    /** Refuses a value that no setting has, unless it is a section without anything in it: {@code parameters:}. */
    private static void requireEmptySection(
            String key, ProgramFile.Value value, ProgramFile program, List<Setting<?>> schema) {
        List<String> within = known(key, schema).stream()
                .filter(its -> its.startsWith(key + '.'))
                .toList();
        if (within.isEmpty()) {
            throw new InputException(value.where() + ": component '"
                    + program.component().text() + "' has no setting '" + key + "'" + hint(key, known(key, schema)));
        }
        if (!value.text().isEmpty() || value.isOverride()) {
            throw new InputException(value.where() + ": '" + key + "' is '" + value.text()
                    + "'; expected a section, with settings such as '" + within.getFirst() + "'");
        }
    }

    /** A name that only the command line has is one that the user has mistyped. */
    private static void requireNamed(
            String key, ProgramFile.Value value, Map<String, Set<String>> names, ProgramFile program) {
        names.forEach((section, known) -> {
            if (value.isOverride() && key.startsWith(section + ".")) {
                String name = key.substring(section.length() + 1).split("\\.", 2)[0];
                if (!known.contains(name)) {
                    throw new InputException(value.where() + ": there is no '" + section + "." + name + "' in "
                            + program.file()
                            + (known.isEmpty() ? "" : NearestName.hint(name, known)));
                }
            }
        });
    }

    /** Returns the nearest key; if there is none, the keys of the same section; of many, the names of all sections. */
    private static String hint(String key, List<String> known) {
        if (known.size() <= MOST_LISTED || NearestName.of(key, known).isPresent()) {
            return NearestName.hint(key, known);
        }
        String section = key.substring(0, key.lastIndexOf('.') + 1);
        List<String> near = known.stream()
                .filter(its -> !section.isEmpty() && its.startsWith(section))
                .toList();
        List<String> sections =
                known.stream().map(its -> its.split("\\.", 2)[0]).distinct().toList();
        return NearestName.hint(key, near.isEmpty() ? sections : near);
    }

    /** Returns the keys that may be meant by one that is unknown. */
    private static List<String> known(String key, List<Setting<?>> schema) {
        String[] words = key.split("\\.", -1);
        return schema.stream()
                .map(setting -> setting.isNamed() ? setting.key(words.length > 1 ? words[1] : "NAME") : setting.key())
                .toList();
    }

    /** Returns the keys of a setting in this program: one for each name. */
    List<String> keys(Setting<?> setting) {
        return setting.isNamed()
                ? names(setting.section()).stream().map(setting::key).toList()
                : List.of(setting.key());
    }

    Set<String> names(String section) {
        return Collections.unmodifiableSet(names.getOrDefault(section, Set.of()));
    }

    /** Returns the place of the innermost section that a key is in, and that the file has; else the component's. */
    String where(String key) {
        String section = key;
        while (true) {
            String place = program.places().get(section);
            int dot = section.lastIndexOf('.');
            if (place != null || dot < 0) {
                return place == null ? program.where() : place;
            }
            section = section.substring(0, dot);
        }
    }
}
