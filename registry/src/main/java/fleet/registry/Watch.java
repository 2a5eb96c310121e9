package fleet.registry;

/** A running watch. */
public interface Watch extends AutoCloseable {
  /** Ends the watch: once this returns, its watcher is not called again. */
  @Override
  void close();
}
