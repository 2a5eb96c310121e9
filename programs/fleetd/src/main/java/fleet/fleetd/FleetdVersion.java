package fleet.fleetd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version that the build put into this program. */
public final class FleetdVersion {
  private FleetdVersion() {}

  public static String current() {
    try (InputStream text = FleetdVersion.class.getResourceAsStream("version")) {
      if (text == null) {
        throw new IllegalStateException("the build put no version into fleetd");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
