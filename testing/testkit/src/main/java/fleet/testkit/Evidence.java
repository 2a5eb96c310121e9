package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Keeps what machines tell after a test has failed: their journals, units and jobs. */
final class Evidence {

  private static final int LINES_SHOWN = 60;

  private Evidence() {}

  /**
   * Writes files into a folder of {@code target/machines}, and the last lines of each journal to
   * standard error, for whoever sees only the output of the tests.
   *
   * @return the folder
   */
  static Path keep(String test, Collection<BootedMachine> machines) {
    Path folder = Path.of("target/machines", test).toAbsolutePath();
    // The machines of an earlier run may have had other names.
    Command.of("rm", "-rf", folder.toString()).run().orThrow();
    String shown =
        machines.stream().map(machine -> keep(folder, machine)).collect(Collectors.joining());
    System.err.print(shown);
    return folder;
  }

  private static String keep(Path folder, BootedMachine machine) {
    String journal = machine.journal();
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(machine.name() + ".journal"), journal);
      Files.writeString(folder.resolve(machine.name() + ".systemctl"), units(machine));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep what a machine tells: " + e.getMessage(), e);
    }
    List<String> lines = journal.lines().toList();
    return lines.stream()
        .skip(Math.max(0, lines.size() - LINES_SHOWN))
        .map(line -> "  " + line + "\n")
        .collect(Collectors.joining("", "The last lines of %s:%n".formatted(machine), "\n"));
  }

  private static String units(BootedMachine machine) {
    if (!machine.isUp()) {
      return "It is powered off.\n";
    }
    var text = new StringBuilder();
    for (String command : List.of("list-units --all", "list-jobs", "status fleet.service")) {
      text.append("# systemctl ").append(command).append('\n');
      text.append(machine.run(("systemctl --no-pager --full " + command).split(" ", -1)).stdout());
      text.append("\n\n");
    }
    return text.toString();
  }
}
