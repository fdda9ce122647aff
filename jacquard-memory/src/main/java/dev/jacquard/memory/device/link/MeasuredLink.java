package dev.jacquard.memory.device.link;

import dev.jacquard.memory.device.LinkSpeed;

/**
 * What was measured of a link.
 *
 * @param from {@code host} or a device's name
 * @param to likewise
 * @param model which devices that were, as their vendors call them: under the same name there may be another one today
 * @param speed how fast
 */
public record MeasuredLink(String from, String to, String model, LinkSpeed speed) {}
