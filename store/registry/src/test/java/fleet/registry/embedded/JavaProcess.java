package fleet.registry.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** Another JVM with the class path of this one. */
final class JavaProcess {

  /** The build's own directory: the files that a killed process leaves behind go with it. */
  private static final Path TEMPORARY = Path.of("target").toAbsolutePath();

  private JavaProcess() {}

  static Process start(Class<?> main, Path argument) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + TEMPORARY,
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            argument.toString())
        .start();
  }
}
