package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads tasks and their sub-tasks. */
final class TaskReader {
    private static final List<String> KEYS =
            List.of("name", "micros", "accesses", "refine", "demote", "after", "flags", "fails", "priority");
    private static final List<String> DEMOTE_KEYS = List.of("at", "resource", "mode", "area");

    private final TaskNames names;
    private final AccessReader accessReader;
    private final AccessRights rights;

    private TaskReader(TaskNames names, List<ResourceSpec> resources) {
        this.names = names;
        this.accessReader = new AccessReader(resources);
        this.rights = new AccessRights(new ResourceTree(resources));
    }

    static List<TaskSpec> read(List<JsonValue> values, List<ResourceSpec> resources) {
        return new TaskReader(new TaskNames(values), resources).tasks(values, null, List.of());
    }

    /** Reads tasks; sub-tasks with the name of their parent and the accesses that it holds. */
    private List<TaskSpec> tasks(List<JsonValue> values, @Nullable String parent, List<AccessSpec> held) {
        List<TaskSpec> tasks = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            tasks.add(task(Element.of(values.get(i), TaskNames.subject(parent, i)), i, parent, held));
        }
        return tasks;
    }

    private TaskSpec task(Element unnamed, int index, @Nullable String parent, List<AccessSpec> held) {
        String name = unnamed.text("name");
        Element element = unnamed.named("task \"" + name + '"').allow(KEYS);
        List<AccessSpec> accesses = accesses(element, parent, held);
        TaskSpec task = new TaskSpec(
                name,
                micros(element),
                accesses,
                after(element, name, index, parent),
                flags(element),
                element.integer("priority", Integer.MIN_VALUE, Integer.MAX_VALUE)
                        .orElse(0L)
                        .intValue(),
                element.truth("fails"),
                tasks(element.list("refine"), name, accesses),
                demotions(element));
        checkDemotions(element, task);
        return task;
    }

    private static double micros(Element element) {
        double micros = element.number("micros").orElse(0.0);
        if (micros >= 0 && micros <= TaskSpec.MOST_MICROS) {
            return micros;
        }
        throw element.wrong(
                element.where("micros"),
                "\"micros\" is " + micros + "; expected a number of microseconds from 0 on, at most a year");
    }

    private List<AccessSpec> accesses(Element task, @Nullable String parent, List<AccessSpec> held) {
        List<AccessSpec> accesses = new ArrayList<>();
        for (JsonValue value : task.list("accesses")) {
            Element element = Element.of(value, task.subject()).allow(AccessReader.KEYS);
            AccessSpec access = accessReader.read(element);
            if (parent != null && !rights.covers(held, access)) {
                throw promotion(element, access, parent, held);
            }
            accesses.add(access);
        }
        return accesses;
    }

    private static InputException promotion(Element element, AccessSpec access, String parent, List<AccessSpec> held) {
        List<String> near = held.stream()
                .filter(has -> has.resource().equals(access.resource()))
                .map(AccessSpec::toString)
                .toList();
        String why = near.isEmpty()
                ? "which declares no access to all of \"" + access.resource() + "\" or of what it is a part of"
                : "which may only do " + String.join(", ", near);
        return element.wrong(
                element.where(),
                access + " is more than its parent \"" + parent + "\" has, " + why
                        + "; an access of a sub-task must be covered by one of its parent's");
    }

    private List<String> after(Element task, String name, int index, @Nullable String parent) {
        Set<String> after = new LinkedHashSet<>();
        for (JsonValue.Text text : task.texts("after")) {
            TaskNames.Spot spot = names.spot(text.text());
            if (spot == null || !Objects.equals(spot.parent(), parent) || spot.index() >= index) {
                throw task.wrong(text.where(), noSuchTask(text.text(), name, index, parent, spot));
            }
            after.add(text.text());
        }
        return List.copyOf(after);
    }

    private String noSuchTask(
            String wanted, String name, int index, @Nullable String parent, TaskNames.@Nullable Spot spot) {
        if (wanted.equals(name)) {
            return "it is to run after itself; \"after\" names earlier tasks";
        }
        if (spot == null) {
            return "it is to run after \"" + wanted + "\", which is no task"
                    + Element.hint(wanted, names.before(parent, index));
        }
        if (Objects.equals(spot.parent(), parent)) {
            return "it is to run after \"" + wanted + "\", which comes later, at " + spot.where()
                    + "; \"after\" names earlier tasks, so put that one before it";
        }
        String place = spot.parent() == null ? "no sub-task" : "a sub-task of \"" + spot.parent() + '"';
        String own = parent == null ? "a task of the program" : "a sub-task of \"" + parent + '"';
        return "it is to run after \"" + wanted + "\", which is " + place + ", while it is " + own
                + "; \"after\" names earlier tasks of the same level";
    }

    private static Set<TaskFlag> flags(Element task) {
        Set<TaskFlag> flags = EnumSet.noneOf(TaskFlag.class);
        for (JsonValue.Text text : task.texts("flags")) {
            String fault = "there is no flag \"" + text.text() + '"';
            flags.add(task.spelt(text.where(), text.text(), fault, TaskFlag.values(), TaskFlag::text));
        }
        return flags;
    }

    private List<DemoteSpec> demotions(Element task) {
        List<DemoteSpec> demotions = new ArrayList<>();
        for (JsonValue value : task.list("demote")) {
            Element element = Element.of(value, task.subject() + ", demotion").allow(DEMOTE_KEYS);
            double at = element.number("at")
                    .orElseThrow(() -> element.wrong(
                            element.where(), "\"at\" is missing; expected a fraction of the body's time, 0 to 1"));
            if (!(at >= 0 && at <= 1)) {
                throw element.wrong(
                        element.where("at"), "\"at\" is " + at + "; expected a fraction of the body's time, 0 to 1");
            }
            demotions.add(new DemoteSpec(at, accessReader.read(element)));
        }
        return demotions;
    }

    /** Each demotion must be covered by the remaining accesses, and leave the accesses that the sub-tasks need. */
    private void checkDemotions(Element element, TaskSpec task) {
        List<AccessSpec> held = task.accesses();
        for (DemoteSpec demotion : task.demotionsInOrder()) {
            AccessSpec to = demotion.to();
            List<AccessSpec> before = held;
            held = rights.demote(held, to)
                    .orElseThrow(() -> element.wrong(element.where("demote"), tooMuch(before, demotion)));
            for (TaskSpec sub : task.refine()) {
                for (AccessSpec needed : sub.accesses()) {
                    if (!rights.covers(held, needed)) {
                        throw element.wrong(
                                element.where("demote"),
                                "its demotion to " + to + " gives up what its sub-task \"" + sub.name() + "\" needs: "
                                        + needed);
                    }
                }
            }
        }
    }

    private static String tooMuch(List<AccessSpec> held, DemoteSpec demotion) {
        AccessSpec to = demotion.to();
        List<String> own = held.stream()
                .filter(access -> access.resource().equals(to.resource()))
                .map(AccessSpec::toString)
                .toList();
        if (own.isEmpty()) {
            return "it is to demote its access to \"" + to.resource() + "\", and declares none";
        }
        return "its demotion at " + demotion.at() + " to " + to + " is more than what it has then, "
                + String.join(", ", own) + "; a demotion only gives up";
    }

    /** The names of all tasks, so that a wrong {@code after} can be explained. */
    private static final class TaskNames {
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

        /** The names of tasks before {@code index} at one level. */
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
}
