package dev.jacquard.flow;

/**
 * The output of a bookkeeper's rule: the source of the items that the rule emits.
 *
 * @param <B> the type of the items
 */
public final class RuleOutput<B> extends Source<B> {
    RuleOutput(FlowBuilder<?, ?> builder) {
        super(builder);
    }
}
