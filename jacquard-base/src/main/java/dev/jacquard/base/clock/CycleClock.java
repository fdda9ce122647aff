package dev.jacquard.base.clock;

import java.lang.System.Logger.Level;
import java.util.Optional;

/** The processor's counter of cycles, in nanoseconds: see {@link Clock#cycles}. */
final class CycleClock implements Clock {
    private static final System.Logger LOG = System.getLogger(CycleClock.class.getName());

    private CycleClock() {}

    /** This clock where it can be trusted, else the system's. Asks the machine once. */
    static Clock orSystem() {
        return Chosen.CLOCK;
    }

    /**
     * This clock, if there is nothing against it.
     *
     * @throws LinkageError when the counter cannot be read or its rate not be measured
     */
    static Clock orSystem(CycleTrust trust) {
        Optional<String> objection = trust.objection();
        if (objection.isPresent()) {
            LOG.log(Level.DEBUG, "time is the system''s: {0}", objection.get());
            return Clock.system();
        }
        Clock clock = new CycleClock();
        clock.nanoTime(); // measures the rate
        return clock;
    }

    @Override
    public long nanoTime() {
        return Measured.RATE.nanos(CycleCounter.read());
    }

    /** Made when a clock is first asked for. */
    private static final class Chosen {
        static final Clock CLOCK = choose();

        private static Clock choose() {
            try {
                return orSystem(CycleTrust.ofThisMachine());
            } catch (LinkageError e) {
                LOG.log(Level.DEBUG, "time is the system's: the counter of cycles is out of reach", e);
                return Clock.system();
            }
        }
    }

    /** Made at the first reading. A constant, so that the compiler multiplies by one. */
    private static final class Measured {
        static final CycleRate RATE = CycleRate.measure(CycleCounter::read, System::nanoTime);
    }
}
