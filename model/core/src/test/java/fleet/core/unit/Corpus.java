package fleet.core.unit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Unit files of every type that fleet runs, with their serialized texts and digests. */
public final class Corpus {
  private Corpus() {}

  /** Sums that {@code sha1sum} and {@code sha256sum} print for the text serialized by hand. */
  record Digests(String sha1, String sha256, String name) {}

  static List<Digests> digests() throws IOException {
    return resource("digests.txt")
        .lines()
        .map(line -> line.split(" ", -1))
        .map(fields -> new Digests(fields[0], fields[1], fields[2]))
        .toList();
  }

  static List<String> names() throws IOException {
    return digests().stream().map(Digests::name).toList();
  }

  static String text(String name) throws IOException {
    return resource("corpus/" + name);
  }

  public static UnitFile file(String name) throws IOException, UnitFileSyntaxException {
    return UnitFile.parse(text(name));
  }

  private static String resource(String path) throws IOException {
    try (InputStream bytes = Objects.requireNonNull(Corpus.class.getResourceAsStream(path), path)) {
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
