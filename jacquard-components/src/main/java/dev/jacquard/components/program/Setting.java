package dev.jacquard.components.program;

import dev.jacquard.base.text.DecimalText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One value that a component takes from its program file. Declared once, as a constant, and used as the typed key to
 * read the value from {@link Settings}.
 *
 * @param key the dotted name: {@code grid.rows} is the entry {@code rows} of the section {@code grid}. In
 *     {@code unknowns.*.rate} and {@code parameters.*} the second word is a name that the user gives, and any number of
 *     them
 * @param type the values that it may have
 * @param byDefault the text that stands when the program gives none; null if it must give one, and empty if there is no
 *     value then
 * @param meaning one or two sentences for the user
 * @param <T> the values
 */
public record Setting<T>(String key, Type<T> type, @Nullable String byDefault, String meaning) {
    public Setting {
        if (byDefault != null && !byDefault.isEmpty() && type.parser().apply(byDefault) == null) {
            throw new IllegalArgumentException(key + ": the default '" + byDefault + "' is not " + type.expected());
        }
    }

    /** A setting that every program must give. */
    public static <T> Setting<T> required(String key, Type<T> type, String meaning) {
        return new Setting<>(key, type, null, meaning);
    }

    /** A setting of named sections that has no value where a program leaves it out. */
    public static <T> Setting<T> absent(String key, Type<T> type, String meaning) {
        return new Setting<>(key, type, "", meaning);
    }

    /** A setting that a program may leave out. */
    public static <T> Setting<T> optional(String key, Type<T> type, String byDefault, String meaning) {
        return new Setting<>(key, type, byDefault, meaning);
    }

    private static final String NAME = ".*";

    /** Returns true if it stands for a value under each of the names that the user gives. */
    boolean isNamed() {
        return key.contains(NAME);
    }

    /** Returns the section of the names. */
    String section() {
        return key.substring(0, key.indexOf(NAME));
    }

    /** Returns the key under a name. */
    String key(String name) {
        return key.replace("*", name);
    }

    /** Returns true if a key of a program is one of this setting. */
    boolean matches(String other) {
        if (!isNamed()) {
            return key.equals(other);
        }
        String[] words = other.split("\\.", -1);
        return words.length > 1 && !words[1].isBlank() && key(words[1]).equals(other);
    }

    /** Returns true if a section of a program may hold this setting. */
    boolean isWithin(String section) {
        String[] words = section.split("\\.", -1);
        String[] own = key.split("\\.", -1);
        boolean isWithin = words.length < own.length;
        for (int i = 0; isWithin && i < words.length; i++) {
            isWithin = own[i].equals("*") || own[i].equals(words[i]);
        }
        return isWithin;
    }

    /** Returns true if there is no value where the program gives none. */
    boolean mayBeAbsent() {
        return byDefault != null && byDefault.isEmpty();
    }

    /**
     * The texts that a setting may have, and their values. A component may make its own types.
     *
     * @param expected the form of a right value, to complete "expected …"
     * @param parser gives the value of a text, or null if the text is none
     * @param schema the texts that YAML may have for it, as JSON Schema says it; for editors, and less strict
     * @param <T> the values
     */
    public record Type<T>(String expected, Function<String, @Nullable T> parser, Map<String, ?> schema) {
        private static final Map<String, ?> SCALAR = Map.of("type", List.of("string", "number", "boolean"));

        public Type {
            schema = Map.copyOf(schema);
        }

        /** A type that is any scalar of YAML to an editor. */
        public Type(String expected, Function<String, @Nullable T> parser) {
            this(expected, parser, SCALAR);
        }

        /** A range of whole numbers that ends where they do; the end is reported to users who meet it. */
        private static final Pattern OPEN = Pattern.compile("a whole number from -?\\d+ up$");

        /** A number as people write it; Java reads more, such as {@code 0x1p3} and {@code 1d}. */
        private static final Pattern NUMBER = Pattern.compile("[-+.0-9eE]+|[-+]?Infinity");

        /**
         * Returns the form of a right value, for a user who gave that text: with the greatest number, if it is above
         * all, or the least, if it is a number that no double holds.
         */
        public String expected(String text) {
            boolean isAbove =
                    text.matches("\\+?\\d{10,}") && OPEN.matcher(expected).find();
            if (NUMBER.matcher(text).matches() && vanishes(text)) {
                return expected + ", 0 or " + Double.MIN_VALUE + " at least, without its sign";
            }
            return isAbove ? expected + ", at most " + Integer.MAX_VALUE : expected;
        }

