package fleet.registry;

/** The store went away before it told what became of a commit. Read to find out. */
public final class OutcomeUnknownException extends RegistryException {
  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
