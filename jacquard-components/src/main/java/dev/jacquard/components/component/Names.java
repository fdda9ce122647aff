package dev.jacquard.components.component;

import dev.jacquard.components.program.ProgramText;

/** The names of sockets, as files write them. */
final class Names {
    private Names() {}

    static void require(String what, String name) {
        if (!ProgramText.isName(name)) {
            throw new IllegalArgumentException(
                    "a " + what + " is called '" + name + "'; expected " + ProgramText.NAMES);
        }
    }
}
