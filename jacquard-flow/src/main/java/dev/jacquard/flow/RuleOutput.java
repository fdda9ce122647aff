package dev.jacquard.flow;

/**
 * What a bookkeeper's rule emits.
 *
 * @param <B> the items that it sends
 */
public final class RuleOutput<B> extends Source<B> {
    RuleOutput(FlowBuilder<?, ?> builder) {
        super(builder);
    }
}
