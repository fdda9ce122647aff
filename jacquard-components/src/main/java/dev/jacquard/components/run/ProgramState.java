package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.core.session.Session;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of a program between passes of its outermost loops, as entries of a checkpoint: how far it is, passes and
 * executions, the values of sources, values that components keep, and their findings so far. Over ranks, that of one
 * rank.
 *
 * <p>Threads: one at a time, while no component is executed.
 */
final class ProgramState {
    private static final String BETWEEN = "\0";
    private static final String ESCAPE = "\1";
    /** How names of entries begin. */
    private static final String KEPT = "kept ";

    private static final String VALUE = "value ";

    private final Plan plan;
    private final List<CheckedPart> checked;
    private final Session session;
    /** All that a program must have in common with the one that wrote a checkpoint. */
    private final Map<String, String> model;

    /** A value of the program that is taken from an entry. */
    @FunctionalInterface
    private interface Restored {
        void from(String entry) throws IOException;
    }

    ProgramState(Plan plan, List<CheckedPart> checked, Session session) {
        this.plan = plan;
        this.checked = List.copyOf(checked);
        this.session = session;
        this.model = model(plan, checked);
    }

    private static Map<String, String> model(Plan plan, List<CheckedPart> checked) {
        Map<String, String> model = new LinkedHashMap<>();
        for (CheckedPart part : checked) {
            String name = part.part().name();
            model.put(
                    name,
                    part.component().name() + ", " + part.component().getClass().getName());
            part.settings().texts().forEach((key, text) -> model.put(name + "." + key, text));
            if (part.part().within() != null) {
                model.put(name + ".within", part.part().within());
            }
        }
        for (Wire wire : plan.wires()) {
            Part to = plan.parts().get(wire.to());
            model.put(
                    "wires." + to.name(wire.sink()),
                    plan.parts().get(wire.from()).name(wire.source()));
        }
        return model;
    }

    /** Returns texts as one; they may contain the character that is between them. */
    private static String joined(Collection<String> texts) {
        return texts.stream()
                .map(text -> text.replace(ESCAPE, ESCAPE + "e").replace(BETWEEN, ESCAPE + "b"))
                .collect(Collectors.joining(BETWEEN));
    }

    private static List<String> parted(String joined) {
        return Arrays.stream(joined.split(BETWEEN, -1))
                .map(text -> text.replace(ESCAPE + "b", BETWEEN).replace(ESCAPE + "e", ESCAPE))
                .toList();
    }

    // ---- saving

    /** Writes the model of the program. */
    void writeModel(CheckpointWriter out) throws IOException {
        out.writeText("keys", joined(model.keySet()));
        out.writeText("values", joined(model.values()));
    }

