package dev.jacquard.expressions.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpyHeaderTest {
    private static NpyHeader read(String file) throws IOException {
        return NpyHeader.read(new ByteArrayInputStream(file.getBytes(ISO_8859_1)));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (List<Long> shape : List.of(List.<Long>of(), List.of(3L), List.of(3L, 1L), List.of(2L, 0L, 12_345L))) {
            NpyHeader header = new NpyHeader("<f8", shape.size() == 2, shape);
            byte[] bytes = header.bytes();
            assertEquals(0, bytes.length % 64);
            assertTrue(NpyHeader.isMagic(bytes));
            ByteArrayInputStream in = new ByteArrayInputStream(bytes);
            assertEquals(header, NpyHeader.read(in));
            assertEquals(0, in.available());
        }
    }

    @Test
    void laterVersionsAreRead() throws IOException {
        String text = "{ 'shape':(4 , 2),'fortran_order':True, 'descr' : '>i4' }\n";
        assertEquals(
                new NpyHeader(">i4", true, List.of(4L, 2L)),
                read("\u0093NUMPY\u0002\u0000" + (char) text.length() + "\u0000\u0000\u0000" + text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello, all | it is no array file of NumPy; expected the bytes 93 'NUMPY' at its beginning",
                "\u0093NUMPY\u0004\u0000 | its format has version 4; expected 1 to 3",
                "\u0093NUMPY\u0001\u0000\u0009\u0000{} | it ends within its header",
                "\u0093NUMPY\u0002\u0000\u0000\u0000\u0000\u0001 | its header has 16777216 bytes; expected 65536 at",
                "\u0093NUMPY\u0001\u0000\u0002\u0000{} | its header is {}; expected one like {'descr': '<f8', ",
            })
    void otherFilesAreRefused(String both) {
        String[] parts = both.split(" \\| ", -1);
        IOException error = assertThrows(IOException.class, () -> read(parts[0]));
        assertTrue(String.valueOf(error.getMessage()).startsWith(parts[1]), error.getMessage());
    }
}
