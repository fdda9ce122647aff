package dev.jacquard.apps.replay;

/**
 * A member of an object.
 *
 * @param where the place of its name
 * @param value what it is
 */
record JsonMember(String where, JsonValue value) {}
