package dev.jacquard.base.codec;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes a record component by component, by its accessors, and makes it by its canonical constructor. One without
 * components is a byte, so that no number of records takes no bytes.
 */
final class RecordCodec<T> implements Codec<T> {
    private final Class<T> type;
    private final RecordComponent[] components;
    private final List<Codec<Object>> codecs;

    private RecordCodec(Class<T> type, RecordComponent[] components, List<Codec<Object>> codecs) {
        this.type = type;
        this.components = components;
        this.codecs = codecs;
    }

    /**
     * Returns the codec of a record.
     *
     * @param codecs the codecs of its components
     * @throws IllegalArgumentException if a component has none
     */
    static <T> Codec<T> of(Class<T> type, Function<Type, Codec<?>> codecs) {
        RecordComponent[] components = type.getRecordComponents();
        return new RecordCodec<>(
                type,
                components,
                Stream.of(components)
                        .map(component -> ValueCodecs.erased(codecs.apply(component.getGenericType())))
                        .toList());
    }

    @Override
    public Class<T> type() {
        return type;
    }

    @Override
    public void write(T value, Output to) throws IOException {
        for (int i = 0; i < components.length; i++) {
            codecs.get(i).write(get(components[i], value), to);
        }
        if (components.length == 0) {
            to.writeByte(0);
        }
    }

    private Object get(RecordComponent component, Object of) throws IOException {
        String what = "the component '" + component.getName() + "' of a record " + type.getName();
        try {
            return Form.present(component.getAccessor().invoke(of), what);
        } catch (ReflectiveOperationException e) {
            throw new IOException(what + " cannot be read", e);
        }
    }

    @Override
    public T read(Input from) throws IOException {
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = codecs.get(i).read(from);
            types[i] = components[i].getType();
        }
        if (components.length == 0) {
            from.readByte();
        }
        try {
            Constructor<T> canonical = type.getConstructor(types);
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("a record " + type.getName() + " cannot be made of the values that were read", e);
        }
    }
}
