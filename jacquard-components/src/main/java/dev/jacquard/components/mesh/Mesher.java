package dev.jacquard.components.mesh;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Plug;
import dev.jacquard.components.mesh.Plan.Wire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plugs sinks to sources. A wire of the program decides; else a sink takes the one source with its name and a type that
 * fits, of another part. All that is wrong is collected, not the first only.
 *
 * <p>Source: seed of the component front, section 5.3.5, "meshing".
 */
final class Mesher {
    /** The number of all parts with sockets that are not known. */
    private static final int UNMADE = -1;

    private static final int NONE = -2;

    private final List<Part> parts;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final Map<String, List<End>> sourcesByName = new LinkedHashMap<>();
    private final Map<String, Plug> plugs = new LinkedHashMap<>();
    private final List<String> errors;
    private final List<Wire> wires = new ArrayList<>();

    /** A source of a part. */
    private record End(int part, Source<?> source) {}

    private Mesher(List<Part> parts, List<String> unmade, List<String> errors) {
        this.parts = parts;
        this.errors = errors;
        unmade.forEach(name -> numbers.put(name, UNMADE));
        for (int i = 0; i < parts.size(); i++) {
            numbers.put(parts.get(i).name(), i);
            for (Source<?> source : parts.get(i).sources()) {
                sourcesByName
                        .computeIfAbsent(source.name(), name -> new ArrayList<>())
                        .add(new End(i, source));
            }
        }
    }

