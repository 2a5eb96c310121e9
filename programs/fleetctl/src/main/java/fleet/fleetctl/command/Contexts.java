package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.output.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clusters by name, each with an endpoint and a certificate. They are files in {@code
 * ~/.config/fleet/contexts}; the one in use is named by {@code ~/.config/fleet/context}.
 */
final class Contexts {

  /** Names no context: the socket of this machine. */
  static final String NONE = "none";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final String ENDPOINT = "endpoint";
  private static final String CA_FILE = "ca-file";
  private static final String CERT_FILE = "cert-file";
  private static final String KEY_FILE = "key-file";
  private static final String IDENTITY_FILE = "identity-file";

  private final Path directory;

  /**
   * A cluster, as fleetctl reaches it.
   *
   * @param endpoint as {@code --endpoint} takes it, or several with commas: any of them answers
   * @param identity file of the person who has logged in; empty for none
   */
  record Context(String endpoint, ClientTlsFiles tls, Optional<Path> identity) {
    Context(String endpoint, ClientTlsFiles tls) {
      this(endpoint, tls, Optional.empty());
    }
  }

  Contexts(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", "/"));
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    this.directory =
        (config.isEmpty() ? Path.of(home, ".config") : Path.of(config)).resolve("fleet");
  }

  /** The names of all of them, sorted. */
  List<String> names() throws CommandException {
    Path contexts = directory.resolve("contexts");
    if (!Files.isDirectory(contexts)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(contexts)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> NAME.matcher(name).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw failed("cannot read " + contexts, e);
    }
  }

  /** The name of the one in use; empty if there is none. */
  Optional<String> current() throws CommandException {
    if (!Files.isDirectory(directory)) {
      // A HOME of another user, as after setpriv or with sudo, has no contexts either.
      return Optional.empty();
    }
    Path file = directory.resolve("context");
    try {
      return Optional.of(Files.readString(file).strip()).filter(name -> !name.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed("cannot read " + file, e);
    }
  }

  /**
   * @throws CommandException if there is none of that name, or it has no endpoint
   */
  Context read(String name) throws CommandException {
    Path file = file(name);
    Map<String, String> values = new HashMap<>();
    try {
      for (String line : Files.readAllLines(file, UTF_8)) {
        int equals = line.indexOf('=');
        if (equals > 0 && !line.startsWith("#")) {
          values.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
        }
      }
    } catch (NoSuchFileException e) {
      throw CommandException.failed(
          "Error: there is no context \"" + name + "\": see fleetctl context list");
    } catch (IOException e) {
      throw failed("cannot read " + file, e);
    }
    String endpoint = values.getOrDefault(ENDPOINT, "");
    if (endpoint.isEmpty()) {
      throw CommandException.failed("Error: " + file + " has no endpoint=: set it, or the context");
    }
    return new Context(
        endpoint,
        new ClientTlsFiles(
            values.getOrDefault(CA_FILE, ""),
            values.getOrDefault(CERT_FILE, ""),
            values.getOrDefault(KEY_FILE, "")),
        Optional.ofNullable(values.get(IDENTITY_FILE)).map(Path::of));
  }

  /**
   * The file for the key and certificate of a login, in an existing directory for its owner alone.
   */
  Path identity(String name) throws CommandException {
    Path file = directory.resolve("identities").resolve(file(name).getFileName() + ".pem");
    try {
      Files.createDirectories(
          file.getParent(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return file.toAbsolutePath();
    } catch (IOException e) {
      throw failed("cannot make " + file.getParent(), e);
    }
  }

  void write(String name, Context context) throws CommandException {
    List<String> lines = new ArrayList<>(List.of(ENDPOINT + "=" + context.endpoint()));
    ClientTlsFiles tls = context.tls();
    Map.of(CA_FILE, tls.ca(), CERT_FILE, tls.certificate(), KEY_FILE, tls.key())
        .forEach((key, value) -> {
          if (!value.isEmpty()) {
            lines.add(key + "=" + value);
          }
        });
    context.identity().ifPresent(identity -> lines.add(IDENTITY_FILE + "=" + identity));
    lines.sort(null);
    Path file = file(name);
    try {
      Files.createDirectories(directory.resolve("contexts"));
      Files.write(file, lines, UTF_8);
    } catch (IOException e) {
      throw failed("cannot write " + file, e);
    }
  }

  /** Uses a context from now on, or none. */
  void use(String name) throws CommandException {
    Path file = directory.resolve("context");
    try {
      if (name.equals(NONE)) {
        Files.deleteIfExists(file);
      } else {
        read(name);
        Files.writeString(file, name + "\n");
      }
    } catch (IOException e) {
      throw failed("cannot write " + file, e);
    }
  }

  /** Forgets a context; false if there is none. */
  boolean remove(String name) throws CommandException {
    Path file = file(name);
    try {
      if (current().filter(name::equals).isPresent()) {
        use(NONE);
      }
      Files.deleteIfExists(directory.resolve("identities").resolve(name + ".pem"));
      Files.deleteIfExists(directory.resolve("identities").resolve(name + ".pem.lock"));
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failed("cannot remove " + file, e);
    }
  }

  private Path file(String name) throws CommandException {
    if (!NAME.matcher(name).matches() || name.equals(NONE)) {
      throw CommandException.usage(
          "Error: invalid name of a context \"" + name + "\": expect letters, digits, . _ and -");
    }
    return directory.resolve("contexts").resolve(name);
  }

  private static CommandException failed(String what, IOException cause) {
    return CommandException.failed("Error: " + what + ": " + FileErrors.reason(cause));
  }
}
