package dev.jacquard.flow.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Profiles as JSON documents: the profile's records, name by name, and the bottleneck for other readers. */
final class ProfileJson {
    /** The version of the format; a change that a reader has to know counts it up. */
    private static final long VERSION = 1;

    private ProfileJson() {}

    /** The whole document; the bottleneck is null where no item was worked on. */
    record Document(long flowProfile, FlowProfile.@Nullable Bottleneck bottleneck, FlowProfile profile) {}

    static String text(FlowProfile profile) {
        return Json.write(new Document(VERSION, profile.bottleneck().orElse(null), profile));
    }

    static FlowProfile profile(String text) {
        Object document = Json.read(text);
        Object version = document instanceof Map<?, ?> fields ? fields.get("flowProfile") : null;
        if (!(version instanceof Long number)) {
            throw new IllegalArgumentException("this is no profile of a flow graph: expected an object with the field"
                    + " \"flowProfile\", as FlowProfile.toJson() writes it");
        }
        if (number != VERSION) {
            throw new IllegalArgumentException("a profile of version " + number + ": expected version " + VERSION
                    + "; write it again with this release");
        }
        return JsonRecords.record(Document.class, document, "the document").profile();
    }
}
