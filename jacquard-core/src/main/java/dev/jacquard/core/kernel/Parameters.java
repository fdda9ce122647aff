package dev.jacquard.core.kernel;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a kernel, numbers before data. Binds and checks the arguments of tasks. Immutable.
 *
 * <p>Numbers are bound by their order. Data is bound by names where each parameter after the numbers has the name of
 * one of the data, and all of these are different; else by the order of the accesses.
 */
final class Parameters {
    private final String kernel;
    private final List<KernelParameter> all;

    /**
     * Creates the parameters. Throws {@link IllegalArgumentException} when two have the same name, or one is to be like
     * a parameter that is not before it.
     */
    Parameters(String kernel, List<KernelParameter> all) {
        this.kernel = kernel;
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            KernelParameter parameter = all.get(i);
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
        return all.stream().map(KernelParameter::name).toList();
    }

    /**
     * Returns the accesses of a task with the data in the order of the parameters: the same list where names do not
     * decide, or agree with the order. Other resources stay where they are.
     */
    AccessList bound(AccessList declared, int numbers) {
        int next = numbers;
        boolean moves = false;
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof Data data) {
                int index = next < all.size() && all.get(next).name().equals(data.name()) ? next : indexOf(data.name());
                if (index < numbers) {
                    return declared; // the name is none of a parameter for data
                }
                moves |= index != next++;
            }
        }
        return moves && next == all.size() ? moved(declared, numbers) : declared;
    }

    /** Returns the accesses in the order of the parameters, unless two are to data of one name. */
    private AccessList moved(AccessList declared, int numbers) {
        int[] places = new int[all.size() - numbers]; // for each parameter, which access is bound to it, from 1 on
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof Data data) {
                int parameter = indexOf(data.name()) - numbers;
                if (places[parameter] != 0) {
                    return declared;
                }
                places[parameter] = i + 1;
            }
        }
        AccessList.Builder builder = new AccessList.Builder(declared.size());
        int parameter = 0;
        for (int i = 0; i < declared.size(); i++) {
            int from = declared.resource(i) instanceof Data ? places[parameter++] - 1 : i;
            builder.add(declared.resource(from), declared.access(from));
        }
        return builder.build();
    }

    /**
     * Throws unless these are arguments for a task of that name.
     *
     * @param accesses the accesses of the task, in the order of the parameters
     * @param data the parts that they are to
     */
    void require(String task, List<Object> numbers, AccessList accesses, List<View> data) {
        if (numbers.size() + data.size() != all.size()) {
            throw unfit(
                    task, "takes " + all.size() + " arguments, not " + (numbers.size() + data.size()), numbers, data);
        }
        for (int i = 0; i < numbers.size(); i++) {
            KernelParameter parameter = all.get(i);
            Object number = numbers.get(i);
            Class<?> wanted = parameter.number();
            if (parameter.kind() == KernelParameter.Kind.DATA || (wanted != null && !wanted.isInstance(number))) {
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
        int next = numbers.size();
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data its) {
                KernelParameter parameter = all.get(next++);
                if (parameter.mode() != null && parameter.mode() != modeOf(accesses.access(i))) {
                    throw unfit(
                            task,
                            "accesses \"" + parameter.name() + "\" by " + parameter.mode()
                                    + ", and the task declares " + accesses.access(i) + " of data \"" + its.name()
                                    + "\" for it: declare " + parameter.mode(),
                            numbers,
                            data);
                }
            }
        }
    }

    /** Returns the mode of an access: to a whole or a part, or of a user-defined access, by its reads and writes. */
    private static Mode modeOf(Access access) {
        Access whole = access.whole();
        return whole instanceof Mode mode ? mode : Mode.ofStranger(whole);
    }

    private @Nullable String misfit(KernelParameter parameter, View its, int numbers, List<View> data) {
        Layout layout = its.data().layout();
        if (parameter.kind() == KernelParameter.Kind.NUMBER) {
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
                + "\n  parameters: "
                + all.stream().map(KernelParameter::toString).collect(Collectors.joining(", "))
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
