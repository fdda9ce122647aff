package dev.jacquard.base.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Texts as bytes. */
final class Utf8 {
    private Utf8() {}

    /**
     * Returns the bytes of a text.
     *
     * @throws IOException if it has half of a surrogate pair, which would come back as another sign
     */
    static byte[] bytes(String text) throws IOException {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IOException(
                    "a text of " + text.length() + " signs has one half of a surrogate pair without the other, and"
                            + " cannot be saved: keep such values as char[]",
                    e);
        }
    }
}
