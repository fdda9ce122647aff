package dev.jacquard.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walls between packages, each with its reason. Those that are measured on the sources are in {@code walls}. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("/dev/jacquard/testkit/")) // of tests alone
            .importPackages("dev.jacquard");

    private static void check(ArchRule rule) {
        rule.check(OURS);
    }

    @Test
    void allModulesAreLookedAt() {
        for (String part : List.of(
                "base",
                "cluster",
                "mpi",
                "insight",
                "drawing",
                "engine",
                "sim",
                "memory",
                "core",
                "flow",
                "expressions",
                "numerics",
                "devices",
                "libraries",
                "components",
                "apps",
                "bench",
                "tools")) {
            assertTrue(
                    OURS.stream().anyMatch(c -> c.getPackageName().startsWith("dev.jacquard." + part)),
                    "no class of " + part + " was found");
        }
    }

    @Test
    void theCoreNeedsThePlatformOnly() {
        String[] core = packages("base", "insight", "engine", "memory", "core");
        check(classes()
                .that()
                .resideInAnyPackage(core)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(packages(core, "java..", "org.jspecify.."))
                .because("an engine that drags libraries in cannot be embedded everywhere"));
    }

    @Test
    void servicesAreLookedForByAllClassLoaders() {
        check(classes()
                .that(DescribedPredicate.describe(
                        "look for services",
                        its -> its.getMethodCallsFromSelf().stream()
                                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(ServiceLoader.class)
                                        && call.getName().equals("load"))))
                .should()
                .accessClassesThat()
                .haveFullyQualifiedName("dev.jacquard.base.service.Services")
                .because("the context class loader of a thread may not know ours, nor ours that of a plug-in"));
    }

    @Test
    void modulesKnowOnlyWhatLiesBelow() {
        knows("base");
        knows("cluster", "base");
        knows("mpi", "base", "cluster");
        knows("insight");
        knows("drawing", "base", "insight");
        knows("engine", "base");
        knows("sim", "base", "engine");
        knows("memory", "base", "engine");
        knows("core", "base", "engine", "memory", "insight");
        knows("flow", "base", "engine", "memory", "core", "drawing");
        knows("expressions", "base", "engine", "memory", "core", "insight", "drawing");
        knows("numerics", "base");
        knows("devices", "base", "memory");
        knows("libraries", "base", "cluster", "numerics");
        knows("components", "base", "cluster", "engine", "memory", "core", "drawing");
        String[] fronts = {
            "base",
            "cluster",
            "engine",
            "memory",
            "insight",
            "core",
            "drawing",
            "flow",
            "expressions",
            "numerics",
            "components"
        };
        knows("apps", fronts);
        knows("bench", packages(fronts, "apps", "sim"));
    }

    @Test
    void memoryKnowsOfTheEngineItsTimesAlone() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.jacquard.memory..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.jacquard.engine..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage("dev.jacquard.engine.model")))
                .because("data goes where tasks run, whatever runs them"));
    }

    @Test
    void kindsOfDevicesKnowNotWhoUsesThem() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.jacquard.devices..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.jacquard.memory..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage("dev.jacquard.memory.device")))
                .because("what kinds of devices have in common lies above them, once"));
    }

    /** A module knows those modules of ours, and no others. */
    private static void knows(String module, String... others) {
        String[] known = packages(packages(others), "dev.jacquard." + module + "..");
        check(noClasses()
                .that()
                .resideInAPackage("dev.jacquard." + module + "..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.jacquard..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(known)))
                .because("imports run downwards only; devices and libraries are found by the service loader"));
    }

    /** The packages of modules. */
    private static String[] packages(String... modules) {
        return Arrays.stream(modules)
                .map(module -> "dev.jacquard." + module + "..")
                .toArray(String[]::new);
    }

    private static String[] packages(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void packagesFormNoCycles() {
        check(slices().matching("dev.jacquard.(**)").should().beFreeOfCycles());
    }

    @Test
    void locksAreMonitorsOrOurOwn() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("dev.jacquard.bench..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("java.util.concurrent.locks")
                        .and(DescribedPredicate.not(JavaClass.Predicates.equivalentTo(LockSupport.class))))
                .orShould()
                .dependOnClassesThat(JavaClass.Predicates.assignableTo(BlockingQueue.class))
                .because("one of these that is acquired with a full stack may throw, and is never given back"));
    }

    @Test
    void threadsAreMadeByTheEngine() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                "dev.jacquard.engine..",
                                "dev.jacquard.memory.device.emulated..",
                                "dev.jacquard.bench..")
                        .and()
                        .doNotHaveFullyQualifiedName("dev.jacquard.tools.Interrupts")
                        .and()
                        .doNotHaveFullyQualifiedName("dev.jacquard.base.concurrent.Threads") // which starts none
                        .should()
                        .callMethod(Thread.class, "ofPlatform")
                        .orShould()
                        .callMethod(Thread.class, "ofVirtual")
                        .orShould()
                        .callConstructor(Thread.class, Runnable.class)
                        .orShould()
                        .callConstructor(Thread.class, Runnable.class, String.class)
                        .because(
                                "who makes threads must end them, and there is one who does (emulated devices, whose threads are their hardware, an interrupt's hook and rivals aside)"));
    }

    @Test
    void timeComesFromTheClock() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("dev.jacquard.base.clock..", "dev.jacquard.bench..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("a virtual clock must be able to drive everything"));
    }

    @Test
    void nativeCallsAreBoundInOnePackage() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("dev.jacquard.base.foreign..")
                .and()
                .doNotHaveFullyQualifiedName("dev.jacquard.expressions.codegen.Lanes")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.SymbolLookup")
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "a segment is given another size",
                        call -> call.getTargetOwner().isEquivalentTo(MemorySegment.class)
                                && call.getName().equals("reinterpret")))
                .because(
                        "a native mistake ends the process: it is looked for in one place, and where loops in lanes are"
                                + " handed all memory"));
    }

    @Test
    void librariesAreCalledInDevicesAndLibraries() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.jacquard.base.foreign..",
                        "dev.jacquard.devices..",
                        "dev.jacquard.libraries..",
                        "dev.jacquard.numerics.openblas..",
                        "dev.jacquard.mpi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.jacquard.base.foreign..")
                .because("all else knows what a library does by an interface of ours, and runs without it"));
    }

    @Test
    void onlyTheCommandLinePrintsOrExits() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("dev.jacquard.tools..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .because("a library reports to its caller"));
    }

    @Test
    void publicSignaturesHideNothing() throws IOException {
        Set<String> exported = exportedPackages();
        check(classes()
                .that()
                .arePublic()
                .and()
                .resideInAPackage("dev.jacquard..")
                .should(new ArchCondition<>("use exported types only in public methods") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        if (isSeen(type, exported)) {
                            type.getMethods().forEach(method -> checkMethod(method, exported, events));
                        }
                    }
                }));
    }

    private static void checkMethod(JavaMethod method, Set<String> exported, ConditionEvents events) {
        boolean visible = method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC);
        Set<JavaClass> used = new HashSet<>(method.getRawParameterTypes());
        used.add(method.getRawReturnType());
        for (JavaClass type : used) {
            JavaClass base = type.getBaseComponentType();
            boolean ours = base.getPackageName().startsWith("dev.jacquard");
            if (visible && ours && !isSeen(base, exported)) {
                events.add(SimpleConditionEvent.violated(
                        method, method.getFullName() + " shows " + base.getName() + ", which is not exported"));
            }
        }
    }

    /** Types nested in an interface are public, and hidden if the interface is. */
    private static boolean isSeen(JavaClass type, Set<String> exported) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && exported.contains(type.getPackageName())
                && type.getEnclosingClass()
                        .map(outer -> isSeen(outer, exported))
                        .orElse(true);
    }

    private static Set<String> exportedPackages() throws IOException {
        Set<String> exported = new HashSet<>();
        for (URL url : Collections.list(ArchitectureTest.class.getClassLoader().getResources("module-info.class"))) {
            try (InputStream in = url.openStream()) {
                ModuleDescriptor module = ModuleDescriptor.read(in);
                if (module.name().startsWith("dev.jacquard")) {
                    module.exports().forEach(export -> exported.add(export.source()));
                }
            }
        }
        assertTrue(exported.contains("dev.jacquard.core.graph"), "module descriptors were not found");
        return exported;
    }
}
