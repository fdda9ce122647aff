package dev.jacquard.components.program;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes maps, lists, texts, numbers, booleans and null as indented JSON. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    /** Jackson writes no more. */
    private static final int MOST_LEVELS = 400;

    private Json() {}

    /** {@code value} as a JSON document, ending with a new line. Numbers that are not finite become null. */
    static String write(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(new Indented(), text)) {
            write(value, generator);
        }
        return text.append('\n').toString();
    }

    /** Throws {@link IllegalArgumentException} if {@code value} has no JSON form; it is {@code level} levels deep. */
    static void require(@Nullable Object value, int level) {
        if (level > MOST_LEVELS) {
            throw new IllegalArgumentException(
                    "lists and maps are more than " + MOST_LEVELS + " levels deep, or one contains itself");
        }
        switch (value) {
            case null -> {}
            case String _, Boolean _, Integer _, Long _, Double _, Float _, Short _, Byte _ -> {}
            case BigInteger _, BigDecimal _ -> {}
            case Map<?, ?> map ->
                map.forEach((key, item) -> {
                    if (key == null) {
                        throw new IllegalArgumentException("a map has the key null; expected a text");
                    }
                    require(item, level + 1);
                });
            case Iterable<?> list -> list.forEach(item -> require(item, level + 1));
            default ->
                throw new IllegalArgumentException(
                        "a value of " + value.getClass().getTypeName()
                                + " has no form in a report; expected a text, number, boolean, null, or a list or"
                                + " map of these");
        }
    }

    private static void write(@Nullable Object value, JsonGenerator json) {
        switch (value) {
            case null -> json.writeNull();
            case String text -> json.writeString(text);
            case Boolean flag -> json.writeBoolean(flag);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number when !Double.isFinite(number) -> json.writeNull();
            case Double number -> json.writeNumber(number);
            case Float number when !Float.isFinite(number) -> json.writeNull();
            case Float number -> json.writeNumber(number);
            case Short number -> json.writeNumber(number);
            case Byte number -> json.writeNumber(number.intValue());
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case Map<?, ?> map -> writeMap(map, json);
            case Iterable<?> list -> {
                json.writeStartArray();
                list.forEach(item -> write(item, json));
                json.writeEndArray();
            }
            default -> throw new IllegalArgumentException("no JSON form of " + value.getClass() + ": " + value);
        }
    }

    private static void writeMap(Map<?, ?> map, JsonGenerator json) {
        json.writeStartObject();
        map.forEach((key, item) -> {
            json.writeName(key.toString());
            write(item, json);
        });
        json.writeEndObject();
    }

    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
