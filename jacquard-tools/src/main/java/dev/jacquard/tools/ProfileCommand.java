package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.ProfileComparison;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the profile of a flow graph's run, or those of two runs side by side. */
@Command(
        name = "profile",
        description = "Show the profile of a flow graph's run, or those of two runs side by side.",
        footer = {"", "The files are those that FlowProfile.writeJson writes. docs/flow-profile.md has the figures."})
final class ProfileCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "The profile, or the one to compare with.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

    @Parameters(index = "1", arity = "0..1", paramLabel = "AFTER", description = "The profile of the other run.")
    private @Nullable Path after;

    ProfileCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws IOException {
        FlowProfile profile = read(file);
        if (after == null) {
            print(profile::toJson, () -> List.of(profile.toText().stripTrailing()));
            return 0;
        }
        ProfileComparison compared = FlowProfile.compare(profile, read(after));
        print(compared::toJson, () -> List.of(compared.toText().stripTrailing()));
        return 0;
    }

    private static FlowProfile read(Path file) throws IOException {
        try {
            return FlowProfile.readJson(file);
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": there is no such file", e);
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }
}
