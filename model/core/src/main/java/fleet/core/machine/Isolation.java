package fleet.core.machine;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The fate of a machine's units while the cluster cannot reach the machine. */
public enum Isolation {
  /** They go on running, while the cluster may run them elsewhere as well. */
  KEEP,
  /** They are stopped before the cluster runs them elsewhere. */
  STOP;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<Isolation> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
