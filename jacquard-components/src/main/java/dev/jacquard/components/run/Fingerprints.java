package dev.jacquard.components.run;

import dev.jacquard.components.program.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/** Short texts by which two copies of a class are compared. */
final class Fingerprints {
    private Fingerprints() {}

    /** Returns the values that must be the same on all ranks of a program, with the name of each. */
    static List<String> of(ComposedProgram program) {
        List<String> lines = new ArrayList<>();
        lines.add("Java " + Runtime.version().feature());
        lines.add("the program '" + program.name() + "', " + Setting.Type.nameOf(program.mode()));
        for (CheckedPart part : program.parts()) {
            lines.add("component " + part.described() + " "
                    + of(part.component().getClass()) + " with the settings "
                    + part.settings().texts());
        }
        Saving saving = program.saving();
        lines.add("checkpoints " + (saving == null ? "never" : "every " + saving.every()));
        return lines;
    }

    /** Returns a checksum of a class file; {@code unknown} if it cannot be read. */
    static String of(Class<?> type) {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            if (in == null) {
                return "(unknown)";
            }
            CRC32C sum = new CRC32C();
            sum.update(in.readAllBytes());
            return "(class " + HexFormat.of().toHexDigits((int) sum.getValue()) + ")";
        } catch (IOException e) {
            return "(unknown)";
        }
    }
}
