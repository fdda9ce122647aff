package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device of a simulation. Immutable.
 *
 * @param speed how many times as fast as a worker of speed 1
 * @param link from the host and to it
 */
record SimulatedDevice(String name, double speed, Link link) {
    /**
     * A link of which both directions are alike.
     *
     * @param secondsPerByte 0 if copies take no time
     * @param latencySeconds of an empty copy
     */
    record Link(double secondsPerByte, double latencySeconds) {
        private static final double NANOS = 1e9;
        /** Copies take no time. */
        static final Link NONE = new Link(0, 0);

        /** Returns the link of an option: its bytes per second, and its latency in seconds if there is a comma. */
        static Link of(String text) {
            String[] words = text.split(",", -1);
            double bandwidth = words.length > 2 ? Double.NaN : number(words[0]);
            double latency = words.length == 1 ? 0 : number(words[words.length - 1]);
            if (!(bandwidth > 0
                    && bandwidth < Double.POSITIVE_INFINITY
                    && latency >= 0
                    && latency < Double.POSITIVE_INFINITY)) {
                throw new InputException("--link " + text
                        + ": expected bytes per second above 0, and seconds of latency after a comma if any, such as"
                        + " 10e9,5e-6");
            }
            return new Link(1 / bandwidth, latency);
        }

        private static double number(String text) {
            try {
                return Double.parseDouble(text.strip());
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }

        /** Returns the link of a copy that goes over this link, then over another. */
        Link then(Link other) {
            return new Link(secondsPerByte + other.secondsPerByte, latencySeconds + other.latencySeconds);
        }

        /** Sets the link between two places, in the unit of a graph. */
        void between(int from, int to, WorkGraph.Builder places, GraphFile.Unit unit) {
            places.link(from, to, latencySeconds * NANOS / unit.nanos(), secondsPerByte * NANOS / unit.nanos());
        }
    }

    /** Returns devices d0, d1 and so on; without a link copies take no time. */
    static List<SimulatedDevice> numbered(List<Double> speeds, @Nullable Link link) {
        List<SimulatedDevice> devices = new ArrayList<>();
        for (double speed : speeds) {
            devices.add(new SimulatedDevice("d" + devices.size(), speed, link == null ? Link.NONE : link));
        }
        return devices;
    }
}
