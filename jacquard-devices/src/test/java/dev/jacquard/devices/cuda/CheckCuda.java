package dev.jacquard.devices.cuda;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What {@code scripts/check-cuda} runs: tests and measurements on the first CUDA device, as one JSON document. */
public final class CheckCuda {
    private static final int FAILED = 1;
    private static final int NO_DEVICE = 3;

    private CheckCuda() {}

    /** Ends with 0 when all passed, with 1 when something failed, with 3 when there is no device. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Discovery found = new CudaProvider().discover();
        Map<String, Object> document = new LinkedHashMap<>();
        if (found.offers().isEmpty()) {
            document.put("device", null);
            document.put("reasons", found.absences());
            System.out.println(json(document));
            found.absences().forEach(why -> System.err.println("check-cuda: " + why));
            System.exit(NO_DEVICE);
        }
        if (List.of(arguments).contains("--crash")) {
            System.exit(crash(found) ? 0 : FAILED);
        }
        var properties = found.offers().get(0).properties();
        document.put("device", properties.model());
        document.put("devices", found.offers().size());
        document.put("memory_bytes", properties.memoryBytes());
        document.put("compute_units", properties.computeUnits());
        document.put("properties", properties.more());
        document.put("reasons", found.absences());
        document.put("libraries", libraries());
        Results results = new Results();
        runTests(results);
        results.add("a crash loses the device (in a process of its own)", crashes() ? "" : "see standard error");
        document.put("passed", results.passed);
        document.put("skipped", results.skipped);
        document.put("failed", results.failed);
        try (Device device = found.offers().get(0).open()) {
            document.put("figures", new CudaFigures(device).all());
        } catch (DeviceException e) {
            e.printStackTrace();
            results.add("figures", e.toString());
        }
        System.out.println(json(document));
        System.exit(results.failed.isEmpty() ? 0 : FAILED);
    }

    private static Map<String, Object> libraries() {
        Map<String, Object> all = new LinkedHashMap<>();
        Found<Nvrtc> nvrtc = CudaLibraries.nvrtc();
        all.put("nvrtc", nvrtc.absence().orElseGet(() -> nvrtc.orThrow().version()));
        all.put(
                "cublas",
                Cublas.absence()
                        .orElseGet(() -> CudaLibraries.cublas().orThrow().name()));
        all.put(
                "cufft",
                Cufft.absence().orElseGet(() -> CudaLibraries.cufft().orThrow().name()));
        all.put(
                "cusolver",
                Cusolver.absence()
                        .orElseGet(() -> CudaLibraries.cusolver().orThrow().name()));
        return all;
    }

    private static void runTests(Results results) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        selectClass(CudaDeviceTest.class),
                        selectClass(CudaVendorTest.class),
                        selectClass(NvrtcTest.class),
                        selectClass(CudaProviderTest.class),
                        selectPackage("dev.jacquard.devices.mixtures"),
                        selectPackage("dev.jacquard.devices.examples"),
                        selectClass("dev.jacquard.expressions.codegen.KernelLoopTest"),
                        selectClass("dev.jacquard.expressions.codegen.KernelTextTest"),
                        selectClass("dev.jacquard.expressions.time.ResidentStepsOnDevicesTest"),
                        selectClass("dev.jacquard.expressions.tree.AssignmentsOnDevicesTest"),
                        selectClass("dev.jacquard.expressions.tree.ExpressionsOnDevicesTest"))
                .configurationParameter("junit.jupiter.execution.timeout.default", "180 s")
                .build();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, results);
    }

    /** Whether a kernel that writes where it must not loses the device, and says so. Loses it for this process. */
    private static boolean crash(Discovery found) {
        Device device = found.offers().get(0).open();
        var stream = device.stream("crash");
        var kernel = device.compile(KernelSource.resource(Language.CUDA, CheckCuda.class, "measured.cu", "crash"));
        stream.launch(kernel, LaunchShape.of(1), List.of(16L));
        try {
            stream.record().await();
        } catch (DeviceLostException expected) {
            System.err.println("as expected: " + expected.getMessage());
            try {
                device.allocate(1);
            } catch (DeviceLostException still) {
                stream.close();
                device.close();
                return true;
            }
        }
        return false;
    }

    private static boolean crashes() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(CheckCuda.class.getName());
        command.add("--crash");
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return process.waitFor() == 0;
    }

    /** How each test ended. */
    private static final class Results implements TestExecutionListener {
        final List<String> passed = new ArrayList<>();
        final Map<String, String> skipped = new LinkedHashMap<>();
        final Map<String, String> failed = new LinkedHashMap<>();

        void add(String name, String failure) {
            System.err.println((failure.isEmpty() ? "passed  " : "FAILED  ") + name);
            if (failure.isEmpty()) {
                passed.add(name);
            } else {
                failed.put(name, failure);
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String name = test.getUniqueId()
                    .replaceAll("^.*\\[class:(?:[a-z]+\\.)*([^\\]]*)\\]", "$1")
                    .replaceAll("/\\[method:(?:.*#)?([^(]*)\\(.*", ".$1");
            String why = result.getThrowable().map(Throwable::toString).orElse("");
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        add(name, "");
                    }
                }
                case ABORTED -> skipped.put(name, why);
                case FAILED -> {
                    result.getThrowable().ifPresent(Throwable::printStackTrace);
                    add(name, why.isEmpty() ? "failed" : why);
                }
            }
        }
    }

    static String json(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> json(String.valueOf(entry.getKey())) + ":" + json(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(CheckCuda::json).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            default -> {
                StringBuilder text = new StringBuilder("\"");
                value.toString()
                        .chars()
                        .forEach(c -> text.append(
                                c == '"' || c == '\\'
                                        ? "\\" + (char) c
                                        : c < ' ' ? String.format(Locale.ROOT, "\\u%04x", c) : "" + (char) c));
                yield text.append('"').toString();
            }
        };
    }
}
