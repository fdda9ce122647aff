package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method without a result whose C function returns a status, an {@code int}. The method returns if the status is 0,
 * and else throws the exception of the binding's {@link StatusFailure}. On an interface it applies to each of its
 * methods without a result.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Status {}
