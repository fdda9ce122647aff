package dev.jacquard.base.machine;

import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.base.service.Services;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The machine that this process runs on, described once. */
final class CurrentMachine {
    static final Machine MACHINE = describe(sources(), Path.of("/"));

    private CurrentMachine() {}

    private static List<Machine.Source> sources() {
        try {
            return Services.all(Machine.Source.class, loader -> ServiceLoader.load(Machine.Source.class, loader));
        } catch (ServiceConfigurationError e) {
            return List.of(); // a jar that cannot be read: the system's files need none
        }
    }

    /**
     * Describes the machine by the first source that can, else by the system's files, else by the JVM's count.
     *
     * @param files the folder that {@code /proc} and {@code /sys} are in
     */
    static Machine describe(List<Machine.Source> sources, Path files) {
        StringBuilder absences = new StringBuilder();
        for (Machine.Source source : sources) {
            try {
                return limited(source.describe(), files);
            } catch (IOException | RuntimeException | LinkageError e) {
                absences.append("; ").append(e.getMessage());
            }
        }
        try {
            Machine read = new SystemFiles(files).machine();
            MachineDetails details = read.details();
            return limited(Machine.of(read.draft(), details.from(details.source() + absences, true)), files);
        } catch (IOException | RuntimeException e) {
            return counted("the JVM's count of processors; " + e + absences);
        }
    }

    /** Keeps the processors that the process may use, and notes the limits of its time and stacks. */
    private static Machine limited(Machine machine, Path files) {
        ProcessLimits limits = new ProcessLimits(files);
        Machine kept = limits.allowedCpus().map(machine::restrictedTo).orElse(machine);
        MachineDraft draft = kept.draft();
        limits.cpuLimit().ifPresent(limit -> draft.put(Property.CPU_LIMIT, limit));
        limits.stackBytes().ifPresent(bytes -> draft.put(Property.STACK_SIZE, bytes));
        return Machine.of(draft, kept.details());
    }

    /** Returns a machine of which nothing is known but the number of its processors. */
    static Machine counted(String why) {
        int processors = Machine.availableProcessors();
        IndexSet cpus = IndexSet.below(processors);
        MachineDraft root = new MachineDraft(Kind.MACHINE).osIndex(0).cpus(cpus);
        for (int cpu = 0; cpu < processors; cpu++) {
            root.add(new MachineDraft(Kind.PU).osIndex(cpu).cpus(IndexSet.of(cpu)));
        }
        Optional.ofNullable(System.getProperty("os.arch")).ifPresent(arch -> root.info("Architecture", arch));
        return Machine.of(root, MachineDetails.of(why, true));
    }
}
