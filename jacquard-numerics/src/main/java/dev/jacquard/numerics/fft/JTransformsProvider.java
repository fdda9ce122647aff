package dev.jacquard.numerics.fft;

import java.util.Optional;
import org.visnow.jlargearrays.ConcurrencyUtils;

/** The default library: JTransforms, in Java, always there. */
public final class JTransformsProvider implements FftProvider {
    /** For {@link java.util.ServiceLoader}. */
    public JTransformsProvider() {}

    @Override
    public String name() {
        return "jtransforms";
    }

    @Override
    public Optional<String> absence() {
        return Optional.empty();
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public RealFft2d plan(int rows, int columns) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
        }
        // Workers are the engine's: the library must not start threads of its own.
        ConcurrencyUtils.setNumberOfThreads(1);
        return new JTransformsFft2d(rows, columns);
    }
}
