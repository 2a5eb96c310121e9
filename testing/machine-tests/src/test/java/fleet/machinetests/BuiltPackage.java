package fleet.machinetests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The packages that {@code ./dev package} made. */
final class BuiltPackage {

  private static final Path PACKAGES =
      Path.of(System.getProperty("fleet.root", "../.."), "target", "packages");

  /** Debian names this kind of machine so; packages for others may lie beside it. */
  private static final String ARCHITECTURE =
      System.getProperty("os.arch").replace("aarch64", "arm64");

  /**
   * Makes {@code newer.deb} of {@code fleet.deb}, for a shell: the same with another number, as no
   * older one is at hand.
   */
  static final String MAKE_NEWER =
      "dpkg-deb -R fleet.deb newer && sed -i 's/^Version:.*/&.1/' newer/DEBIAN/control"
          + " && dpkg-deb -Znone --build newer newer.deb";

  private BuiltPackage() {}

  /** That of fleet for Debian. */
  static Path fleet() {
    try (Stream<Path> files = Files.list(PACKAGES)) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("fleet_.*_" + ARCHITECTURE + "\\.deb"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("there is no package of fleet in " + PACKAGES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
