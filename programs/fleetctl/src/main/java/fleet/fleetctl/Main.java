package fleet.fleetctl;

import fleet.fleetctl.command.CommandEnvironment;
import fleet.fleetctl.command.Fleetctl;
import fleet.fleetctl.output.ExitHook;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.Terminals;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    int code = run(List.of(arguments), Terminals.isTerminal(1));
    if (ExitHook.areNone()) {
      // An exit looks for a logger in every jar first, which takes 2 ms and more.
      Runtime.getRuntime().halt(code);
    }
    System.exit(code);
  }

  /** One run, as on a terminal or not. */
  static int run(List<String> arguments, boolean terminal) {
    // Not System.out, which hides a closed pipe.
    Output output =
        new Output(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 16 * 1024),
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.err)),
            terminal,
            Terminals.isTerminal(2) && !"dumb".equals(System.getenv("TERM")));
    Map<String, String> environment = System.getenv();
    CommandEnvironment session =
        new CommandEnvironment(
            output,
            keyboard(),
            new FileInputStream(FileDescriptor.in),
            environment,
            Path.of(""),
            Path.of("/etc/machine-id"));
    return new Fleetctl(session).run(arguments);
  }

  private static Optional<InputStream> keyboard() {
    return Terminals.isTerminal(0) && Terminals.isTerminal(2)
        ? Optional.of(new FileInputStream(FileDescriptor.in))
        : Optional.empty();
  }
}
