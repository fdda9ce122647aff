package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.EngineOptions;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.libraries.hwloc.HwlocFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The places of a simulation, as {@code --machine}, {@code --device} and {@code --link} name them: workers of the host,
 * then devices. Immutable.
 *
 * @param option the text of {@code --machine}; null where it was not given
 * @param workers the speeds of the workers of the host
 * @param devices what runs tasks beside the host
 */
record SimulatedMachine(@Nullable String option, List<Double> workers, List<SimulatedDevice> devices) {
    private static final String THIS = "this";
    private static final Pattern NUMBER = Pattern.compile("-?\\d+");
    private static final int MOST_DEVICES = 1_024;
    private static final double LEAST_SPEED = 1e-3;
    private static final double MOST_SPEED = 1e6;

    /** Returns the machine of these options, of which each may be null. */
    static SimulatedMachine of(@Nullable String machine, @Nullable String device, @Nullable String link) {
        if (link != null && device == null) {
            throw new InputException("--link " + link + ": a link leads to a device; expected --device, too");
        }
        List<Double> speeds = device == null ? List.of() : speeds(device);
        SimulatedDevice.Link wire = link == null ? null : SimulatedDevice.Link.of(link);
        if (machine == null || machine.equals(THIS)) {
            return new SimulatedMachine(
                    machine, equal(Machine.availableProcessors()), SimulatedDevice.numbered(speeds, wire));
        }
        if (NUMBER.matcher(machine).matches()) {
            return new SimulatedMachine(machine, equal(number(machine)), SimulatedDevice.numbered(speeds, wire));
        }
        MachineSpeeds file = new MachineSpeeds(read(machine));
        List<Double> workers = file.workers();
        return new SimulatedMachine(
                machine,
                workers.subList(0, Math.min(workers.size(), EngineOptions.MOST_WORKERS)),
                file.devices("--device " + device, machine, speeds, wire));
    }

    private static List<Double> equal(int workers) {
        return Collections.nCopies(workers, 1.0);
    }

    private static List<Double> speeds(String text) {
        List<Double> speeds = new ArrayList<>();
        for (String speed : text.split(",", -1)) {
            speeds.add(speed(text, speed.strip()));
        }
        if (speeds.size() > MOST_DEVICES) {
            throw new InputException("--device: " + speeds.size() + " speeds; expected " + MOST_DEVICES + " at most");
        }
        return speeds;
    }

    private static double speed(String all, String text) {
        try {
            double speed = Double.parseDouble(text);
            if (speed >= LEAST_SPEED && speed <= MOST_SPEED) {
                return speed;
            }
        } catch (NumberFormatException e) {
            // no number: refused below
        }
        throw new InputException("--device " + all + ": the speed \"" + text
                + "\"; expected a number from 0.001 to 1000000, such as 4 for a device that is four times as fast as a"
                + " worker");
    }

    private static int number(String text) {
        try {
            int workers = Integer.parseInt(text);
            if (workers >= 1 && workers <= EngineOptions.MOST_WORKERS) {
                return workers;
            }
        } catch (NumberFormatException e) {
            // too large: refused below
        }
        throw new InputException("--machine " + text + ": expected 1 to " + EngineOptions.MOST_WORKERS + " workers");
    }

    private static Machine read(String file) {
        if (!Files.isRegularFile(Path.of(file))) {
            throw new InputException("--machine " + file + ": there is no such file; expected a number of workers, a"
                    + " file of hwloc, or \"this\" for one for each processor of this machine");
        }
        try {
            return HwlocFile.read(Path.of(file)).machine();
        } catch (HwlocFile.MalformedException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new InputException("--machine " + file + ": the file cannot be read: " + e, e);
        }
    }

    /**
     * Returns a graph for this machine; one that has its own processors for the first of these.
     *
     * @param isOnly false for one of several graphs: then the number of workers counts for those without processors
     * @throws InputException if the options do not fit the graph
     */
    WorkGraph graph(GraphFile graph, boolean isOnly) {
        int own = graph.processors();
        if (own == 0) {
            return graph.on(places(graph.unit()), speeds());
        }
        if (option == null && devices.isEmpty()) {
            return graph.on(own);
        }
        if (isOnly && !devices.isEmpty()) {
            throw new InputException(
                    "--device: the graph has times for its own " + own + " processors alone; expected no --device");
        }
        if (isOnly && workers.size() > own) {
            throw new InputException("--machine " + option + ": the graph has times for its own " + own
                    + " processors alone; expected 1 to " + own + ", or no --machine for all of them");
        }
        return graph.on(option == null ? own : Math.min(own, workers.size()));
    }

    /** Returns the number of workers of the host, which are the first places of a graph on this machine. */
    int hosts(GraphFile graph) {
        int own = graph.processors();
        return own == 0 ? workers.size() : option == null ? own : Math.min(own, workers.size());
    }

    private double[] speeds() {
        double[] speeds =
                Arrays.copyOf(workers.stream().mapToDouble(speed -> speed).toArray(), places());
        for (int device = 0; device < devices.size(); device++) {
            speeds[workers.size() + device] = devices.get(device).speed();
        }
        return speeds;
    }

    private int places() {
        return workers.size() + devices.size();
    }

    private WorkGraph.Builder places(GraphFile.Unit unit) {
        List<String> names = new ArrayList<>();
        for (int worker = 0; worker < workers.size(); worker++) {
            names.add("w" + worker);
        }
        devices.forEach(device -> names.add(device.name()));
        WorkGraph.Builder places = new WorkGraph.Builder(names);
        for (int to = 0; to < devices.size(); to++) {
            SimulatedDevice device = devices.get(to);
            int at = workers.size() + to;
            for (int worker = 0; worker < workers.size(); worker++) {
                device.link().between(worker, at, places, unit);
                device.link().between(at, worker, places, unit);
            }
            for (int from = 0; from < devices.size(); from++) {
                if (from != to) { // by way of the host
                    SimulatedDevice.Link both = devices.get(from).link().then(device.link());
                    both.between(workers.size() + from, at, places, unit);
                }
            }
        }
        return places;
    }
}
