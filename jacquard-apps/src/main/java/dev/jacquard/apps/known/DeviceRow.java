package dev.jacquard.apps.known;

/**
 * The times of one size of the study of devices.
 *
 * @param work the computation
 * @param points of a field
 * @param device the device compared with the host
 * @param millis the time of each round
 * @param host the host's time in the same round
 */
record DeviceRow(String work, long points, String device, Way way, double[] millis, double[] host) {
    /** The ways to compute it, in the order in which they take turns. */
    enum Way {
        /** The workers of the host. */
        HOST,
        /** The device, where all data is. */
        DEVICE,
        /** The device, with the input from the host and the result back. */
        COPIES
    }

    double median() {
        return Mixtures.median(millis);
    }

    /** Returns how many times as long as the host it takes: the median over the rounds. */
    double toHost() {
        double[] ratios = new double[millis.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = millis[i] / host[i];
        }
        return Mixtures.median(ratios);
    }

    /** Returns its name in charts. */
    String name() {
        return switch (way) {
            case HOST -> "host";
            case DEVICE -> device;
            case COPIES -> device + ", with copies";
        };
    }
}
