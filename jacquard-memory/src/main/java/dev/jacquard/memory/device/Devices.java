package dev.jacquard.memory.device;

import dev.jacquard.base.service.Services;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** The devices of this machine, as all providers find them. Threads: any. */
public final class Devices {
    private static final String ALL = "all";

    private Devices() {}

    /**
     * Looks for devices of all kinds; a provider that throws counts as one without. Takes some time. One thread at a
     * time: not every driver bears to be asked for the first time by two.
     */
    public static synchronized DeviceProvider.Discovery discover() {
        List<DeviceOffer> offers = new ArrayList<>();
        List<String> absences = new ArrayList<>();
        List<DeviceProvider> providers =
                Services.all(DeviceProvider.class, loader -> ServiceLoader.load(DeviceProvider.class, loader));
        for (DeviceProvider provider : providers) {
            try {
                DeviceProvider.Discovery found = provider.discover();
                offers.addAll(found.offers());
                found.absences().forEach(why -> absences.add(provider.kind() + ": " + why));
            } catch (RuntimeException | LinkageError e) {
                absences.add(provider.kind() + ": " + e);
            }
        }
        if (providers.isEmpty()) {
            absences.add("no provider looks for devices: neither the context class loader nor Jacquard's own finds a "
                    + DeviceProvider.class.getSimpleName() + "; jacquard-devices has those of OpenCL and CUDA");
        }
        return new DeviceProvider.Discovery(offers, absences);
    }

    /**
     * The devices of these names, in this order.
     *
     * @param names such as {@code opencl0}; a kind, such as {@code opencl}, for all devices of it; {@code all} for all
     *     that there are, of which there may be none
     * @throws IllegalArgumentException when there is none of a name: says which there are, and why others are absent
     */
    public static List<DeviceOffer> named(List<String> names) {
        return named(names, discover());
    }

    static List<DeviceOffer> named(List<String> names, DeviceProvider.Discovery found) {
        Set<DeviceOffer> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<DeviceOffer> fitting = found.offers().stream()
                    .filter(offer -> name.equals(ALL)
                            || name.equals(offer.name())
                            || name.equals(offer.target().name()))
                    .toList();
            if (fitting.isEmpty() && !name.equals(ALL)) {
                throw new IllegalArgumentException(unknown(name, found));
            }
            chosen.addAll(fitting);
        }
        return List.copyOf(chosen);
    }

    private static String unknown(String name, DeviceProvider.Discovery found) {
        StringBuilder text =
                new StringBuilder("there is no device \"").append(name).append("\"; this machine has ");
        if (found.offers().isEmpty()) {
            text.append("none");
        }
        for (int i = 0; i < found.offers().size(); i++) {
            DeviceOffer offer = found.offers().get(i);
            Device.Properties properties = offer.properties();
            text.append(i == 0 ? "" : ", ")
                    .append(offer.name())
                    .append(" (")
                    .append(properties.model())
                    .append(", ")
                    .append(properties.memoryBytes() >> 20)
                    .append(" MiB)");
        }
        found.absences().forEach(why -> text.append("\n  absent: ").append(why));
        return text.append("\n  \"all\" stands for all that there are")
                .append("; emulated0, emulated1, ... need no hardware")
                .toString();
    }
}
