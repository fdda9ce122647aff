package dev.jacquard.memory.device.link;

import dev.jacquard.memory.device.LinkSpeed;

/**
 * A measurement of a link.
 *
 * @param from {@code host} or a device's name
 * @param to the same for the other end
 * @param model the models of the devices: today another device may have the same name
 * @param speed how fast
 */
public record MeasuredLink(String from, String to, String model, LinkSpeed speed) {}
