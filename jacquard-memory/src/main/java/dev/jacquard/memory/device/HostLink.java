package dev.jacquard.memory.device;

/**
 * The link between the host's memory and a device's.
 *
 * @param in to the device
 * @param out from the device
 */
public record HostLink(LinkSpeed in, LinkSpeed out) {}
