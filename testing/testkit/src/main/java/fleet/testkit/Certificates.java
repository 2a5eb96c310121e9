package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An authority of a test: {@code ca.pem}, and what it has signed. PEM files in one folder.
 *
 * @param directory where they are
 */
public record Certificates(Path directory) {

  private static final String NEW_KEY =
      "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=%1$s -keyout %1$s.key";

  /** Makes an authority, and a {@code server} certificate for addresses and a {@code client}. */
  public static Certificates make(Path directory, List<String> addresses) {
    try {
      Files.createDirectories(directory);
      String names = addresses.stream().map(one -> "IP:" + one).collect(Collectors.joining(","));
      Files.writeString(directory.resolve("names"), "subjectAltName=" + names + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make certificates: " + e.getMessage(), e);
    }
    var made = new Certificates(directory);
    made.openssl("req -x509 -days 2 -out ca.pem " + NEW_KEY.formatted("ca"));
    made.sign("server");
    made.sign("client");
    return made;
  }

  private void sign(String name) {
    openssl("req -out %s.csr ".formatted(name) + NEW_KEY.formatted(name));
    openssl(
        "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out %1$s.pem"
            .formatted(name));
  }

  private void openssl(String arguments) {
    String line = "cd '%s' && openssl %s".formatted(directory, arguments);
    Command.of("sh", "-c", line).run().orThrow();
  }

  /** One of the files: {@code client.pem}, {@code client.key}, {@code ca.pem}. */
  public Path file(String name) {
    return directory.resolve(name);
  }
}
