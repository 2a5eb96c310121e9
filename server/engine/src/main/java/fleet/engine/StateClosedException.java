package fleet.engine;

/** The state that was asked is no longer kept; another one may be. */
final class StateClosedException extends RuntimeException {
  StateClosedException(Throwable cause) {
    super("this view of the cluster is no longer kept", cause);
  }
}
