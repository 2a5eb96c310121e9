package fleet.fleetctl.ssh;

import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.output.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Command lines of the system's ssh, whose agent, configuration and questions are its own. Safe for
 * use by many threads.
 */
public final class SshProgram {

  /** The exit code of ssh for a failure of its own. */
  public static final int FAILED = 255;

  private static final String OWN_FILE = " ~/.ssh/known_hosts";

  private final SshOptions options;

  public SshProgram(SshOptions options) {
    this.options = options;
  }

  public SshOptions options() {
    return options;
  }

  /**
   * The line that connects with a machine.
   *
   * @param tunnel the host to go through
   * @param flags before the machine's name
   * @param words the command there; empty for a shell, or for none with such flags
   * @throws IOException if there is no ssh, or no place for known hosts; the message is for people
   */
  public List<String> line(
      Optional<Endpoint.Ssh> tunnel, Endpoint.Ssh machine, List<String> flags, List<String> words)
      throws IOException {
    List<String> line = new ArrayList<>(start(tunnel, machine, flags));
    line.addAll(List.of("--", machine.name()));
    line.addAll(words);
    return line;
  }

  /** Whether connections are kept for the commands that follow. */
  boolean isShared(Endpoint.Ssh machine) {
    return control(Optional.empty(), machine).isPresent();
  }

  private List<String> start(
      Optional<Endpoint.Ssh> tunnel, Endpoint.Ssh machine, List<String> flags) throws IOException {
    List<String> line = new ArrayList<>(List.of(program()));
    for (String option : settings()) {
      line.addAll(List.of("-o", option));
    }
    // A kept connection has the agent that it was opened with.
    Optional<String> control = flags.contains("-A") ? Optional.empty() : control(tunnel, machine);
    for (String option :
        control.isPresent() ? shared(control.get()) : List.of("ControlPath=none")) {
      line.addAll(List.of("-o", option));
    }
    if (tunnel.isPresent()) {
      line.addAll(List.of("-o", "ProxyCommand=" + proxy(tunnel.get())));
    }
    String user = machine.user().isEmpty() ? options.user() : machine.user();
    if (!user.isEmpty()) {
      line.addAll(List.of("-l", user));
    }
    if (machine.port() != 0) {
      line.addAll(List.of("-p", Integer.toString(machine.port())));
    }
    line.addAll(flags);
    return line;
  }

  private List<String> settings() throws IOException {
    List<String> settings = new ArrayList<>();
    settings.add("ConnectTimeout=" + options.timeout().plusMillis(999).toSeconds());
    if (!options.checksHosts()) {
      settings.addAll(
          List.of("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"));
      return settings;
    }
    Path known = options.knownHostsFile().toAbsolutePath();
    Path directory = known.resolve("..").normalize();
    try {
      ControlSocket.createPrivate(directory);
    } catch (IOException e) {
      throw new IOException("cannot make " + directory + ": " + FileErrors.reason(e), e);
    }
    String file = quoted(known.toString().replace("%", "%%"));
    // Either of two files vouches for a host: a file that was named is the only one.
    settings.add("UserKnownHostsFile=" + (options.knownHosts().isEmpty() ? file + OWN_FILE : file));
    if (options.strict().isPresent()) {
      settings.add("StrictHostKeyChecking=ask");
    }
    return settings;
  }

  /** A connection that was not checked, or was checked otherwise, serves nobody else. */
  private Optional<String> control(Optional<Endpoint.Ssh> tunnel, Endpoint.Ssh machine) {
    return options.checksHosts()
        ? ControlSocket.path(
            options,
            "%s\n%s\n%s\n%s"
                .formatted(
                    machine.place() + ":" + machine.port(),
                    options.user(),
                    tunnel,
                    options.knownHostsFile()))
        : Optional.empty();
  }

  private static List<String> shared(String path) {
    return List.of("ControlMaster=auto", "ControlPersist=60", "ControlPath=" + quoted(path));
  }

  /** In ssh's own quotes. */
  private static String quoted(String value) {
    return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** The command of ssh for the way through a tunnel: with its options, which -J would not get. */
  private String proxy(Endpoint.Ssh tunnel) throws IOException {
    String start =
        start(Optional.empty(), tunnel, List.of()).stream()
            .map(word -> shellWord(word).replace("%", "%%"))
            .collect(Collectors.joining(" "));
    return start + " -W '[%h]:%p' -- " + shellWord(tunnel.name()).replace("%", "%%");
  }

  /** A word that a shell takes as it is. */
  public static String shellWord(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private String program() throws IOException {
    String path = options.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    for (String directory : path.split(":", -1)) {
      Path program = Path.of(directory, "ssh").toAbsolutePath();
      if (!directory.isEmpty() && Files.isExecutable(program)) {
        return program.toString();
      }
    }
    throw new IOException(
        "there is no ssh on the PATH: install it, Debian has it in openssh-client");
  }
}
