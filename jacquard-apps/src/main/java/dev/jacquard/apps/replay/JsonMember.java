package dev.jacquard.apps.replay;

/** A member of an object of a JSON document, and the place of its name. */
record JsonMember(String where, JsonValue value) {}
