package dev.jacquard.apps.replay;

import java.util.List;
import java.util.Map;

/** A value of a JSON document that knows where it stands. Immutable. */
sealed interface JsonValue {
    /** File, line and column, for messages. */
    String where();

    /** The kind of value, for messages: "a number". */
    default String kind() {
        return switch (this) {
            case Members _ -> "an object";
            case Items _ -> "a list";
            case Text text -> "the text \"" + text.text + '"';
            case Digits number -> "the number " + number.digits;
            case Truth truth -> String.valueOf(truth.value);
            case Nothing _ -> "null";
        };
    }

    /** An object; its members in the document's order. */
    record Members(String where, Map<String, JsonMember> byName) implements JsonValue {}

    record Items(String where, List<JsonValue> values) implements JsonValue {}

    record Text(String where, String text) implements JsonValue {}

    /** A number, as it is written. */
    record Digits(String where, String digits) implements JsonValue {}

    record Truth(String where, boolean value) implements JsonValue {}

    record Nothing(String where) implements JsonValue {}
}
