package dev.jacquard.core.session;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs on real threads. {@code scripts/campaign --schedules} runs more of them. */
class RandomProgramsTest {
    private static final int PROGRAMS = 250;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void doWhatTheyMay(int workers) {
        new Campaign(Campaign.CONFIGURATIONS.getFirst(), workers).run(10_000_000L * workers, PROGRAMS);
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void doWhatTheyMayUnderEveryPolicy(Campaign.Configuration configuration) {
        for (int workers = 1; workers <= 4; workers++) {
            new Campaign(configuration, workers).run(100_000_000L + 1_000L * workers, PROGRAMS / 4);
        }
    }

    static List<Campaign.Configuration> configurations() {
        return Campaign.CONFIGURATIONS;
    }
}
