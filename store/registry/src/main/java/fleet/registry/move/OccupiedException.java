package fleet.registry.move;

/** A registry that was to be filled is not empty. The message says what is in it, as a clause. */
public final class OccupiedException extends Exception {
  public OccupiedException(String what) {
    super(what);
  }
}
