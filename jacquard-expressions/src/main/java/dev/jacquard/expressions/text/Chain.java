package dev.jacquard.expressions.text;

import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * A function that joins values from left to right, as sums and products do: computed by a loop, so that thousands of
 * terms need no deeper stack than two, and in the order of the text, so that they have the same bits.
 *
 * <p>Immutable to its users: chains that begin alike share a list, which only the longest of them extends, while the
 * text is read.
 */
final class Chain implements PointFunction {
    /** A value and the operator that joins it to the ones before. */
    private record Link(DoubleBinaryOperator operator, PointFunction value) {}

    private final PointFunction first;
    private final List<Link> links;
    private final int length;

    private Chain(PointFunction first, List<Link> links) {
        this.first = first;
        this.links = links;
        this.length = links.size();
    }

    /** Returns {@code left} joined with {@code right}. */
    static PointFunction of(PointFunction left, DoubleBinaryOperator operator, PointFunction right) {
        Link link = new Link(operator, right);
        if (left instanceof Chain chain && chain.length == chain.links.size()) {
            chain.links.add(link);
            return new Chain(chain.first, chain.links);
        }
        List<Link> links = new ArrayList<>();
        links.add(link);
        return new Chain(left, links);
    }

    @Override
    public double at(double x, double y, double z, double t) {
        double value = first.at(x, y, z, t);
        for (int i = 0; i < length; i++) {
            Link link = links.get(i);
            value = link.operator.applyAsDouble(value, link.value.at(x, y, z, t));
        }
        return value;
    }
}
