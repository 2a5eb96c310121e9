package fleet.core.machine;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** The fate of a machine's units while the cluster cannot reach the machine. */
public enum Isolation implements EnumText {
  /** They go on running, while the cluster may run them elsewhere as well. */
  KEEP,
  /** They are stopped before the cluster runs them elsewhere. */
  STOP;

  /** Reads what {@link #text} wrote. */
  public static Optional<Isolation> ofText(String text) {
    return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
  }
}
