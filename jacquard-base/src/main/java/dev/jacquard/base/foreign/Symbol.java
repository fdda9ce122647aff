package dev.jacquard.base.foreign;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The C function of a method, where it is not the method's name. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Symbol {
    /** The function's name in the library; {@link Binding#named} may change it. */
    String value();
}
