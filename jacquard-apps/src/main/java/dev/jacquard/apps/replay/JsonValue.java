package dev.jacquard.apps.replay;

import java.util.List;
import java.util.Map;

/** A value of a JSON document that knows where it stands. Immutable. */
sealed interface JsonValue {
    /** File, line and column, for messages. */
    String where();

    /** The kind of value, for messages: "a number". */
    String kind();

    /** An object; its members in the document's order. */
    record Members(String where, Map<String, JsonMember> byName) implements JsonValue {
        @Override
        public String kind() {
            return "an object";
        }
    }

    /** A list. */
    record Items(String where, List<JsonValue> values) implements JsonValue {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /** A text. */
    record Text(String where, String text) implements JsonValue {
        @Override
        public String kind() {
            return "the text \"" + text + '"';
        }
    }

    /** A number, as it is written. */
    record Digits(String where, String digits) implements JsonValue {
        @Override
        public String kind() {
            return "the number " + digits;
        }
    }

    /** {@code true} or {@code false}. */
    record Truth(String where, boolean value) implements JsonValue {
        @Override
        public String kind() {
            return String.valueOf(value);
        }
    }

    /** {@code null}. */
    record Nothing(String where) implements JsonValue {
        @Override
        public String kind() {
            return "null";
        }
    }
}
