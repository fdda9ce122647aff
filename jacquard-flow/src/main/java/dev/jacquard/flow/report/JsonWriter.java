package dev.jacquard.flow.report;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON: an object per record with a field per component; text, numbers, truth values, names of
 * enumerations, lists, records and optional values.
 *
 * <p>Threads: confined.
 */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();

    private JsonWriter() {}

    static String text(Record value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value, "\n");
        return writer.text.append('\n').toString();
    }

    private void value(@Nullable Object value, String line) {
        switch (value) {
            case Record known -> fields(known, line);
            case List<?> list -> list(list, line);
            case Double number
            when Double.isFinite(number) ->
                text.append(String.format(Locale.ROOT, "%.6g", number).replace(',', '.'));
            case Long number -> text.append(number.longValue());
            case Integer number -> text.append(number.intValue());
            case Boolean truth -> text.append(truth.booleanValue());
            case Optional<?> some -> value(some.orElse(null), line);
            case null -> text.append("null");
            case Enum<?> name -> quoted(name.name());
            default -> quoted(value.toString());
        }
    }

    private void fields(Record value, String line) {
        String inner = line + "  ";
        String separator = "{";
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            text.append(separator).append(inner);
            quoted(component.getName());
            text.append(": ");
            value(JsonRecords.component(value, component), inner);
            separator = ",";
        }
        text.append(line).append('}');
    }

    private void list(List<?> list, String line) {
        if (list.isEmpty()) {
            text.append("[]");
            return;
        }
        String inner = line + "  ";
        String separator = "[";
        for (Object element : list) {
            text.append(separator).append(inner);
            value(element, inner);
            separator = ",";
        }
        text.append(line).append(']');
    }

    private void quoted(String word) {
        text.append('"');
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) { // a lone surrogate has no UTF-8
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
