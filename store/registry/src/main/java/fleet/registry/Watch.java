package fleet.registry;

/** A running watch. */
public interface Watch extends AutoCloseable {
  /**
   * Ends the watch: once this returns, its watcher is not called again. May be called by the
   * watcher itself; elsewhere it waits for a call under way.
   */
  @Override
  void close();
}
