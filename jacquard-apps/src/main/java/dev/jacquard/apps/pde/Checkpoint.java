package dev.jacquard.apps.pde;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.expressions.tree.FieldStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The file that keeps the unknowns after a number of steps. It stays in the output folder whatever becomes of the run,
 * and is of the same equations, grid, method and step only. Immutable.
 *
 * @param model all that the run that goes on must have in common with the one that wrote it: the values by their keys
 */
record Checkpoint(OutputFolder output, Map<String, String> model) {
    private static final String NAME = "checkpoint";
    private static final String IDENTITY = "equations of the component pde";

    private static final String CONTROL = "control ";

    /** The times that other runs may come between, one after the other. */
    private static final int TRIES = 32;

    /**
     * A run between two steps.
     *
     * @param steps the number of steps that are done
     * @param length of a step
     * @param stable the longest stable step
     * @param integrals at t = 0, by unknown
     * @param control the time, and the state of the choice of lengths of automatic steps; empty at t = 0, and for steps
     *     of one length
     */
    record State(long steps, double length, double stable, Map<String, Double> integrals, Map<String, Double> control) {
        /** Returns the state after a number of steps. */
        State after(long number) {
            return new State(number, length, stable, integrals, control);
        }

        /** Returns the state after a number of automatic steps. */
        State after(long number, Map<String, Double> its) {
            return new State(number, length, stable, integrals, its);
        }
    }

    static Checkpoint of(OutputFolder output, Settings settings) {
        Map<String, String> model = new LinkedHashMap<>();
        List.of(Keys.CELLS, Keys.LENGTHS, Keys.TYPE, Keys.METHOD, Keys.STEP)
                .forEach(setting ->
                        model.put(setting.key(), settings.given(setting).text()));
        if (Double.isNaN(settings.get(Keys.STEP))) {
            model.put(Keys.SHARE.key(), settings.given(Keys.SHARE).text());
            model.put(Keys.TOLERANCE.key(), settings.given(Keys.TOLERANCE).text());
        }
        Keys.all().stream()
                .filter(setting -> setting.key().contains("*") && !setting.equals(Keys.EXACT))
                .forEach(setting -> settings.named(setting)
                        .values()
                        .forEach(given -> model.put(given.key(), given.text().strip())));
        return new Checkpoint(output, model);
    }

    /**
     * Writes the state, in the place of an earlier one. Another run that puts its results into the folder moves it
     * aside for a moment: a file begun there is written again.
     */
    void write(FieldStore fields, List<Unknown> unknowns, State state) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try {
                writeOnce(fields, unknowns, state);
                return;
            } catch (IOException e) {
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e;
                }
            }
        }
        writeOnce(fields, unknowns, state);
    }

    private void writeOnce(FieldStore fields, List<Unknown> unknowns, State state) throws IOException {
        try (CheckpointWriter out = CheckpointWriter.create(output.kept(NAME), IDENTITY)) {
            out.writeText("keys", String.join("\0", model.keySet()));
            out.writeText("values", String.join("\0", model.values()));
            out.writeLong("steps", state.steps);
            out.writeDouble("length", state.length);
            out.writeDouble("stable", state.stable);
            for (Map.Entry<String, Double> integral : state.integrals.entrySet()) {
                out.writeDouble("integral " + integral.getKey(), integral.getValue());
            }
            for (Map.Entry<String, Double> number : state.control.entrySet()) {
                out.writeDouble(CONTROL + number.getKey(), number.getValue());
            }
            for (Unknown unknown : unknowns) {
                fields.files().save(out, unknown.tag());
            }
            out.commit();
        }
    }

    /** Throws an exception if there is a folder in the place of the file, which could not be written later. */
    void requireNoFolder() {
        if (Files.isDirectory(file())) {
            throw new InputException("the checkpoint " + file() + " cannot be written: it is a folder; move it away, or"
                    + " give another output folder with --out");
        }
    }

    /**
     * Throws an exception if there is nothing to go on from.
     *
     * @throws InputException if there is no checkpoint, or one of something else; the message has the first difference
     */
    void check() {
        Path file = file();
        if (!Files.exists(file)) {
            throw new InputException("--resume: there is no checkpoint " + file
                    + "; expected the folder of a run with 'checkpoint: {every: N}' that was stopped after step N");
        }
        try (CheckpointReader in = CheckpointReader.open(file, IDENTITY)) {
            in.check();
            Map<String, String> its = new LinkedHashMap<>();
            String[] keys = in.readText("keys").split("\0", -1);
            String[] values = in.readText("values").split("\0", -1);
            for (int i = 0; i < keys.length; i++) {
                its.put(keys[i], values[i]);
            }
            requireEqual(its);
            output.keeps();
        } catch (IOException e) {
            throw new InputException("--resume: " + e.getMessage(), e);
        }
    }

    private void requireEqual(Map<String, String> its) {
        Set<String> keys = new LinkedHashSet<>(its.keySet());
        keys.addAll(model.keySet());
        List<String> differences = new ArrayList<>();
        for (String key : keys) {
            String there = its.getOrDefault(key, "");
            String here = model.getOrDefault(key, "");
            if (!there.equals(here) && !areEqualNumbers(key, there, here)) {
                differences.add("'" + key + "' is " + quoted(there) + " there, and " + quoted(here) + " here");
            }
        }
        if (!differences.isEmpty()) {
            throw new InputException("--resume: " + file() + " is a checkpoint of another model or grid: "
                    + String.join("; ", differences) + ". Give the file that it is of, or start without --resume");
        }
    }

    /** Returns true if two texts of a key that has numbers are the same ones, as 2 and 2.0 are. */
    private static boolean areEqualNumbers(String key, String there, String here) {
        if (there.isEmpty() || here.isEmpty()) {
            return false; // it is missing
        }
        String its = key.startsWith(Keys.PARAMETERS + '.') ? Keys.PARAMETER.key() : key;
        return Stream.<Setting<?>>of(Keys.CELLS, Keys.LENGTHS, Keys.STEP, Keys.SHARE, Keys.TOLERANCE, Keys.PARAMETER)
                .filter(setting -> setting.key().equals(its))
                .map(setting -> setting.type().parser())
                .anyMatch(parser -> Objects.deepEquals(parser.apply(there), parser.apply(here)));
    }

    private static String quoted(String text) {
        return text.isEmpty() ? "missing" : "'" + text + "'";
    }

    /** Sets the unknowns to their saved values, and returns the state. */
    State read(FieldStore fields, List<Unknown> unknowns) throws IOException {
        try (CheckpointReader in = CheckpointReader.open(file(), IDENTITY)) {
            Map<String, Double> integrals = new LinkedHashMap<>();
            for (Unknown unknown : unknowns) {
                integrals.put(unknown.name(), in.readDouble("integral " + unknown.name()));
                fields.files().restore(in, unknown.tag());
            }
            Map<String, Double> control = new LinkedHashMap<>();
            for (String name : in.names()) {
                if (name.startsWith(CONTROL)) {
                    control.put(name.substring(CONTROL.length()), in.readDouble(name));
                }
            }
            return new State(
                    in.readLong("steps"), in.readDouble("length"), in.readDouble("stable"), integrals, control);
        }
    }

    private Path file() {
        return output.folder().resolve(NAME);
    }
}
