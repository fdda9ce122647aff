package dev.jacquard.components.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Short texts by which two copies of a class are compared. */
final class Fingerprints {
    private Fingerprints() {}

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
