package dev.jacquard.flow.report;

import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Records as JSON documents, and the values in JSON documents. */
final class Json {
    /** The most levels of objects and arrays in a document that is read. */
    private static final int DEEPEST = 64;
    /** Half of a surrogate pair without the other one, which no file of text can hold: it is escaped. */
    private static final Pattern HALF = Pattern.compile("\\p{Cs}");

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private Json() {}

    /**
     * Returns {@code value} as a document: an object per record with a field per component; text, numbers, truth
     * values, names of enumerations, lists, records and optional values. Numbers that are not finite become null.
     */
    static String write(Record value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(new Indented(), text)) {
            write(value, generator);
        }
        return HALF.matcher(text.append('\n').toString())
                .replaceAll(half -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) half.group().charAt(0)));
    }

    private static void write(@Nullable Object value, JsonGenerator json) {
        switch (value) {
            case Record known -> {
                json.writeStartObject();
                for (RecordComponent component : known.getClass().getRecordComponents()) {
                    json.writeName(component.getName());
                    write(JsonRecords.component(known, component), json);
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(element -> write(element, json));
                json.writeEndArray();
            }
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Integer number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case Optional<?> some -> write(some.orElse(null), json);
            case Enum<?> name -> json.writeString(name.name());
            case String text -> json.writeString(text);
            case null, default -> json.writeNull();
        }
    }

    /**
     * Returns the only value of a document: objects are maps, arrays lists, whole numbers of 64 bits {@code Long},
     * other numbers {@code Double}.
     *
     * @throws IllegalArgumentException if it is no JSON; says at which line and column
     */
    static @Nullable Object read(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            boolean isEmpty = parser.nextToken() == null;
            Object value = isEmpty ? null : value(parser);
            if (isEmpty || parser.nextToken() != null) {
                throw new IllegalArgumentException(place(parser.currentLocation()) + (isEmpty ? "the end" : "more")
                        + ", expected one JSON object");
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    place(e.getLocation())
                            + e.getOriginalMessage()
                                    .lines()
                                    .findFirst()
                                    .orElse("")
                                    .strip() + "; expected JSON",
                    e);
        }
    }

    private static String place(@Nullable TokenStreamLocation at) {
        return at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, value(parser));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(parser));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
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
