package dev.jacquard.apps.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The names of all tasks, so that a wrong {@code after} can be explained. */
final class TaskNames {
    /**
     * Where a task is.
     *
     * @param where its place in the file
     * @param parent the task that it is a sub-task of, or null
     * @param index which of its parent's sub-tasks, or of the program's tasks
     */
    record Spot(String where, @Nullable String parent, int index) {}

    private final Map<String, Spot> spots = new LinkedHashMap<>();

    /** Collects the names below {@code values}; a name may be given once. */
    TaskNames(List<JsonValue> values) {
        collect(values, null);
    }

    @Nullable
    Spot spot(String name) {
        return spots.get(name);
    }

    /** The names of those before {@code index} at one level. */
    List<String> before(@Nullable String parent, int index) {
        List<String> names = new ArrayList<>();
        spots.forEach((name, spot) -> {
            if (Objects.equals(spot.parent, parent) && spot.index < index) {
                names.add(name);
            }
        });
        return names;
    }

    /** The words of messages for the task at {@code index} until its name is known. */
    static String subject(@Nullable String parent, int index) {
        return parent == null ? "tasks[" + index + "]" : "task \"" + parent + "\", refine[" + index + "]";
    }

    private void collect(List<JsonValue> values, @Nullable String parent) {
        for (int i = 0; i < values.size(); i++) {
            Element element = Element.of(values.get(i), subject(parent, i));
            String name = element.text("name");
            Spot earlier = spots.put(name, new Spot(element.where("name"), parent, i));
            if (earlier != null) {
                throw element.wrong(
                        element.where("name"),
                        "there is another task \"" + name + "\" at " + earlier.where()
                                + "; names are unique, those of sub-tasks too");
            }
            collect(element.named("task \"" + name + '"').list("refine"), name);
        }
    }
}
