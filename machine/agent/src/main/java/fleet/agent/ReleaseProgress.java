package fleet.agent;

/** Hears how far the release of a machine's units has come. Must not block. */
@FunctionalInterface
public interface ReleaseProgress {
  /**
   * Called at the beginning, and whenever there is news.
   *
   * @param units that are stopped and gone
   * @param all that were here
   */
  void stopped(int units, int all);
}
