package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The poisons of one tree of unordered resources. Poisons of accesses with keys are found by the keys, so that an
 * access with keys looks at no others of its class to the same resource. Guarded like {@link Poisons}.
 *
 * @param <P> the type of explanations of poison
 */
final class PoisonedTree<P> {
    /** The path of the root, which all poisons of the root share. It does not keep the root alive. */
    private final List<WeakReference<Resource>> rootPath;

    private final List<Keyed<P>> keyed = new ArrayList<>(0);
    /** Poisons without keys, and poisons of parts that are unreachable. */
    private final List<Poison<P>> others = new ArrayList<>(1);

    private int size;

    /**
     * Poisons of accesses with keys.
     *
     * @param path the resource and all that it is a part of, which they share
     * @param type the class of the accesses
     * @param byKey the poisons by their keys
     */
    private record Keyed<P>(List<WeakReference<Resource>> path, Class<?> type, Map<Object, List<Poison<P>>> byKey) {
        boolean isOf(Poison<P> poison) {
            return is(poison.path().getFirst().get()) && type == poison.access().getClass();
        }

        /** Returns true if the poisons are of {@code resource}; of one that is unreachable, if that is null. */
        boolean is(@Nullable Resource resource) {
            return path.getFirst().refersTo(resource);
        }
    }

    PoisonedTree(Resource root) {
        rootPath = List.of(new WeakReference<>(root));
    }

    /** Returns the number of poisons. */
    int size() {
        return size;
    }

    /** Returns the references to {@code resource} and to all that it is a part of, the root last. */
    List<WeakReference<Resource>> path(Resource resource) {
        if (resource.parent() == null) {
            return rootPath;
        }
        for (Keyed<P> its : keyed) {
            if (its.is(resource)) {
                return its.path;
            }
        }
        List<WeakReference<Resource>> path = new ArrayList<>(2);
        for (Resource each = resource; each.parent() != null; each = each.parent()) {
            path.add(new WeakReference<>(each));
        }
        path.add(rootPath.getFirst());
        return path;
    }

    /** Adds a poison of a resource that is reachable now. */
    void add(Poison<P> poison) {
        Object[] keys = Keys.of(poison.access());
        if (keys.length == 0) {
            others.add(poison);
        } else {
            Keyed<P> its =
                    keyed.stream().filter(each -> each.isOf(poison)).findAny().orElseGet(() -> addKeyed(poison));
            for (Object key : keys) {
                its.byKey.computeIfAbsent(key, any -> new ArrayList<>(1)).add(poison);
            }
        }
        size++;
    }

    private Keyed<P> addKeyed(Poison<P> first) {
        Keyed<P> its = new Keyed<>(first.path(), first.access().getClass(), new HashMap<>());
        keyed.add(its);
        return its;
    }

    /** Returns the newest poison that {@code is} holds for, of the poisons that a task with these accesses may meet. */
    @Nullable
    Poison<P> newest(AccessList accesses, Predicate<Poison<P>> is) {
        Poison<P> newest = null;
        for (List<Poison<P>> list : mayMeet(accesses)) {
            for (Poison<P> each : list.reversed()) {
                if ((newest == null || each.number() > newest.number()) && is.test(each)) {
                    newest = each;
                }
            }
        }
        return newest;
    }

    /** Removes the poisons that {@code is} holds for and that a task with these accesses may meet. */
    void removeIf(AccessList accesses, Predicate<Poison<P>> is) {
        Set<Poison<P>> gone = Collections.newSetFromMap(new IdentityHashMap<>(0)); // one may be in several lists
        for (List<Poison<P>> list : mayMeet(accesses)) {
            for (Poison<P> each : list) {
                if (is.test(each)) {
                    gone.add(each);
                }
            }
        }
        gone.forEach(this::remove);
    }

    private void remove(Poison<P> poison) {
        if (!others.remove(poison)) {
            for (Keyed<P> its : keyed) {
                for (Object key : its.isOf(poison) ? Keys.of(poison.access()) : new Object[0]) {
                    List<Poison<P>> same = its.byKey.get(key);
                    if (same != null && same.remove(poison) && same.isEmpty()) {
                        its.byKey.remove(key);
                    }
                }
            }
            keyed.removeIf(its -> its.byKey.isEmpty());
        }
        size--;
    }

    /** Keeps one for all parts of a resource that are unreachable now. */
    void joinParts() {
        keyed.removeIf(its -> {
            boolean gone = its.is(null);
            if (gone) {
                List<Poison<P>> all = its.byKey.values().stream()
                        .flatMap(List::stream)
                        .distinct()
                        .toList();
                others.addAll(all);
            }
            return gone;
        });
        List<Poison<P>> parts = new ArrayList<>(0);
        size -= others.size();
        others.removeIf(known -> {
            Poison<P> now = known.current();
            if (now.part()) {
                parts.removeIf(now::isAlike); // the last of them counts
                parts.add(now);
            }
            return now.part();
        });
        others.addAll(0, parts);
        size += others.size();
    }

    /** Returns lists of all poisons that a task with these accesses may meet; one may be in several. */
    private List<List<Poison<P>>> mayMeet(AccessList accesses) {
        List<List<Poison<P>>> lists = new ArrayList<>(2);
        lists.add(others);
        for (int i = 0; i < accesses.size(); i++) {
            if (rootPath.getFirst().refersTo(accesses.resource(i).root())) {
                addThose(accesses.resource(i), accesses.access(i), lists);
            }
        }
        return lists;
    }

    private void addThose(Resource resource, Access access, List<List<Poison<P>>> lists) {
        Object[] keys = Keys.of(access);
        for (Keyed<P> its : keyed) {
            if (keys.length == 0 || access.getClass() != its.type || !its.is(resource)) {
                lists.addAll(its.byKey.values());
            } else {
                for (Object key : keys) {
                    lists.add(its.byKey.getOrDefault(key, List.of()));
                }
            }
        }
    }
}
