package dev.jacquard.apps.register;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One line {@code name: rest} of a setting of several lines.
 *
 * @param where names the setting and the line, for messages
 * @param name the text before the colon
 * @param rest the text after it
 */
record TextLine(String where, String name, String rest) {
    /**
     * The lines of {@code text}, which end with a new line or a semicolon; empty ones and comments ({@code #}) are left
     * out.
     *
     * @throws InputException for a line without a name, or with one that is taken
     */
    static List<TextLine> of(Setting<String> setting, String text) {
        List<TextLine> lines = new ArrayList<>();
        Set<String> names = new HashSet<>();
        String[] all = text.split("\\R|;", -1);
        for (int number = 0; number < all.length; number++) {
            String line = all[number].strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                TextLine named = named("'" + setting.key() + "', line " + (number + 1), line);
                if (!names.add(named.name)) {
                    throw named.error("there is a '" + named.name + "' above already; names must be unique");
                }
                lines.add(named);
            }
        }
        return lines;
    }

    private static TextLine named(String where, String line) {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new InputException(where + ": '" + line + "' has no name; expected 'name: …'");
        }
        return new TextLine(
                where,
                line.substring(0, colon).strip(),
                line.substring(colon + 1).strip());
    }

    InputException error(String problem) {
        return new InputException(where + ": " + problem);
    }

    InputException error(IllegalArgumentException refused) {
        return new InputException(where + ": " + refused.getMessage(), refused);
    }
}
