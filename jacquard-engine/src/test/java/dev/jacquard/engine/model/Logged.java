package dev.jacquard.engine.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The messages that a class logs. */
final class Logged {
    private Logged() {}

    /** Returns the messages that the logger of a class gets while the action runs. */
    static List<String> by(Class<?> type, Runnable action) {
        List<String> messages = Collections.synchronizedList(new ArrayList<>());
        Logger logger = Logger.getLogger(type.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                messages.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        boolean toParents = logger.getUseParentHandlers();
        logger.setUseParentHandlers(false);
        try {
            action.run();
        } finally {
            logger.setUseParentHandlers(toParents);
            logger.removeHandler(handler);
        }
        return messages;
    }
}
