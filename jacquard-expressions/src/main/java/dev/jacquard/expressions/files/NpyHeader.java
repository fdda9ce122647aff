package dev.jacquard.expressions.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header of an array file of NumPy. The elements follow it. Immutable.
 *
 * <p>Source: NumPy's documentation of {@code numpy.lib.format}, versions 1.0 to 3.0.
 *
 * @param type the type of the elements, as NumPy writes it: {@code <f8} for doubles, lowest byte first
 * @param isFortranOrder true if the first index changes fastest in the file
 * @param shape the extents, slowest dimension first unless the order is Fortran's
 */
public record NpyHeader(String type, boolean isFortranOrder, List<Long> shape) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    /** The digits that NumPy keeps free for an array that grows along its first dimension. */
    private static final int ROOM = 21;
    /** A longer header is damage: that of 32 dimensions has less. */
    private static final int MOST_BYTES = 1 << 16;

    private static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE =
            Pattern.compile("'shape'\\s*:\\s*\\(\\s*((?:\\d{1,18}(?:\\s*,\\s*\\d{1,18})*)?)[,\\s]*\\)");

    public NpyHeader {
        shape = List.copyOf(shape);
    }

    /** Returns true if a file that begins with these bytes is an array file of NumPy. */
    public static boolean isMagic(byte[] beginning) {
        return Arrays.equals(MAGIC, Arrays.copyOf(beginning, MAGIC.length));
    }

    /**
     * Reads a header, and leaves {@code in} at the first element.
     *
     * @throws IOException if there is none, with a message without the name of the file
     */
    public static NpyHeader read(InputStream in) throws IOException {
        byte[] before = exactly(in, MAGIC.length + 2);
        if (!isMagic(before)) {
            throw new IOException("it is no array file of NumPy; expected the bytes 93 'NUMPY' at its beginning");
        }
        int version = before[MAGIC.length];
        if (version < 1 || version > 3) {
            throw new IOException("its format has version " + version + "; expected 1 to 3");
        }
        byte[] size = exactly(in, version == 1 ? 2 : 4);
        long length = 0;
        for (int i = size.length - 1; i >= 0; i--) {
            length = (length << 8) | (size[i] & 0xff);
        }
        if (length > MOST_BYTES) {
            throw new IOException("its header has " + length + " bytes; expected " + MOST_BYTES + " at most");
        }
        return parsed(new String(exactly(in, (int) length), StandardCharsets.ISO_8859_1));
    }

    private static byte[] exactly(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("it ends within its header");
        }
        return bytes;
    }

    private static NpyHeader parsed(String text) throws IOException {
        Matcher type = TYPE.matcher(text);
        Matcher order = ORDER.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!type.find() || !order.find() || !shape.find()) {
            throw new IOException("its header is " + text.strip()
                    + "; expected one like {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }");
        }
        List<Long> extents = Arrays.stream(shape.group(1).split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .map(Long::valueOf)
                .toList();
        return new NpyHeader(type.group(1), order.group(1).equals("True"), extents);
    }

    /** Returns the bytes of a file before its elements, as NumPy writes them: format version 1.0. */
    public byte[] bytes() {
        String extents = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
        int growing = shape.isEmpty()
                ? ROOM
                : String.valueOf(isFortranOrder ? shape.getLast() : shape.getFirst())
                        .length();
        String text = "{'descr': '" + type + "', 'fortran_order': " + (isFortranOrder ? "True" : "False")
                + ", 'shape': (" + extents + (shape.size() == 1 ? "," : "") + "), }" + " ".repeat(ROOM - growing);
        int before = MAGIC.length + 4;
        int length = Math.ceilDiv(before + text.length() + 1, ALIGNMENT) * ALIGNMENT - before;
        byte[] bytes = Arrays.copyOf(MAGIC, before + length);
        bytes[MAGIC.length] = 1;
        bytes[MAGIC.length + 2] = (byte) length;
        bytes[MAGIC.length + 3] = (byte) (length >> 8);
        String padded = text + " ".repeat(length - 1 - text.length()) + "\n";
        System.arraycopy(padded.getBytes(StandardCharsets.US_ASCII), 0, bytes, before, length);
        return bytes;
    }
}
