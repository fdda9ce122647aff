package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.Machine;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of hwloc in XML, version 2 or 3: a machine as {@code lstopo} writes and reads it. Immutable.
 *
 * <pre>{@code
 * Machine machine = HwlocFile.read(Path.of("cluster-node.xml")).machine();
 * String text = new HwlocFile(HwlocFile.Version.V2, Machine.current()).toXml();
 * }</pre>
 *
 * <p>Not kept: what programs add as {@code userdata}, and which functions the library supports.
 *
 * @param version the version of the format
 */
public record HwlocFile(Version version, Machine machine) {
    /** The versions of the format. */
    public enum Version {
        /** Read by hwloc 2 and hwloc 3. */
        V2("2.0"),
        /** Read by hwloc 3. */
        V3("3.0");

        final String text;

        Version(String text) {
            this.text = text;
        }
    }

    /**
     * A file that is no machine in the format of hwloc. The message has file, line, what is wrong, and what is
     * expected.
     */
    public static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1;

        MalformedException(String file, int line, String what, @Nullable Throwable cause) {
            super(file + (line > 0 ? ", line " + line : "") + ": " + what, cause);
        }
    }

    /**
     * Reads a file, of at most 16 MiB. Its DOCTYPE is neither fetched nor expanded.
     *
     * @throws MalformedException if it is no machine in the format of hwloc, or too large
     * @throws IOException if it cannot be read
     */
    public static HwlocFile read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return read(in, file.toString());
        }
    }

    /**
     * Reads a machine from a stream, which stays open, as {@link #read(Path)} does.
     *
     * @param name of the file, for messages and the machine
     */
    public static HwlocFile read(InputStream in, String name) throws IOException {
        return new HwlocReader(in, name).read();
    }

    /** Returns the contents of the file; to be encoded in UTF-8. */
    public String toXml() {
        StringWriter text = new StringWriter();
        new HwlocWriter(text, version, machine).write();
        return text.toString();
    }
}
