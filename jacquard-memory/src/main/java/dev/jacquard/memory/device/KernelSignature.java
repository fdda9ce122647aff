package dev.jacquard.memory.device;

import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a kernel as its source declares them. Found without a compiler, so that a task's arguments are held
 * against them when it is submitted, on a machine without such a device too. Types that the text alone does not tell
 * (macros, {@code typedef}s, structures) are unknown, and fit everything. Immutable.
 *
 * @param parameters in order; null when the source does not tell how many there are
 */
record KernelSignature(@Nullable List<Declared> parameters) {
    private static final KernelSignature UNKNOWN = new KernelSignature(null);

    private static final Pattern COMMENT = Pattern.compile("//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern DEFINITION =
            Pattern.compile("^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)(\\(?)(.*)$", Pattern.MULTILINE);
    private static final Pattern DIRECTIVE = Pattern.compile("^[ \\t]*#.*$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern KERNEL = Pattern.compile("\\b(__kernel|kernel|__global__)\\b");
    private static final Set<String> QUALIFIERS = Set.of(
            "const",
            "volatile",
            "restrict",
            "__restrict",
            "__restrict__",
            "global",
            "__global",
            "constant",
            "__constant");

    /** Words of one type, in alphabetical order, and the elements that have it. */
    private static final Map<String, DataType> TYPES = Map.ofEntries(
            Map.entry("char", DataType.INT8),
            Map.entry("char signed", DataType.INT8),
            Map.entry("char unsigned", DataType.INT8),
            Map.entry("uchar", DataType.INT8),
            Map.entry("int8_t", DataType.INT8),
            Map.entry("uint8_t", DataType.INT8),
            Map.entry("int", DataType.INT32),
            Map.entry("int signed", DataType.INT32),
            Map.entry("signed", DataType.INT32),
            Map.entry("int unsigned", DataType.INT32),
            Map.entry("unsigned", DataType.INT32),
            Map.entry("uint", DataType.INT32),
            Map.entry("int32_t", DataType.INT32),
            Map.entry("uint32_t", DataType.INT32),
            Map.entry("long", DataType.INT64),
            Map.entry("int long", DataType.INT64),
            Map.entry("long signed", DataType.INT64),
            Map.entry("long unsigned", DataType.INT64),
            Map.entry("int long unsigned", DataType.INT64),
            Map.entry("ulong", DataType.INT64),
            Map.entry("long long", DataType.INT64),
            Map.entry("int long long", DataType.INT64),
            Map.entry("long long signed", DataType.INT64),
            Map.entry("long long unsigned", DataType.INT64),
            Map.entry("int64_t", DataType.INT64),
            Map.entry("uint64_t", DataType.INT64),
            Map.entry("size_t", DataType.INT64),
            Map.entry("float", DataType.FLOAT32),
            Map.entry("double", DataType.FLOAT64));

    private static final Pattern VECTOR = Pattern.compile("(u?char|u?int|u?long|float|double)(2|3|4|8|16)");

    /**
     * One parameter.
     *
     * @param text as the source has it
     * @param pointer true for memory of the device
     * @param known false when only the driver knows if something fits
     * @param type of the value, or of the elements that the pointer leads to; null when unknown
     */
    record Declared(
            String text,
            boolean pointer,
            boolean known,
            @Nullable DataType type) {
        /** Returns why a number or {@link DataType} does not fit; null when it does, as far as that is known. */
        @Nullable
        String misfit(Object argument) {
            if (!known) {
                return null;
            }
            if (argument instanceof DataType given) {
                if (!pointer) {
                    return "is a number, and is given data";
                }
                return type == null || type == given
                        ? null
                        : "points to elements of type " + lower(type) + ", and is given data of type " + lower(given);
            }
            if (pointer) {
                return "is memory of the device, and is given the " + number(argument);
            }
            return type == null || classOf(type).isInstance(argument)
                    ? null
                    : "takes " + (type == DataType.INT32 ? "an " : "a ")
                            + classOf(type).getSimpleName() + ", and is given the " + number(argument);
        }

        private static String number(Object number) {
            return number.getClass().getSimpleName() + " " + number;
        }
    }

    /** The signature of the source's function; unknown when the text has none of that name, or several that differ. */
    static KernelSignature of(KernelSource source) {
        String text = COMMENT.matcher(source.text().replace("\\\n", " ")).replaceAll(" ");
        Map<String, MatchResult> macros = DEFINITION
                .matcher(text)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found, (one, other) -> other));
        String code = DIRECTIVE.matcher(text).replaceAll(";");
        Set<KernelSignature> found = Pattern.compile("\\b" + Pattern.quote(source.function()) + "\\s*\\(")
                .matcher(code)
                .results()
                .filter(at -> KERNEL.matcher(before(code, at.start())).find())
                .map(at -> list(code, at.end(), macros))
                .collect(Collectors.toSet());
        return found.size() == 1 ? found.iterator().next() : UNKNOWN;
    }

    /** The signature that a driver reports, with macros and {@code typedef}s resolved: {@code double* x}. */
    static KernelSignature of(List<String> declarations) {
        return new KernelSignature(
                declarations.stream().map(one -> declared(one, Set.of())).toList());
    }

