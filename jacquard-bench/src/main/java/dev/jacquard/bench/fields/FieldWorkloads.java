package dev.jacquard.bench.fields;

import dev.jacquard.bench.fields.LoopWorkload.Beside;
import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of expressions on fields. A new one is added here. */
public final class FieldWorkloads {
    private static final int LARGE = 256;
    private static final int MEDIUM = 128;
    private static final int SMALL = 64;
    private static final int PLANE = 4_096;
    /** The input and the result fit into the second level of the caches. */
    private static final int ROW = 1 << 15;

    /** Cells so few that the loop of an expression takes some nanoseconds. */
    private static final int FEW = 64;
    /** Expressions of a step. */
    private static final int MANY = 100;

    private FieldWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new LoopWorkload("expressions.triad", Recipes::triad, LARGE),
                new LoopWorkload("expressions.heat.256", Recipes::heat, LARGE, Beside.SUBMITTED, Beside.TRIAD),
                new LoopWorkload("expressions.heat.128", Recipes::heat, MEDIUM, Beside.SUBMITTED, Beside.TRIAD),
                new LoopWorkload("expressions.heat.64", Recipes::heat, SMALL, Beside.SUBMITTED, Beside.TRIAD),
                new EulerSteps("expressions.step.256", LARGE),
                new EulerSteps("expressions.step.64", SMALL),
                new LoopWorkload("expressions.unfused.256", Recipes::unfused, LARGE, Beside.FUSED, Beside.TRIAD),
                new LoopWorkload("expressions.float", Recipes::singleHeat, LARGE, Beside.TRIAD),
                new LoopWorkload("expressions.hand", Recipes::heat, MEDIUM, Beside.HAND, Beside.TRIAD),
                new LoopWorkload("expressions.order4", Recipes::order4, MEDIUM, Beside.TRIAD),
                new LoopWorkload("expressions.points27", Recipes::points27, MEDIUM, Beside.TRIAD),
                new LoopWorkload("expressions.plane", Recipes::plane, PLANE, Beside.TRIAD),
                new LoopWorkload("expressions.cahn-hilliard", Recipes::cahnHilliard, 1_024, Beside.TRIAD),
                new LoopWorkload("expressions.face", Recipes::face, MEDIUM, Beside.TRIAD),
                new LoopWorkload("expressions.where", Recipes::upwind, MEDIUM, Beside.TRIAD),
                new LoopWorkload("expressions.exp", Recipes::exponential, ROW),
                new SmallExpressions("expressions.small", FEW, MANY),
                new SharedSteps("expressions.two.heat", StepProblem.HEAT, LARGE),
                new SharedSteps("expressions.two.transport", StepProblem.TRANSPORT, SMALL),
                new ShapedGrid("expressions.shape.square", 2, 2_000, 1_000),
                new ShapedGrid("expressions.shape.row", 1, 2_000_000, 1),
                new ShapedGrid("expressions.shape.sheet", 3, 2_000, 1_000),
                new FirstSteps("expressions.first.16", 16),
                new FirstSteps("expressions.first.32", 32),
                new FirstSteps("expressions.first.49", 49),
                new ThreadSizes("expressions.sizes.heat", StepProblem.HEAT, MEDIUM),
                new ThreadSizes("expressions.sizes.transport", StepProblem.TRANSPORT, SMALL),
                new ThreadSizes("expressions.sizes.coupled", StepProblem.COUPLED, SMALL));
    }
}
