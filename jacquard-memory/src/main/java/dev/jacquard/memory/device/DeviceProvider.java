package dev.jacquard.memory.device;

import java.util.List;

/**
 * Finds the devices of one kind; implementations are services. Threads: any.
 *
 * <p>Libraries or drivers that are not there mean that there are no devices, with the reason on record; never an
 * exception.
 */
public interface DeviceProvider {
    /** The kind, as in names of devices and in configurations: {@code opencl}. */
    String kind();

    /** Looks for devices. May take some time, and is asked seldom. */
    Discovery discover();

    /**
     * The result of a search.
     *
     * @param offers the devices, preferred ones first
     * @param absences why there are not more: the object of the search, the failure, and its remedy; empty when all is
     *     well
     */
    record Discovery(List<DeviceOffer> offers, List<String> absences) {
        public Discovery {
            offers = List.copyOf(offers);
            absences = List.copyOf(absences);
        }

        /** No devices, for this reason. */
        public static Discovery none(String why) {
            return new Discovery(List.of(), List.of(why));
        }
    }
}
