package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Files of hwloc with random damage. Each is read as a machine, or refused by one error that names the file and a line;
 * a machine that is read can be written and read again. The same seed makes the same files.
 */
final class MutatedFiles {
    private static final String NAME = "mutated.xml";
    private static final int MOST_CHANGES = 4;
    private static final int ROUND_TRIPS = 16;

    /** Pieces that break XML, or mean something in it. */
    private static final List<String> PIECES = List.of(
            "<",
            ">",
            "\"",
            "'",
            "&",
            "&lt;",
            "&x;",
            "&#0;",
            "&#x41;",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<!DOCTYPE topology [<!ENTITY x \"y\">]>",
            "<!ENTITY x SYSTEM \"file:///dev/null\">",
            "<object type=\"PU\" os_index=\"7\"/>",
            "<object type=\"Group\" cpuset=\"0x1\">",
            "</object>",
            "</topology>",
            "os_index=\"-1\"",
            "os_index=\"99999999999999999999\"",
            "cpuset=\"0xf...f\"",
            ",,,,,,,,",
            "18446744073709551615",
            "version=\"9.9\"",
            "\0",
            "\u00e9",
            "\u0001",
            "0x",
            "-",
            " ",
            "\n");

    private final Random random;
    private final List<byte[]> originals;
    private int read;
    private int refused;

    MutatedFiles(long seed, List<byte[]> originals) {
        random = new Random(seed);
        this.originals = originals;
    }

    /** Reads some files; returns a line on the results. */
    String run(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] file = mutate();
            try {
                HwlocFile result = HwlocFile.read(new ByteArrayInputStream(file), NAME);
                read++;
                if (i % ROUND_TRIPS == 0) {
                    checkAgain(result, i);
                }
            } catch (MalformedException e) {
                refused++;
                String message = String.valueOf(e.getMessage());
                if (!message.startsWith(NAME + ", line ") || message.length() > 600 || message.contains("\n")) {
                    throw new AssertionError("file " + i + ": the message is \"" + message + "\"", e);
                }
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                Files.write(Path.of(System.getProperty("java.io.tmpdir"), "mutated-" + i + ".xml"), file);
                throw new AssertionError("file " + i + ": neither a machine nor a named error: " + e, e);
            }
        }
        return read + " machines, " + refused + " refused";
    }

    private static void checkAgain(HwlocFile file, int number) throws IOException {
        byte[] text = file.toXml().getBytes(StandardCharsets.UTF_8);
        HwlocFile again = HwlocFile.read(new ByteArrayInputStream(text), NAME);
        Object before = file.machine().get(Property.NB_PU);
        if (!again.machine().get(Property.NB_PU).equals(before)) {
            throw new AssertionError("file " + number + " has other processors when it is written and read again");
        }
    }

    private byte[] mutate() {
        byte[] file = originals.get(random.nextInt(originals.size()));
        for (int change = random.nextInt(MOST_CHANGES) + 1; change > 0 && file.length > 0; change--) {
            file = change(file);
        }
        return file;
    }

    private byte[] change(byte[] file) {
        int at = random.nextInt(file.length);
        int end = Math.min(file.length, at + 1 + random.nextInt(random.nextInt(8) == 0 ? 2_000 : 12));
        return switch (random.nextInt(14)) {
            case 0 -> {
                byte[] flipped = file.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                yield flipped;
            }
            case 1 -> joined(file, 0, at, file, end, file.length);
            case 2 -> joined(file, 0, end, file, at, file.length);
            case 3, 4 -> inserted(file, at, PIECES.get(random.nextInt(PIECES.size())));
            case 5 -> joined(file, 0, at, file, file.length, file.length);
            case 6, 8, 9, 10, 11, 12 -> digitChanged(file, at);
            case 7 -> lineMoved(file, at);
            default -> {
                byte[] other = originals.get(random.nextInt(originals.size()));
                int from = random.nextInt(other.length);
                byte[] piece = joined(other, from, Math.min(other.length, from + 300), file, at, file.length);
                yield joined(file, 0, at, piece, 0, piece.length);
            }
        };
    }

    private static byte[] joined(byte[] one, int from, int to, byte[] other, int otherFrom, int otherTo) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream(to - from + otherTo - otherFrom);
        joined.write(one, from, to - from);
        joined.write(other, otherFrom, otherTo - otherFrom);
        return joined.toByteArray();
    }

    private static byte[] inserted(byte[] file, int at, String piece) {
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        byte[] rest = joined(bytes, 0, bytes.length, file, at, file.length);
        return joined(file, 0, at, rest, 0, rest.length);
    }

    /** Numbers are most of a file: a change of one keeps it XML. */
    private byte[] digitChanged(byte[] file, int from) {
        byte[] changed = file.clone();
        for (int i = from; i < file.length; i++) {
            if (file[i] >= '0' && file[i] <= '9') {
                changed[i] = (byte) ('0' + random.nextInt(10));
                break;
            }
        }
        return changed;
    }

    private byte[] lineMoved(byte[] file, int from) {
        List<String> lines = new ArrayList<>(
                new String(file, StandardCharsets.ISO_8859_1).lines().toList());
        int line = (int) ((long) from * lines.size() / file.length);
        String moved = lines.remove(line);
        lines.add(random.nextInt(lines.size() + 1), moved);
        return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the files in a folder and those below it, without the largest; with the bundled ones. */
    static List<byte[]> originals(Path folder) throws IOException {
        List<byte[]> files = new ArrayList<>(bundled());
        if (Files.isDirectory(folder)) {
            try (Stream<Path> paths = Files.walk(folder)) {
                for (Path path : paths.filter(its -> its.toString().endsWith(".xml"))
                        .sorted()
                        .toList()) {
                    if (Files.size(path) < 60_000) {
                        files.add(Files.readAllBytes(path));
                    }
                }
            }
        }
        return files;
    }

    static List<byte[]> bundled() throws IOException {
        return List.of(bundled("gpus-3.xml"), bundled("by-hand-2.xml"));
    }

    static byte[] bundled(String name) throws IOException {
        try (var in = MutatedFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no " + name);
            }
            return in.readAllBytes();
        }
    }

    /** Arguments: seed, number of files, a folder of further originals. */
    static void main(String[] args) throws IOException {
        long seed = Long.parseLong(args[0]);
        List<byte[]> originals = originals(Path.of(args[2]));
        MutatedFiles files = new MutatedFiles(seed, originals);
        String results = files.run(Integer.parseInt(args[1]));
        System.out.println("seed " + seed + ", " + originals.size() + " originals: " + results);
    }
}
