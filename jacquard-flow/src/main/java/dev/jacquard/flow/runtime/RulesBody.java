package dev.jacquard.flow.runtime;

import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import java.util.List;

/**
 * The body of a bookkeeper: every item goes to every rule, in order.
 *
 * <p>Threads: the lock of a rule is its monitor, since one rule object may serve several bookkeepers. The lock is an
 * outermost one of the runtime (rule, then outlet, then ledger, then stage), and is held while the rule runs.
 */
final class RulesBody implements Body<Object, Object> {
    private final List<Rule<Object, Object>> rules;
    private final Outlet[] outlets;
    private final int pipeline;

    RulesBody(List<Rule<Object, Object>> rules, Outlet[] outlets, int pipeline) {
        this.rules = List.copyOf(rules);
        this.outlets = outlets;
        this.pipeline = pipeline;
    }

    @Override
    public void execute(Object item, Emitter<Object> unused) throws Exception {
        for (int i = 0; i < rules.size(); i++) {
            Rule<Object, Object> rule = rules.get(i);
            synchronized (rule) {
                rule.apply(item, pipeline, outlets[i]);
            }
        }
    }
}
