package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the fields and parameters that an expression has, and puts expressions in the place of some. A term that
 * occurs several times is looked at once. Confined to one thread.
 */
final class Substitution {
    private final Function<Tag<?>, @Nullable Expr<?>> definitions;
    private final IdentityHashMap<Term, Term> known = new IdentityHashMap<>();
    /** The terms in the place of fields. Made once: a walk that was given up remembers terms by their identity. */
    private final Map<Tag<?>, Optional<Term>> inPlace = new HashMap<>();

    private final Set<String> parameters = new LinkedHashSet<>();
    private final DeepWalk<Term> walk = new DeepWalk<>();

    private Substitution(Function<Tag<?>, @Nullable Expr<?>> definitions) {
        this.definitions = definitions;
    }

    /** See {@link Expr#reads}. */
    static Set<Tag<?>> reads(Expr<?> expression) {
        Set<Tag<?>> reads = new LinkedHashSet<>();
        inline(expression, tag -> {
            reads.add(tag);
            return null;
        });
        return reads;
    }

    /** See {@link Expr#parameters}. */
    static Set<String> parameters(Expr<?> expression) {
        Substitution all = new Substitution(tag -> null);
        all.all(Term.of(expression));
        return all.parameters;
    }

    /** See {@link Expr#inline}. */
    static <L extends Location> Expr<L> inline(Expr<L> expression, Function<Tag<?>, @Nullable Expr<?>> definitions) {
        return new Formula<>(new Substitution(definitions).all(Term.of(expression)));
    }

    private Term all(Term term) {
        return walk.run(() -> of(term), this::of);
    }

    private Term of(Term term) {
        Term made = known.get(term);
        if (made == null) {
            walk.enter(term);
            made = make(term);
            walk.leave();
            known.put(term, made);
        }
        return made;
    }

    private Term make(Term term) {
        return switch (term) {
            case Term.Read read -> {
                Optional<Term> its = inPlace(read.tag());
                yield its.isEmpty() ? read : new Term.Inlined(read.tag(), of(its.get()));
            }
            case Term.Literal number -> number;
            case Term.Parameter parameter -> {
                parameters.add(parameter.name());
                yield parameter;
            }
            case Term.Coordinate coordinate -> coordinate;
            case Term.Counted its -> new Term.Counted(its.axis(), of(its.index()));
            case Term.Whole its -> new Term.Whole(of(its.of()));
            case Term.Inlined its -> new Term.Inlined(its.tag(), of(its.of()));
            case Term.Apply its -> new Term.Apply(its.function(), all(its.arguments()));
            case Term.Gradient its -> new Term.Gradient(of(its.of()), its.axis());
            case Term.ToFaces its -> new Term.ToFaces(of(its.of()), its.axis());
            case Term.Divergence its -> new Term.Divergence(of(its.of()), its.axis());
            case Term.ToCells its -> new Term.ToCells(of(its.of()), its.axis());
            case Term.ToNodes its -> new Term.ToNodes(of(its.of()));
            case Term.FromNodes its -> new Term.FromNodes(of(its.of()));
            case Term.Central its -> new Term.Central(of(its.of()), its.axis());
            case Term.Weighted its -> new Term.Weighted(of(its.of()), its.stencil());
            case Term.Vector its -> new Term.Vector(all(its.components()));
            case Term.Component its -> new Term.Component(of(its.of()), its.axis());
        };
    }

    private Optional<Term> inPlace(Tag<?> tag) {
        Optional<Term> its = inPlace.get(tag);
        if (its == null) {
            its = Optional.<Expr<?>>ofNullable(definitions.apply(tag)).map(Term::of);
            inPlace.put(tag, its);
        }
        return its;
    }

    private List<Term> all(List<Term> terms) {
        return terms.stream().map(this::of).toList();
    }
}
