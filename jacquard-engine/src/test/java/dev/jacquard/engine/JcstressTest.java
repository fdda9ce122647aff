package dev.jacquard.engine;

import dev.jacquard.testkit.Jcstress;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The races of this module. */
class JcstressTest {
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noForbiddenOutcome() throws IOException, InterruptedException {
        Jcstress.assertNoForbiddenOutcome(14);
    }
}
