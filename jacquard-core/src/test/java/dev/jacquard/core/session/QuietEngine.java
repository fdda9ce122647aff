package dev.jacquard.core.session;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the engine from logging what ends it, which is a thousand lines for each full stack. */
final class QuietEngine implements BeforeEachCallback, AfterEachCallback {
    private final Logger log = Logger.getLogger("dev.jacquard.engine.Engine");

    @Override
    public void beforeEach(ExtensionContext context) {
        log.setLevel(Level.OFF);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        log.setLevel(null);
    }
}