    /** Writes how far it is. */
    void write(TopState top, OpenedParts parts, Passes passes, CheckpointWriter out) throws IOException {
        writeModel(out);
        for (int place = 0; place < plan.top().size(); place++) {
            out.writeText("item " + top.name(place), top.word(place));
        }
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            String exit = plan.parts().get(plan.loops().get(loop).exit()).name();
            out.writeBytes("loop " + exit, MemorySegment.ofArray(passes.state(loop)));
        }
        SavedData data = new SavedData();
        Codecs codecs = new SharedValues(data.codecs()).codecs();
        for (int i = 0; i < parts.size(); i++) {
            save(parts.get(i), parts.context(i), codecs, out);
        }
        for (Map.Entry<String, Cell<?>> cell : parts.crossing().entrySet()) {
            save(cell.getKey(), cell.getValue(), codecs, out);
        }
        data.save(out, session);
    }

    private static void save(OpenedPart part, PartContext context, Codecs codecs, CheckpointWriter out)
            throws IOException {
        out.writeLong("executions " + part.name(), part.executions());
        Object result = context.result();
        if (result != null) {
            out.writeValue("result " + part.name(), Findings.CODEC, result);
        }
        out.writeValue("lines " + part.name(), Findings.CODEC, context.lines());
        for (PartContext.Kept<?> kept : context.kept()) {
            kept.save(part.name(), kept(part, kept), codecs, out);
        }
    }

    private static <T> void save(String name, Cell<T> cell, Codecs codecs, CheckpointWriter out) throws IOException {
        T value = cell.value;
        if (value == null) {
            return;
        }
        try {
            out.writeValue(VALUE + name, SocketCodecs.of(cell.type(), codecs), value);
        } catch (RuntimeException | StackOverflowError e) { // of a codec of the user's
            throw new IOException(
                    "the value of source '" + name + "' cannot be saved in a checkpoint: " + Reasons.of(e), e);
        }
    }

    // ---- restoring

    /**
     * Takes the written state.
     *
     * @param top how far the program is, from now on
     * @param file that is read, for messages
     */
    void read(CheckpointReader in, Path file, TopState top, OpenedParts parts, Passes passes) throws IOException {
        for (int place = 0; place < plan.top().size(); place++) {
            top.word(place, in.readText("item " + top.name(place)));
        }
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            String exit = plan.parts().get(plan.loops().get(loop).exit()).name();
            passes.state(loop, read("loop " + exit, in));
        }
        requirePassLimits(in, file, top, parts, passes);
        SavedData data = new SavedData();
        data.restore(in, session);
        for (int i = 0; i < parts.size(); i++) {
            restore(parts.get(i), parts.context(i), in);
        }
        restoreValues(parts, new SharedValues(data.codecs()).codecs(), in, file);
    }

    private static void restore(OpenedPart part, PartContext context, CheckpointReader in) throws IOException {
        part.executed(in.readLong("executions " + part.name()));
        String result = "result " + part.name();
        context.restore(
                in.names().contains(result) ? in.readValue(result, Findings.CODEC) : null,
                in.readValue("lines " + part.name(), Findings.CODEC));
    }

    /** Reads values in the order in which they were written, since later ones refer to earlier ones. */
    private void restoreValues(OpenedParts parts, Codecs codecs, CheckpointReader in, Path file) throws IOException {
        Map<String, Restored> places = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            for (PartContext.Kept<?> kept : parts.context(i).kept()) {
                String part = parts.get(i).name();
                places.put(kept(parts.get(i), kept), entry -> kept.restore(part, entry, codecs, in));
            }
        }
        for (Map.Entry<String, Cell<?>> cell : parts.crossing().entrySet()) {
            cell.getValue().clear();
            places.put(VALUE + cell.getKey(), entry -> restore(entry, cell.getValue(), codecs, in));
        }
        for (String entry : in.names()) {
            Restored place = places.remove(entry);
            if (place != null) {
                place.from(entry);
            } else if (entry.startsWith(KEPT) || entry.startsWith(VALUE)) {
                throw new IOException(file + " has an entry \"" + entry + "\", and the program has no such value: its"
                        + " components have changed");
            }
        }
        for (String entry : places.keySet()) {
            if (entry.startsWith(KEPT)) {
                throw new IOException(file + " has no entry \"" + entry + "\": components of the program have changed");
            }
        }
    }

    private static <T> void restore(String entry, Cell<T> cell, Codecs codecs, CheckpointReader in) throws IOException {
        cell.value = SocketCodecs.read(entry, cell.type(), codecs, in);
    }

    private static String kept(OpenedPart part, PartContext.Kept<?> kept) {
        return KEPT + part.name() + "." + kept.name();
    }

    private static byte[] read(String name, CheckpointReader in) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(in.bytes(name))];
        in.readBytes(name, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /**
     * Requires that a checkpoint is one of this program.
     *
     * @param file that is read, for messages
     * @throws InputException with the differences
     */
    void requireEqual(CheckpointReader in, Path file) throws IOException {
        Map<String, String> there = savedModel(in);
        Set<String> all = new LinkedHashSet<>(there.keySet());
        all.addAll(model.keySet());
        all.removeAll(passLimits().keySet());
        List<String> differences = new ArrayList<>();
        for (String key : all) {
            String its = there.getOrDefault(key, "missing");
            String own = model.getOrDefault(key, "missing");
            if (!its.equals(own)) {
                differences.add("'" + key + "' is " + its + " there, and " + own + " here");
            }
        }
        if (!differences.isEmpty()) {
            throw new InputException("--resume: " + file + " is a checkpoint of another program: "
                    + String.join("; ", differences) + ". Give the file that it is of, or start without --resume");
        }
    }

    private static Map<String, String> savedModel(CheckpointReader in) throws IOException {
        Map<String, String> saved = new LinkedHashMap<>();
        List<String> keys = parted(in.readText("keys"));
        List<String> values = parted(in.readText("values"));
        for (int i = 0; i < Math.min(keys.size(), values.size()); i++) {
            saved.put(keys.get(i), values.get(i));
        }
        return saved;
    }

    /** Returns the loops with a limit of passes, which a resumed program may change, by the keys of these settings. */
    private Map<String, Integer> passLimits() {
        Map<String, Integer> limits = new LinkedHashMap<>();
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            CheckedPart exit = checked.get(plan.loops().get(loop).exit());
            Setting<Integer> limit = exit.passLimit();
            if (limit != null) {
                limits.put(exit.part().name() + "." + limit.key(), loop);
            }
        }
        return limits;
    }

    /**
     * Requires that each changed limit of passes leaves a pass to an outermost loop that goes on, and that its loop is
     * not over. Over ranks each checks the exits that it executes.
     *
     * @throws InputException at the place of the limit
     */
    private void requirePassLimits(CheckpointReader in, Path file, TopState top, OpenedParts parts, Passes passes)
            throws IOException {
        Map<String, String> saved = savedModel(in);
        for (Map.Entry<String, Integer> each : passLimits().entrySet()) {
            String key = each.getKey();
            int loop = each.getValue();
            CheckedPart exit = checked.get(plan.loops().get(loop).exit());
            Given<Integer> own = exit.settings().given(Objects.requireNonNull(exit.passLimit()));
            String before = saved.getOrDefault(key, "missing");
            if (before.equals(own.text())
                    || !parts.isHere(plan.loops().get(loop).exit())) {
                continue;
            }
            int outermost = plan.outermost(plan.loops().get(loop).exit());
            int place = top.placeOf(outermost);
            String changed = "--resume: '" + key + "' is " + own.text() + ", and " + before + " in the checkpoint "
                    + file + ", where " + plan.described(loop);
            if (top.isOver(place)) {
                throw own.error(changed + " is over; expected " + before + ", or a run without --resume");
            }
            long done = passes.current(loop);
            if (loop == outermost && top.isBetween(place) && own.value() <= done) {
                throw own.error(changed + " has run " + done + (done == 1 ? " pass" : " passes") + "; expected "
                        + (done + 1) + " or more");
            }
        }
    }

    /** Returns the sources with values that cannot be saved. */
    static List<String> missing(Plan plan) {
        List<String> errors = new ArrayList<>();
        Set<String> told = new HashSet<>();
        for (Wire wire : plan.wires()) {
            Part part = plan.parts().get(wire.from());
            String missing = SocketCodecs.missing(wire.source().type());
            if (missing != null && plan.crosses(wire) && told.add(part.name(wire.source()))) {
                errors.add(part.where() + ": source '" + part.name(wire.source()) + "' ("
                        + wire.source().type() + ") cannot be saved in a checkpoint: " + missing);
            }
        }
        return errors;
    }
}
