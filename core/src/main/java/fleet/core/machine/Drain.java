package fleet.core.machine;

/**
 * The units of a machine are to go elsewhere.
 *
 * @param maxUnavailable how many instances of a template may be down at a time for that; at least 1
 * @param by who asked for it
 */
public record Drain(int maxUnavailable, String by) {

  public Drain {
    if (maxUnavailable < 1) {
      throw new IllegalArgumentException("at least 1 may be unavailable, not " + maxUnavailable);
    }
  }
}
