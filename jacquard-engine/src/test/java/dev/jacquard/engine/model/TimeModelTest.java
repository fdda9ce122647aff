package dev.jacquard.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import org.junit.jupiter.api.Test;

class TimeModelTest {
    private final TimeModel model = new TimeModel();

    @Test
    void timesAreLearntHoweverManyNamesThereWere() {
        for (int i = 0; i < 50_000; i++) {
            model.add("read tile " + i, Place.HOST, 0, 10);
        }
        model.add("solve", Place.HOST, 0, 5_000);
        assertEquals(5_000, model.nanos("solve", Place.HOST, 0));
        assertEquals(10, model.nanos("read tile 49999", Place.HOST, 0));
        assertTrue(model.nanos("read tile 0", Place.HOST, 0) < 0, "the oldest name is forgotten");
    }

    @Test
    void aNameThatIsUsedAllTheTimeKeepsItsAverage() {
        model.add("solve", Place.HOST, 0, 1_000_000); // has in it what is done once
        model.add("solve", Place.HOST, 0, 1_000);
        for (int i = 0; i < 100_000; i++) {
            model.add("read tile " + i, Place.HOST, 0, 10);
            if (i % 1_000 == 0) {
                assertEquals(1_000, model.nanos("solve", Place.HOST, 0));
            }
        }
    }
}
