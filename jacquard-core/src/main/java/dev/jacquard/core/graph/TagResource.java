package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Resource;

/** A resource that stands for a tag. */
final class TagResource extends Resource {
    private final String tag;

    TagResource(String tag, Object owner) {
        super("tag " + tag, owner);
        this.tag = tag;
    }

    String tag() {
        return tag;
    }
}