    /**
     * Returns all wires, by the order of the parts and of their sinks.
     *
     * @param unmade the names of parts with sockets that are not known
     * @param plugs the plugs of the program
     * @param errors takes the errors, a text each
     */
    static List<Wire> wires(List<Part> parts, List<String> unmade, List<Plug> plugs, List<String> errors) {
        Mesher mesher = new Mesher(parts, unmade, errors);
        for (Plug plug : plugs) {
            if (mesher.namesSink(plug)) {
                mesher.plugs.put(plug.sink(), plug);
            } else if (!plug.source().equals(Plug.NONE)) {
                mesher.source(plug, mesher.number(plug, plug.source()));
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            for (Sink<?> sink : parts.get(i).sinks()) {
                // a sink without a wire may be meant for a source that is not known
                if (unmade.isEmpty() || mesher.plugs.containsKey(parts.get(i).name(sink))) {
                    mesher.plug(i, sink);
                }
            }
        }
        if (unmade.isEmpty()) {
            mesher.requireInputs();
        }
        return mesher.wires;
    }

    /**
     * Refuses a component that hands on a value, from a sink to its own source of that name, which is needed and which
     * it never gets: its own source is none for the sink.
     */
    private void requireInputs() {
        for (Wire wire : wires) {
            Part part = parts.get(wire.from());
            if (wire.sink().isOptional()) {
                continue;
            }
            for (Sink<?> sink : part.sinks()) {
                boolean isEmpty = sink.name().equals(wire.source().name())
                        && wire.source().type().fits(sink.type())
                        && !plugs.containsKey(part.name(sink))
                        && fitting(wire.from(), sink).isEmpty();
                if (isEmpty) {
                    errors.add(part.where() + ": sink '" + part.name(sink) + "' finds no source: no other component has"
                            + " one called '" + sink.name() + "' that gives " + sink.type() + ", and '"
                            + parts.get(wire.to()).name(wire.sink()) + "' needs the component's own '" + sink.name()
                            + "'; plug one in under 'wires:', as in '" + part.name(sink) + ": component.source', or '"
                            + part.name(sink) + ": none' if it is to be empty");
                }
            }
        }
    }

    // ---- wires of the program

    private boolean namesSink(Plug plug) {
        int number = number(plug, plug.sink());
        return number >= 0
                && socket(
                                plug,
                                plug.sink(),
                                "sink",
                                parts.get(number),
                                parts.get(number).sinks())
                        != null;
    }

    /**
     * Returns the number of the part that a name begins with; {@link #NONE}, and the error is reported, if there is
     * none.
     */
    private int number(Plug plug, String end) {
        int dot = end.indexOf('.');
        String name = dot < 0 ? end : end.substring(0, dot);
        Integer number = numbers.get(name);
        if (dot < 0 || number == null) {
            errors.add(plug.where() + ": "
                    + (dot < 0
                            ? "'" + end + "' is no socket; expected 'component.socket'"
                            : "there is no component '" + name + "' in the program"
                                    + NearestName.hint(name, numbers.keySet())));
            return NONE;
        }
        return number;
    }

    private @Nullable Source<?> source(Plug plug, int number) {
        return number < 0
                ? null
                : socket(
                        plug,
                        plug.source(),
                        "source",
                        parts.get(number),
                        parts.get(number).sources());
    }

    private <S extends ComponentSocket<?>> @Nullable S socket(
            Plug plug, String end, String kind, Part part, Collection<S> sockets) {
        String name = end.substring(end.indexOf('.') + 1);
        for (S socket : sockets) {
            if (socket.name().equals(name)) {
                return socket;
            }
        }
        List<String> known = sockets.stream().map(ComponentSocket::name).toList();
        errors.add(plug.where() + ": component '" + part.name() + "' (" + part.component() + ") has no " + kind + " '"
                + name + "'" + (known.isEmpty() ? "; it has none" : NearestName.hint(name, known)));
        return null;
    }

    // ---- each sink

    private void plug(int number, Sink<?> sink) {
        Plug plug = plugs.get(parts.get(number).name(sink));
        End end = plug == null ? find(number, sink) : named(number, sink, plug);
        if (end == null) {
            return;
        }
        Part part = parts.get(number);
        if (end.source.isAgain() && !sink.isOptional()) {
            errors.add((plug == null ? part.where() : plug.where()) + ": sink '" + part.name(sink)
                    + "' needs a value in each execution, but '" + name(end)
                    + "' is empty in a loop's first pass; expected a sink that may be empty"
                    + listed(", such as ", optional(part)));
            return;
        }
        wires.add(new Wire(end.part, end.source, number, sink));
    }

    private static List<String> optional(Part part) {
        return part.sinks().stream().filter(Sink::isOptional).map(part::name).toList();
    }

    private @Nullable End named(int number, Sink<?> sink, Plug plug) {
        if (plug.source().equals(Plug.NONE)) {
            if (!sink.isOptional()) {
                errors.add(
                        plug.where() + ": sink '" + plug.sink() + "' must not be empty; expected 'component.source'");
            }
            return null;
        }
        int from = number(plug, plug.source());
        Source<?> source = source(plug, from);
        if (source == null) {
            return null;
        }
        if (from == number) {
            errors.add(plug.where() + ": '" + plug.sink() + "' is plugged to the component itself; expected a source of"
                    + " another one");
            return null;
        }
        if (!source.type().fits(sink.type())) {
            errors.add(plug.where() + ": source '" + plug.source() + "' gives " + source.type() + ", but sink '"
                    + plug.sink() + "' takes " + sink.type() + alike(source.type(), sink.type())
                    + listed("; of that type: ", ofType(number, sink)));
            return null;
        }
        return new End(from, source);
    }

    /** Explains two types that read the same. */
    private static String alike(SocketType<?> source, SocketType<?> sink) {
        return source.toString().equals(sink.toString())
                ? " (classes " + source.raw().getName() + " of " + source.raw().getClassLoader() + " and "
                        + sink.raw().getName() + " of " + sink.raw().getClassLoader() + ")"
                : "";
    }

    private @Nullable End find(int number, Sink<?> sink) {
        List<End> fitting = fitting(number, sink);
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        Part part = parts.get(number);
        if (!fitting.isEmpty()) {
            errors.add(part.where() + ": sink '" + part.name(sink) + "' fits more than one source"
                    + listed(": ", names(fitting)) + "; choose one under 'wires:', as in '" + part.name(sink) + ": "
                    + name(fitting.getFirst()) + "'");
        } else if (!sink.isOptional()) {
            errors.add(part.where() + ": sink '" + part.name(sink) + "' finds no source: none is called '" + sink.name()
                    + "' and gives " + sink.type()
                    + listed("; of that type: ", ofType(number, sink))
                    + listed("; of that name: ", ofName(number, sink))
                    + "; plug one in under 'wires:', as in '" + part.name(sink) + ": component.source'");
        }
        return null;
    }

    private List<End> fitting(int number, Sink<?> sink) {
        return sourcesByName.getOrDefault(sink.name(), List.of()).stream()
                .filter(end -> end.part != number && end.source.type().fits(sink.type()))
                .toList();
    }

    private List<String> ofType(int number, Sink<?> sink) {
        return sourcesByName.values().stream()
                .flatMap(List::stream)
                .filter(end -> end.part != number && end.source.type().fits(sink.type()))
                .map(this::name)
                .toList();
    }

    private List<String> ofName(int number, Sink<?> sink) {
        return sourcesByName.getOrDefault(sink.name(), List.of()).stream()
                .filter(end -> end.part != number)
                .map(end -> name(end) + " (" + end.source.type() + ")")
                .toList();
    }

    private List<String> names(List<End> ends) {
        return ends.stream().map(this::name).toList();
    }

    private String name(End end) {
        return parts.get(end.part).name(end.source);
    }

    private static String listed(String before, List<String> names) {
        return names.isEmpty() ? "" : before + names.stream().collect(Collectors.joining(", "));
    }
}
