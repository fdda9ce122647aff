package dev.jacquard.apps.program;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The texts that a setting may have, and their values. A component may make types of its own.
 *
 * @param expected what a right value looks like, to complete "expected …"
 * @param parser gives the value of a text, or null if the text is none
 * @param <T> the values
 */
public record SettingType<T>(String expected, Function<String, @Nullable T> parser) {
    /** The word that leaves a choice to the program. */
    public static final String AUTO = "auto";

    /** Any text, not empty. */
    public static SettingType<String> text(String what) {
        return new SettingType<>(what, text -> text.isBlank() ? null : text);
    }

    /** A whole number from {@code least} to {@code most}. */
    public static SettingType<Integer> integer(int least, int most) {
        return new SettingType<>(range(least, most), text -> parseInteger(text, least, most));
    }

    /** A whole number, or {@code auto}, whose value is 0. */
    public static SettingType<Integer> integerOrAuto(int least, int most) {
        return new SettingType<>(
                AUTO + " or " + range(least, most),
                text -> text.equals(AUTO) ? Integer.valueOf(0) : parseInteger(text, least, most));
    }

    /** A number from {@code least} to {@code most}. */
    public static SettingType<Double> number(double least, double most) {
        return new SettingType<>("a number from " + least + " to " + most, text -> parseNumber(text, least, most));
    }

    /** A fraction from {@code least} to {@code most}, or {@code auto}, whose value is 0. */
    public static SettingType<Double> fractionOrAuto(double least, double most) {
        return new SettingType<>(
                AUTO + " or a fraction from " + least + " to " + most,
                text -> text.equals(AUTO) ? Double.valueOf(0) : parseNumber(text, least, most));
    }

    /** {@code true} or {@code false}. */
    public static SettingType<Boolean> flag() {
        return new SettingType<>("true or false", text -> switch (text) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> null;
        });
    }

    /** One of an enum's constants, written in lower case with hyphens. */
    public static <E extends Enum<E>> SettingType<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String names = Arrays.stream(constants).map(SettingType::nameOf).collect(Collectors.joining(", "));
        return new SettingType<>("one of " + names, text -> {
            for (E constant : constants) {
                if (nameOf(constant).equals(text)) {
                    return constant;
                }
            }
            return null;
        });
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
        try {
            double value = Double.parseDouble(text);
            return value >= least && value <= most ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
