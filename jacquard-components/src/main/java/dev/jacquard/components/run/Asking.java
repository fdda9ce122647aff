package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a component for its declarations. It is the user's code: an exception, or null, becomes an error that names the
 * component, its class and the place in the program.
 *
 * @param component the one that is asked
 * @param where the place in the program, for messages
 */
record Asking(Component component, String where) {
    /** Asks for all that a component declares before it has settings. */
    void declares() {
        told("description", component::description);
        settings();
        modes();
    }

    /** Returns its settings, each of another name. */
    List<Setting<?>> settings() {
        List<Setting<?>> settings = list("settings", component::settings);
        Set<String> keys = new HashSet<>();
        for (Setting<?> setting : settings) {
            if (!keys.add(setting.key())) {
                throw new InputException(
                        where + ": " + described() + " declares the setting '" + setting.key() + "' twice");
            }
        }
        return settings;
    }

    /** Returns the modes in which it runs. */
    Set<RunMode> modes() {
        Set<RunMode> modes = told("modes", () -> {
            Set<RunMode> answer = component.modes();
            return answer == null ? null : Set.copyOf(answer);
        });
        if (modes.isEmpty()) {
            throw new InputException(where + ": " + described() + " names no mode in which it runs");
        }
        return modes;
    }

    /** Lets it check its settings. */
    void check(Settings settings) {
        asked("check its settings", () -> {
            component.check(settings);
            return "";
        });
    }

    /** Lets it check its settings, as one of several components. */
    void checkPart(Settings settings) {
        check(settings);
        asked("check its settings", () -> {
            component.checkPart(settings);
            return "";
        });
    }

    /** Returns its weight. */
    double weight(Settings settings) {
        double weight = told("weight", () -> component.weight(settings));
        if (!(weight > 0) || weight > 1e300) {
            throw new InputException(where + ": " + described() + " has the weight " + weight
                    + "; expected a number above 0, its work relative to that of others");
        }
        return weight;
    }

    /** Returns the setting that limits the passes of a loop which it ends; null if there is none. */
    @Nullable
    Setting<Integer> passLimit(Settings settings) {
        Setting<Integer> limit = told("passLimit", component::passLimit).orElse(null);
        if (limit != null && !settings.texts().containsKey(limit.key())) {
            throw new InputException(where + ": " + described() + " has the passLimit '" + limit.key()
                    + "', which is none of its settings; expected one of them");
        }
        return limit;
    }

    /** Returns a copy of its declarations. */
    <T> List<T> list(String what, Supplier<@Nullable List<T>> question) {
        return told(what, () -> {
            List<T> answer = question.get();
            return answer == null ? null : List.copyOf(answer);
        });
    }

    <T> T told(String what, Supplier<@Nullable T> question) {
        T answer = asked("return its " + what, question);
        if (answer == null) {
            throw new InputException(where + ": " + described() + " cannot return its " + what + ": it returned null");
        }
        return answer;
    }

    private <T> @Nullable T asked(String what, Supplier<@Nullable T> question) {
        try {
            return question.get();
        } catch (InputException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            throw new InputException(where + ": " + described() + " cannot " + what + ": " + Reasons.of(e), e);
        }
    }

    /** Returns its name and its class. */
    String described() {
        return "component '" + component.name() + "' (" + component.getClass().getName() + ")";
    }
}
