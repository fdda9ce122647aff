package dev.jacquard.sim;

import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.PolicyGuard;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a graph under virtual time: the policy is asked as the engine asks it, and nothing is executed. The same graph
 * and options give the same run, on any machine.
 *
 * <pre>{@code
 * WorkGraph.Builder graph = new WorkGraph.Builder(List.of("w0", "w1"));
 * int first = graph.task("first", 2, 2);
 * graph.edge(first, graph.task("second", 3, 3), 0);
 * SimulatedRun run = Simulation.run(graph.build(), Simulation.Options.of(Policies.named("fifo"), 2));
 * System.out.println(run.makespan());  // 5.0
 * }</pre>
 *
 * <p>Threads: any number of simulations at a time, each confined to its thread.
 *
 * <p>Source: the abstract runtime system document, section II-C5.
 */
public final class Simulation {
    private Simulation() {}

    /**
     * How a graph is run.
     *
     * @param policy which ready task runs next, and where; one that places whole graphs is asked for a plan
     * @param hosts the workers of the host: the first places of the graph; all further ones are devices
     * @param learned true if the policy knows the times that tasks of the same name have taken so far, as in the
     *     engine; false if it knows those of the graph
     * @param noise the standard deviation of the logarithms of the factors by which tasks take longer than in the
     *     graph; 0 for exact times
     * @param sharedLinks true if each direction of a link carries one copy at a time
     * @param nanosPerUnit the nanoseconds that a unit of the graph's time stands for, as policies see it
     * @param limits the seed of all random numbers, and the effort of a plan
     * @param priorities of the tasks; null where none has any
     */
    @SuppressWarnings("ArrayRecordComponent") // no options are compared
    public record Options(
            Policy policy,
            int hosts,
            boolean learned,
            double noise,
            boolean sharedLinks,
            double nanosPerUnit,
            Limits limits,
            int @Nullable [] priorities) {
        public Options {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(limits, "limits");
            if (hosts < 1) {
                throw new IllegalArgumentException(hosts + " workers of the host: 1 or more");
            }
            requireNumber(noise, "the noise");
            requireNumber(nanosPerUnit, "the nanoseconds of a unit");
        }

        private static void requireNumber(double value, String what) {
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(what + " cannot be " + value + ": a number of 0 or more");
            }
        }

        /** Options of that policy and that many workers of the host, with exact times of nanoseconds. */
        public static Options of(Policy policy, int hosts) {
            return new Options(policy, hosts, false, 0, true, 1, Limits.DEFAULT, null);
        }

        /** The same, and the policy knows only the times that it has seen. */
        public Options withLearnedTimes() {
            return new Options(policy, hosts, true, noise, sharedLinks, nanosPerUnit, limits, priorities);
        }

        /** The same with times that differ from the graph's. */
        public Options withNoise(double deviation) {
            return new Options(policy, hosts, learned, deviation, sharedLinks, nanosPerUnit, limits, priorities);
        }

        /** The same with links on which no copy waits for another, as papers on list scheduling have them. */
        public Options withFreeLinks() {
            return new Options(policy, hosts, learned, noise, false, nanosPerUnit, limits, priorities);
        }

        /** The same with another unit of time. */
        public Options withUnit(double nanos) {
            return new Options(policy, hosts, learned, noise, sharedLinks, nanos, limits, priorities);
        }

        /** The same with another seed and effort. */
        public Options withLimits(Limits other) {
            return new Options(policy, hosts, learned, noise, sharedLinks, nanosPerUnit, other, priorities);
        }

        /** The same with the priorities of the tasks. */
        public Options withPriorities(int[] all) {
            return new Options(policy, hosts, learned, noise, sharedLinks, nanosPerUnit, limits, all.clone());
        }

        int priority(int task) {
            return priorities == null ? 0 : priorities[task];
        }

        long seed() {
            return limits.seed();
        }
    }

    /**
     * Runs {@code graph}.
     *
     * @throws IllegalArgumentException if the options do not fit the graph
     * @throws PolicyException if the policy breaks its contract, or throws
     */
    public static SimulatedRun run(WorkGraph graph, Options options) {
        if (options.hosts() > graph.places()) {
            throw new IllegalArgumentException(
                    options.hosts() + " workers of the host, and the graph has " + graph.places() + " places");
        }
        int[] priorities = options.priorities();
        if (priorities != null && priorities.length != graph.tasks()) {
            throw new IllegalArgumentException(
                    priorities.length + " priorities for " + graph.tasks() + " tasks: one each");
        }
        WorkGraph drawn = Noise.drawn(graph, options.noise(), options.seed());
        Timeline time = new Timeline(graph, drawn, options.sharedLinks());
        double planBound = 0;
        PolicyGuard<SimTask> guard = new PolicyGuard<>(options.policy(), "the simulation");
        if (guard.placesGraphs()) {
            Plan plan = guard.plan(graph, options.limits());
            new PlanRun(time, plan).run();
            planBound = drawn == graph ? plan.bound() : 0; // of drawn times it says nothing
        } else {
            new PolicyRun(time, guard, options).run();
        }
        return new SimulatedRun(options.policy().name(), time, options.hosts(), planBound);
    }
}
