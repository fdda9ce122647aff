package dev.jacquard.base.codec;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The types of entries, each with its number in files. */
enum EntryType {
    LONG(1, Long.BYTES),
    DOUBLE(2, Double.BYTES),
    TEXT(3, -1),
    BYTES(4, -1);

    private final int code;
    private final int length;

    EntryType(int code, int length) {
        this.code = code;
        this.length = length;
    }

    static Optional<EntryType> of(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    int code() {
        return code;
    }

    /** Returns true if an entry of this type may have a content of that length. */
    boolean allows(long bytes) {
        return length < 0 ? bytes >= 0 : bytes == length;
    }

    /** Returns the name for messages, like {@code long}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
