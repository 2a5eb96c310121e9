package fleet.core.machine;

import fleet.core.text.Keyword;
import java.util.Optional;

/** The fate of a machine's units while the cluster cannot reach the machine. */
public enum Isolation implements Keyword {
  /** They go on running, while the cluster may run them elsewhere as well. */
  KEEP,
  /** They are stopped before the cluster runs them elsewhere. */
  STOP;

  /** Reads what {@link #text} wrote. */
  public static Optional<Isolation> ofText(String text) {
    return Keyword.of(text, values());
  }
}
