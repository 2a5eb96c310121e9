package fleet.fleetctl;

import fleet.fleetctl.command.Completion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the files for shell completion into a directory; run while fleet is packaged. */
public final class CompletionMain {

  private CompletionMain() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    Files.writeString(directory.resolve("fleetctl.bash"), Completion.bash());
    Files.writeString(directory.resolve("_fleetctl"), Completion.zsh());
  }
}
