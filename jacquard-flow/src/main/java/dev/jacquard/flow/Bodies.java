package dev.jacquard.flow;

import dev.jacquard.flow.Flattening.Item;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bodies and rules that the user's suppliers created, and the problems that arose meanwhile. */
final class Bodies {
    private final Map<Item, List<Body<?, ?>>> bodies = new HashMap<>();
    private final Map<Item, List<Rule<?, ?>>> rules = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private Bodies() {}

    /** Creates one body per task, for a check that inspects its class. */
    static Bodies probes(Flattening unfolding) {
        Bodies made = new Bodies();
        unfolding.items().forEach(item -> made.make(item, 1));
        return made;
    }

    /** Creates one body per copy, for a run. */
    static Bodies all(Flattening unfolding) {
        Bodies made = new Bodies();
        unfolding.items().forEach(item -> made.make(item, item.copies()));
        return made;
    }

    private void make(Item item, int copies) {
        List<Body<?, ?>> itsBodies = new ArrayList<>();
        List<Rule<?, ?>> itsRules = new ArrayList<>();
        bodies.put(item, itsBodies);
        rules.put(item, itsRules);
        try {
            for (int i = 0; item.task != null && i < copies; i++) {
                itsBodies.add(present(item.task.bodies().get(), item, "body"));
            }
            if (item.keeper != null) {
                for (Bookkeeper.RuleLink link : item.keeper.rules()) {
                    itsRules.add(present(link.rule().get(), item, "rule"));
                }
            }
        } catch (RuntimeException e) {
            problems.add("making the body of \"" + item.name + "\" failed: " + e);
        }
    }

    private static <T> T present(@Nullable T made, Item item, String what) {
        if (made == null) {
            throw new IllegalStateException("the supplier of \"" + item.name + "\" made no " + what + " but null");
        }
        return made;
    }

    List<Body<?, ?>> bodiesOf(Item item) {
        return bodies.getOrDefault(item, List.of());
    }

    List<Rule<?, ?>> rulesOf(Item item) {
        return rules.getOrDefault(item, List.of());
    }

    List<String> problems() {
        return problems;
    }
}
