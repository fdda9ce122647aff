package dev.jacquard.core.kernel;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parameters of a kernel, numbers before data. Checks the arguments of tasks. Immutable. */
final class Parameters {
    private final String kernel;
    private final List<Parameter> all;

    /**
     * Creates the parameters. Throws {@link IllegalArgumentException} when two have the same name, or one is to be like
     * a parameter that is not before it.
     */
    Parameters(String kernel, List<Parameter> all) {
        this.kernel = kernel;
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            Parameter parameter = all.get(i);
            if (indexOf(parameter.name()) != i) {
                throw new IllegalArgumentException(
                        "kernel \"" + kernel + "\" has two parameters \"" + parameter.name() + '"');
            }
            int like = parameter.like() == null ? -1 : indexOf(parameter.like());
            if (parameter.like() != null && (like < 0 || like >= i)) {
                throw new IllegalArgumentException("parameter \"" + parameter.name() + "\" of kernel \"" + kernel
                        + "\" is to be as large as \"" + parameter.like() + "\", which is none before it");
            }
        }
    }

    /** Returns the index of the parameter of that name; -1 when there is none. */
    int indexOf(String name) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    List<String> names() {
        return all.stream().map(Parameter::name).toList();
    }

    /** Throws unless these are arguments for a task of that name. */
    void require(String task, List<Object> numbers, List<View> data) {
        if (numbers.size() + data.size() != all.size()) {
            throw unfit(
                    task, "takes " + all.size() + " arguments, not " + (numbers.size() + data.size()), numbers, data);
        }
        for (int i = 0; i < numbers.size(); i++) {
            Parameter parameter = all.get(i);
            Object number = numbers.get(i);
            Class<?> wanted = parameter.number();
            if (parameter.kind() == Parameter.Kind.DATA || (wanted != null && !wanted.isInstance(number))) {
                String what = wanted == null ? "data" : "a " + wanted.getSimpleName();
                throw unfit(
                        task,
                        "takes " + what + " as \"" + parameter.name() + "\", not the "
                                + number.getClass().getSimpleName() + " " + number,
                        numbers,
                        data);
            }
        }
        for (int i = 0; i < data.size(); i++) {
            String why = misfit(all.get(numbers.size() + i), data.get(i), numbers.size(), data);
            if (why != null) {
                throw unfit(task, why, numbers, data);
            }
        }
    }

    private @Nullable String misfit(Parameter parameter, View its, int numbers, List<View> data) {
        Layout layout = its.data().layout();
        if (parameter.kind() == Parameter.Kind.NUMBER) {
            return "takes a number as \"" + parameter.name() + "\", not data \""
                    + its.data().name() + '"';
        }
        if (parameter.type() != null && layout.type() != parameter.type()) {
            return "takes elements of type " + lower(parameter.type()) + " as \"" + parameter.name() + "\", and data \""
                    + its.data().name() + "\" has " + lower(layout.type());
        }
        if (parameter.dimensions() != 0 && layout.dimensions() != parameter.dimensions()) {
            return "takes data of " + parameter.dimensions() + " dimensions as \"" + parameter.name() + "\", and \""
                    + its.data().name() + "\" has " + layout.dimensions();
        }
        int like = parameter.like() == null ? -1 : indexOf(parameter.like()) - numbers;
        if (like >= 0
                && !Arrays.equals(data.get(like).box().extents(), its.box().extents())) {
            return "takes \"" + parameter.name() + "\" as large as \"" + parameter.like() + "\", and " + text(its)
                    + " is not as large as " + text(data.get(like));
        }
        return null;
    }

    private IllegalArgumentException unfit(String task, String why, List<Object> numbers, List<View> data) {
        String given = Stream.concat(
                        numbers.stream().map(String::valueOf), data.stream().map(Parameters::text))
                .collect(Collectors.joining(", "));
        return new IllegalArgumentException("task \"" + task + "\": kernel \"" + kernel + "\" " + why
                + "\n  parameters: " + all.stream().map(Parameter::toString).collect(Collectors.joining(", "))
                + "\n  arguments:  " + (given.isEmpty() ? "none" : given));
    }

    /** Returns the name, type and size of a part, for messages. */
    static String text(View its) {
        Layout layout = its.data().layout();
        String part = its.box().equals(its.data().box()) ? "" : its.box().toString();
        return its.data().name() + part + " (" + lower(layout.type())
                + Arrays.stream(its.box().extents())
                        .mapToObj(extent -> " x " + extent)
                        .collect(Collectors.joining())
                + ')';
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
