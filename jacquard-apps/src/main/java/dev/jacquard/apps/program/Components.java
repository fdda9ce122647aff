package dev.jacquard.apps.program;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The components on the class path or module path. */
public final class Components {
    private Components() {}

    /** All of them, by name. */
    public static List<Application> all() {
        return ServiceLoader.load(Application.class, Components.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Application::name))
                .toList();
    }

    /** The component that a program names. */
    static Application find(ProgramFile.Value name) {
        List<Application> all = all();
        return all.stream()
                .filter(component -> component.name().equals(name.text()))
                .findFirst()
                .orElseThrow(() -> new InputException(name.where() + ": there is no component '" + name.text() + "'"
                        + NearestName.hint(
                                name.text(), all.stream().map(Application::name).toList())));
    }
}
