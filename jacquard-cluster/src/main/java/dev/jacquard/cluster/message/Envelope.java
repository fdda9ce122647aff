package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.Elements;
import java.lang.foreign.ValueLayout;

/**
 * The head of a message.
 *
 * @param context the number of the communicator, the same on all of its ranks; even for messages, odd for collective
 *     operations
 * @param source the number of the sender in that communicator
 * @param tag the tag; of a collective operation, its number
 * @param kind the type of the elements, or {@link #VALUE} or {@link #ALARM}
 * @param operation the collective operation; 0 for none
 * @param bytes the number of bytes of the content
 */
public record Envelope(long context, int source, int tag, byte kind, byte operation, long bytes) {
    /** A value: the length of its class' name, the name, and the output of the codec. */
    public static final byte VALUE = 'v';

    /** The text of an error of another rank, for all that waits in the context. */
    public static final byte ALARM = '!';

    /** Returns the kind of elements of a type. */
    static byte kind(ValueLayout type) {
        return (byte) type.carrier().descriptorString().charAt(0);
    }

    /** Returns the name of the type of the content: {@code double}, {@code value}. */
    String type() {
        return switch (kind) {
            case 'B' -> "byte";
            case 'S' -> "short";
            case 'C' -> "char";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            case 'D' -> "double";
            default -> "value";
        };
    }

    private int bytesOfElement() {
        return switch (kind) {
            case 'S', 'C' -> 2;
            case 'I', 'F' -> 4;
            case 'J', 'D' -> 8;
            default -> 1;
        };
    }

    /** Returns the number of elements; of a value, of bytes. */
    long count() {
        return bytes / bytesOfElement();
    }

    /** Returns the content for messages: {@code 5 double elements}, {@code a value of 20 bytes}. */
    String content() {
        return kind == VALUE
                ? "a value of " + bytes + " bytes"
                : count() + " " + type() + (count() == 1 ? " element" : " elements");
    }

    /** Returns true if the content can be received as these elements. */
    boolean fits(Elements into) {
        return kind == kind(into.type()) && bytes <= into.byteSize();
    }
}
