package dev.jacquard.apps.program;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The components on the class path or module path. */
public final class Components {
    private Components() {}

    /** All of them, by name. */
    public static List<Component> all() {
        return ServiceLoader.load(Component.class, Components.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Component::name))
                .toList();
    }

    /** The component that a program names. */
    static Component find(ProgramFile.Value name) {
        List<Component> all = all();
        return all.stream()
                .filter(component -> component.name().equals(name.text()))
                .findFirst()
                .orElseThrow(() -> new InputException(name.where() + ": there is no component '" + name.text() + "'"
                        + NearestName.hint(
                                name.text(), all.stream().map(Component::name).toList())));
    }
}
