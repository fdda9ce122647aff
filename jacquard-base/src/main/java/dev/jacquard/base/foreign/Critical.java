package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function that returns within microseconds and calls nothing back. The thread stays a Java thread during the call,
 * which saves a few nanoseconds and holds the garbage collector off.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Critical {
    /** True if segments of the heap may be passed. */
    boolean heap() default false;
}
