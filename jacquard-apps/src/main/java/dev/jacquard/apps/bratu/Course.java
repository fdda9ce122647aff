package dev.jacquard.apps.bratu;

import dev.jacquard.apps.bratu.Branch.BranchPoint;
import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way along a branch until its parameter falls. Confined to one execution at a time. */
final class Course implements Instance {
    private final ComponentContext context;
    private final int most;
    private final Input<BranchPoint> point;
    private final Output<BranchPoint> again;
    private final Output<Double> largest;
    private final List<String> rows = new ArrayList<>();
    private @Nullable BranchPoint before;

    Course(
            ComponentContext context,
            int most,
            Sink<BranchPoint> point,
            Source<BranchPoint> again,
            Source<Double> largest) {
        this.context = context;
        this.most = most;
        this.point = context.input(point);
        this.again = context.output(again);
        this.largest = context.output(largest);
        context.keep("rows", SocketType.listOf(SocketType.of(String.class)), () -> rows, rows::addAll);
        context.keep(
                "before",
                SocketType.listOf(point.type()),
                () -> before == null ? List.of() : List.of(before),
                its -> before = its.isEmpty() ? null : its.getFirst());
    }

    @Override
    public boolean execute() throws IOException {
        BranchPoint now = point.get();
        again.set(now);
        rows.add(now.arc() + "," + now.lambda() + "," + middle(now.u()));
        @Nullable BranchPoint last = before;
        before = now;
        if (now.dLambda() < 0 && last != null) {
            leave(largest(last, now));
            return true;
        }
        if (rows.size() >= most) {
            throw new ArithmeticException("the branch has not turned within " + most + " steps, up to L = "
                    + now.lambda() + "; expected more 'steps', or longer ones");
        }
        return false;
    }

    /** Returns u half way: with an even number of points by the cubic through the four around, 0 beyond the ends. */
    private static double middle(double[] u) {
        int half = u.length / 2;
        if (u.length % 2 == 1) {
            return u[half];
        }
        double outer = half > 1 ? u[half - 2] + u[half + 1] : 0;
        return (9 * (u[half - 1] + u[half]) - outer) / 16;
    }

    private void leave(double found) throws IOException {
        largest.set(found);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("largest", found);
        values.put("steps", rows.size());
        context.report(new Report(
                List.of(String.format(Locale.ROOT, "largest L %.9f, after %d steps", found, rows.size())), values));
        Files.writeString(context.output().file("branch.csv"), "arc,lambda,middle\n" + String.join("\n", rows) + "\n");
        rows.clear();
        before = null;
    }

    /**
     * Returns the largest value of the cubic through both points, with their directions, over the way along the
     * direction of the first one.
     */
    private static double largest(BranchPoint first, BranchPoint second) {
        double h = 1.0 / (first.u().length + 1);
        double step = second.arc() - first.arc();
        double along = h * Discretisation.dot(first.du(), second.du()) + first.dLambda() * second.dLambda();
        double begin = first.dLambda() * step;
        double end = second.dLambda() / along * step;
        double fall = first.lambda() - second.lambda();
        double cubic = 2 * fall + begin + end;
        double square = -3 * fall - 2 * begin - end;
        double at = begin / (-square + Math.sqrt(square * square - 3 * cubic * begin));
        return first.lambda() + at * (begin + at * (square + at * cubic));
    }
}
