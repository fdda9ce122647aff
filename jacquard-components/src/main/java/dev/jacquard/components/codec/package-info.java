/**
 * Values as bytes, for what is saved or sent: by explicit codecs alone, never by Java's serialization.
 *
 * <p>{@code Codecs} has those of boxes of primitives, texts, arrays of primitives, enums, lists, maps and records of
 * these. For other types: one class that implements {@link dev.jacquard.components.codec.Codec}, named as a service.
 *
 * <p>Imports: {@code components.component}.
 */
@NullMarked
package dev.jacquard.components.codec;

import org.jspecify.annotations.NullMarked;