        /** The word that leaves a choice to the program. */
        public static final String AUTO = "auto";

        /** Any text, not empty. */
        public static Type<String> text(String what) {
            return new Type<>(what, text -> text.isBlank() ? null : text);
        }

        /** A whole number from {@code least} to {@code most}. */
        public static Type<Integer> integer(int least, int most) {
            return new Type<>(
                    range(least, most), text -> parseInteger(text, least, most), limits("integer", least, most));
        }

        /** A whole number, or {@code auto} with the value 0. */
        public static Type<Integer> integerOrAuto(int least, int most) {
            return new Type<>(
                    AUTO + " or " + range(least, most),
                    text -> text.equals(AUTO) ? Integer.valueOf(0) : parseInteger(text, least, most),
                    orAuto(limits("integer", least, most)));
        }

        /** A number from {@code least} to {@code most}. */
        public static Type<Double> number(double least, double most) {
            String expected = least <= -Double.MAX_VALUE && most >= Double.MAX_VALUE
                    ? Double.isInfinite(most) ? "a number, or Infinity" : "a number"
                    : "a number from " + least + " to " + most;
            return new Type<>(expected, text -> parseNumber(text, least, most), numbers(least, most));
        }

        /** Returns the schema of a range; JSON has no infinite numbers, for which YAML has a word. */
        private static Map<String, ?> numbers(double least, double most) {
            if (least <= -Double.MAX_VALUE && most >= Double.MAX_VALUE) {
                return SCALAR;
            }
            if (Double.isInfinite(most)) {
                return Map.of(
                        "anyOf", List.of(Map.of("const", "Infinity"), Map.of("type", "number", "minimum", least)));
            }
            if (Double.isInfinite(least)) {
                return Map.of(
                        "anyOf", List.of(Map.of("const", "-Infinity"), Map.of("type", "number", "maximum", most)));
            }
            return limits("number", least, most);
        }

        /** A fraction from {@code least} to {@code most}, or {@code auto} with the value 0. */
        public static Type<Double> fractionOrAuto(double least, double most) {
            return new Type<>(
                    AUTO + " or a fraction from " + least + " to " + most,
                    text -> text.equals(AUTO) ? Double.valueOf(0) : parseNumber(text, least, most),
                    orAuto(limits("number", least, most)));
        }

        /** {@code true} or {@code false}. */
        public static Type<Boolean> flag() {
            return new Type<>(
                    "true or false",
                    text -> List.of("true", "false").contains(text) ? Boolean.valueOf(text) : null,
                    Map.of("type", "boolean"));
        }

        /** One of an enum's constants, written in lower case with hyphens. */
        public static <E extends Enum<E>> Type<E> choice(Class<E> type) {
            return choice(type, List.of(type.getEnumConstants()));
        }

        /**
         * One of an enum's constants, of which some alone are proposed.
         *
         * @param proposed the constants to name where another text is given
         */
        public static <E extends Enum<E>> Type<E> choice(Class<E> type, List<E> proposed) {
            List<String> names = proposed.stream().map(Type::nameOf).toList();
            return new Type<>(
                    "one of " + String.join(", ", names),
                    text -> Arrays.stream(type.getEnumConstants())
                            .filter(constant -> nameOf(constant).equals(text))
                            .findFirst()
                            .orElse(null),
                    Map.of("enum", names));
        }

        private static Map<String, ?> limits(String type, Number least, Number most) {
            return Map.of("type", type, "minimum", least, "maximum", most);
        }

        private static Map<String, ?> orAuto(Map<String, ?> schema) {
            return Map.of("anyOf", List.of(Map.of("const", AUTO), schema));
        }

        /** The spelling of an enum's constant in a program: {@code least-squares}. */
        public static String nameOf(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private static String range(int least, int most) {
            return most == Integer.MAX_VALUE
                    ? "a whole number from " + least + " up"
                    : "a whole number from " + least + " to " + most;
        }

        private static @Nullable Integer parseInteger(String text, int least, int most) {
            try {
                int value = Integer.parseInt(text);
                return value < least || value > most ? null : value;
            } catch (NumberFormatException e) {
                return null;
            }
        }

        private static @Nullable Double parseNumber(String text, double least, double most) {
            if (!NUMBER.matcher(text).matches()) {
                return null;
            }
            try {
                double value = Double.parseDouble(text);
                return value >= least && value <= most && !DecimalText.vanishes(text, value) ? value : null;
            } catch (NumberFormatException e) {
                return null;
            }
        }

        private static boolean vanishes(String text) {
            try {
                return DecimalText.vanishes(text, Double.parseDouble(text));
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
