package dev.jacquard.engine.schedule;

import dev.jacquard.base.service.Services;
import dev.jacquard.base.text.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The policies that are built in, and the policies that jars offer as services. Threads: any. */
public final class Policies {
    private static final List<Policy> BUILT_IN = List.of(
            new Stealing(),
            new Sequential(),
            new Fifo(),
            new Priority(),
            new Pinned(),
            new RoundRobin(),
            new MinimumLoad(),
            new EarliestFinishPolicy());

    private Policies() {}

    /** All, the built-in ones first. */
    public static List<Policy> all() {
        List<Policy> all = new ArrayList<>(BUILT_IN);
        all.addAll(Services.all(Policy.class, loader -> ServiceLoader.load(Policy.class, loader)));
        return all;
    }

    /**
     * The policy of that name.
     *
     * @throws IllegalArgumentException when there is none; the message lists the names that exist
     */
    public static Policy named(String name) {
        Objects.requireNonNull(name, "name");
        List<Policy> all = all();
        for (Policy policy : all) {
            if (policy.name().equals(name)) {
                return policy;
            }
        }
        List<String> names = all.stream().map(Policy::name).toList();
        String near = NearestName.of(name, names)
                .map(other -> "; did you mean \"" + other + "\"? There are ")
                .orElse("; there are ");
        throw new IllegalArgumentException("there is no policy \"" + name + '"' + near + String.join(", ", names));
    }

    /**
     * The same policy with another order, another placement, or both. With another part than its own a policy sees
     * every ready task, and needs nothing else that the parts do not.
     *
     * @param order makes an empty order; null for the policy's own
     * @param placement null for the policy's own
     * @throws IllegalArgumentException when the policy has no name, or null for its needs
     */
    public static Policy with(
            Policy policy, @Nullable Supplier<? extends ReadyOrder> order, @Nullable Placement placement) {
        requireWhole(policy);
        return order == null && placement == null ? policy : new Combination(policy, order, placement);
    }

    /**
     * The same policy with calls that exclude each other where it {@linkplain Need#EXCLUSIVE_CALLS needs} that: the
     * calls of each order, of the placement, and of {@link Policy#submitted}. For programs that call it from several
     * threads; each session makes one.
     *
     * @throws IllegalArgumentException when the policy has no name, or null for its needs
     */
    public static Policy exclusive(Policy policy) {
        requireWhole(policy);
        return policy.needs().contains(Need.EXCLUSIVE_CALLS) ? new ExclusivePolicy(policy) : policy;
    }

    /** The engine asks for these in many places, and takes them as they come. */
    static void requireWhole(Policy policy) {
        if (policy.name() == null) {
            throw new IllegalArgumentException(
                    policy.getClass().getName() + " has null for its name(), which every policy needs");
        }
        if (policy.needs() == null) {
            throw new IllegalArgumentException("policy \"" + policy.name()
                    + "\" has null for its needs(): one that needs nothing returns Set.of()");
        }
    }
}
