package dev.jacquard.apps.replay;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.InputException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object of a document under the name that messages give it, with typed access to its members. Immutable. */
final class Element {
    private static final int MOST_LISTED = 12;
    /** Longer numbers are mistakes, and dear to convert. */
    private static final int MOST_DIGITS = 400;

    private final String subject;
    private final String where;
    private final Map<String, JsonMember> members;

    private Element(String subject, String where, Map<String, JsonMember> members) {
        this.subject = subject;
        this.where = where;
        this.members = members;
    }

    /** {@code value}, which must be an object; messages call it {@code subject}. */
    static Element of(JsonValue value, String subject) {
        if (value instanceof JsonValue.Members object) {
            return new Element(subject, value.where(), object.byName());
        }
        throw new InputException(
                value.where() + ": " + subject + ": expected an object, {…}, but there is " + value.kind());
    }

    /** The same under a better name. */
    Element named(String name) {
        return new Element(name, where, members);
    }

    String subject() {
        return subject;
    }

    String where() {
        return where;
    }

    /** Refuses all members but these. */
    Element allow(List<String> keys) {
        members.forEach((key, member) -> {
            if (!keys.contains(key)) {
                throw wrong(member.where(), "there is no \"" + key + "\" here" + hint(key, keys));
            }
        });
        return this;
    }

    /** The place of member {@code key}, or of the whole when there is no such member. */
    String where(String key) {
        JsonMember member = members.get(key);
        return member == null ? where : member.where();
    }

    boolean has(String key) {
        return members.containsKey(key);
    }

    /** Refuses an object without {@code key}, which should be {@code what}. */
    void require(String key, String what) {
        if (!has(key)) {
            throw wrong(where, "\"" + key + "\" is missing; expected " + what);
        }
    }

    /** A text that must be there and must not be empty. */
    String text(String key) {
        JsonValue value = value(key).orElseThrow(() -> wrong(where, "\"" + key + "\" is missing; expected a text"));
        if (value instanceof JsonValue.Text text && !text.text().isBlank()) {
            return text.text();
        }
        throw expected(key, "a text that is not empty", value);
    }

    @Nullable
    String textOrNull(String key) {
        return has(key) ? text(key) : null;
    }

    boolean truth(String key) {
        return value(key, JsonValue.Truth.class, "true or false")
                .map(JsonValue.Truth::value)
                .orElse(false);
    }

    /** A number; infinite when it is too large for one. */
    Optional<Double> number(String key) {
        return value(key, JsonValue.Digits.class, "a number").map(number -> Double.parseDouble(number.digits()));
    }

    /** A whole number from {@code least} to {@code most}. */
    Optional<Long> integer(String key, long least, long most) {
        return value(key).map(value -> whole("\"" + key + '"', value, least, most));
    }

    /** {@code value} as a whole number from {@code least} to {@code most}; messages call it {@code what}. */
    long whole(String what, JsonValue value, long least, long most) {
        if (value instanceof JsonValue.Digits number && number.digits().length() <= MOST_DIGITS) {
            try {
                long exact = new BigDecimal(number.digits()).longValueExact();
                if (exact >= least && exact <= most) {
                    return exact;
                }
            } catch (ArithmeticException e) {
                // not whole, or too large: refused below
            }
        }
        throw wrong(
                value.where(),
                what + " is " + value.kind() + "; expected a whole number from " + least + " to " + most);
    }

    /** A list; empty when the member is missing. */
    List<JsonValue> list(String key) {
        return value(key, JsonValue.Items.class, "a list, […]")
                .map(JsonValue.Items::values)
                .orElse(List.of());
    }

    /** A list of texts; empty when the member is missing. */
    List<JsonValue.Text> texts(String key) {
        return list(key).stream()
                .map(value -> {
                    if (value instanceof JsonValue.Text text) {
                        return text;
                    }
                    throw wrong(
                            value.where(), "\"" + key + "\" has " + value.kind() + " in its list; expected texts only");
                })
                .toList();
    }

    /** The one of {@code values} that {@code text} spells; {@code fault} explains the error of another text. */
    <E> E spelt(String place, String text, String fault, E[] values, Function<E, String> spelling) {
        return Arrays.stream(values)
                .filter(value -> spelling.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(
                        place,
                        fault + hint(text, Arrays.stream(values).map(spelling).toList())));
    }

    /** An object under {@code key}, which must be there. */
    Element element(String key) {
        JsonValue value = value(key).orElseThrow(() -> wrong(where, "\"" + key + "\" is missing; expected an object"));
        return of(value, '"' + key + '"');
    }

    /** The error to throw: at {@code place}, this element has a fault. */
    InputException wrong(String place, String fault) {
        return new InputException(place + ": " + subject + ": " + fault);
    }

    /** Completes a message on a name that is not known. */
    static String hint(String name, List<String> known) {
        if (known.isEmpty()) {
            return "; there are none";
        }
        return NearestName.of(name, known)
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElseGet(() -> "; known are "
                        + String.join(", ", known.subList(0, Math.min(MOST_LISTED, known.size())))
                        + (known.size() > MOST_LISTED ? ", … (" + known.size() + " in all)" : ""));
    }

    private InputException expected(String key, String what, JsonValue value) {
        return wrong(value.where(), "\"" + key + "\" is " + value.kind() + "; expected " + what);
    }

    private <T extends JsonValue> Optional<T> value(String key, Class<T> type, String what) {
        return value(key).map(value -> {
            if (type.isInstance(value)) {
                return type.cast(value);
            }
            throw expected(key, what, value);
        });
    }

    private Optional<JsonValue> value(String key) {
        return Optional.ofNullable(members.get(key)).map(JsonMember::value);
    }
}
