package dev.jacquard.components.component;

import java.util.regex.Pattern;

/** The names of sockets, as files write them. */
final class Names {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

    private Names() {}

    static void require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a " + what + " is called '" + name
                    + "'; expected letters, digits, '-' and '_' without blanks or dots");
        }
    }
}
