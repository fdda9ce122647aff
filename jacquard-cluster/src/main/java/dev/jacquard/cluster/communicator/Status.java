package dev.jacquard.cluster.communicator;

/**
 * The end of a message.
 *
 * @param source the rank that sent it
 * @param tag its tag
 * @param count the number of its elements; of a value, the number of its bytes
 * @param type the name of its elements' type, such as {@code double}, or {@code value}
 */
public record Status(int source, int tag, long count, String type) {}