    /** The declaration's text before {@code end}. */
    private static String before(String code, int end) {
        int start = end;
        while (start > 0 && ";{}".indexOf(code.charAt(start - 1)) < 0) {
            start--;
        }
        return code.substring(start, end).replace("extern \"C\"", " ");
    }

    private static KernelSignature list(String code, int start, Map<String, MatchResult> macros) {
        List<Declared> all = new ArrayList<>();
        int depth = 0;
        int from = start;
        for (int i = start; i < code.length(); i++) {
            char c = code.charAt(i);
            if (depth == 0 && (c == ',' || c == ')')) {
                String one = code.substring(from, i).strip();
                from = i + 1;
                if (c == ')' && all.isEmpty() && (one.isEmpty() || one.equals("void"))) {
                    return new KernelSignature(List.of());
                }
                if (isSeveral(one, macros)) {
                    return UNKNOWN;
                }
                all.add(declared(one, macros.keySet()));
                if (c == ')') {
                    return new KernelSignature(List.copyOf(all));
                }
            } else if ("([<".indexOf(c) >= 0) {
                depth++;
            } else if (")]>".indexOf(c) >= 0) {
                depth--;
            }
        }
        return UNKNOWN;
    }

    /** True if a macro may stand for more than a part of one parameter. */
    private static boolean isSeveral(String parameter, Map<String, MatchResult> macros) {
        List<String> words =
                WORD.matcher(parameter).results().map(MatchResult::group).toList();
        return words.isEmpty()
                || words.stream()
                        .map(macros::get)
                        .anyMatch(macro -> macro != null
                                && (!macro.group(2).isEmpty() || macro.group(3).contains(",") || words.size() == 1));
    }

    private static Declared declared(String text, Set<String> macros) {
        String shown = text.replaceAll("\\s+", " ");
        boolean pointer = text.contains("*") || text.contains("[");
        boolean odd = text.chars().anyMatch(c -> "&<>()".indexOf(c) >= 0)
                || text.indexOf('*') != text.lastIndexOf('*')
                || WORD.matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .anyMatch(word -> macros.contains(word) || word.equals("local") || word.equals("__local"));
        if (odd) {
            return new Declared(shown, pointer, false, null);
        }
        String head = pointer ? text.split("[*\\[]", 2)[0] : text;
        List<String> words = WORD.matcher(head)
                .results()
                .map(MatchResult::group)
                .filter(word -> !QUALIFIERS.contains(word))
                .toList();
        DataType type = type(words, pointer);
        if (type == null && words.size() > 1) { // the last word is the name
            type = type(words.subList(0, words.size() - 1), pointer);
        }
        return new Declared(shown, pointer, pointer || type != null, type);
    }

    private static @Nullable DataType type(List<String> words, boolean pointer) {
        DataType type = TYPES.get(words.stream().sorted().collect(Collectors.joining(" ")));
        if (type == null && pointer && words.size() == 1) { // memory of vectors is memory of their elements
            Matcher vector = VECTOR.matcher(words.getFirst());
            return vector.matches() ? TYPES.get(vector.group(1)) : null;
        }
        // A number of one byte cannot be given, nor looked at.
        return type == DataType.INT8 && !pointer ? null : type;
    }

    /** False when there is something about which only the driver can tell more. */
    boolean isComplete() {
        return parameters != null && parameters.stream().allMatch(one -> one.known && one.type != null);
    }

    /**
     * Throws unless these arguments fit.
     *
     * @param task the name of the submitted task, for the message
     * @param arguments numbers, and a {@link DataType} for each data
     */
    void require(String task, List<Object> arguments) {
        if (parameters == null) {
            return;
        }
        if (arguments.size() != parameters.size()) {
            throw unfit(task + " takes " + parameters.size() + " arguments, not " + arguments.size(), arguments);
        }
        for (int i = 0; i < arguments.size(); i++) {
            String why = parameters.get(i).misfit(arguments.get(i));
            if (why != null) {
                throw unfit(
                        task + ": parameter " + (i + 1) + ", \"" + parameters.get(i).text + "\", " + why, arguments);
            }
        }
    }

    private IllegalArgumentException unfit(String why, List<Object> arguments) {
        return new IllegalArgumentException(why + "\n  parameters: " + declarations() + "\n  arguments:  "
                + (arguments.isEmpty()
                        ? "none"
                        : arguments.stream().map(KernelSignature::given).collect(Collectors.joining(", "))));
    }

    private String declarations() {
        List<Declared> all = parameters == null ? List.of() : parameters;
        Stream<String> texts = all.stream().map(Declared::text);
        return all.isEmpty() ? "none" : texts.collect(Collectors.joining(", "));
    }

    private static String given(Object argument) {
        return argument instanceof DataType type
                ? "data of " + lower(type)
                : argument.getClass().getSimpleName() + " " + argument;
    }

    private static Class<? extends Number> classOf(DataType type) {
        return switch (type) {
            case INT8 -> Byte.class;
            case INT32 -> Integer.class;
            case INT64 -> Long.class;
            case FLOAT32 -> Float.class;
            case FLOAT64 -> Double.class;
        };
    }

    private static String lower(DataType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }
}
