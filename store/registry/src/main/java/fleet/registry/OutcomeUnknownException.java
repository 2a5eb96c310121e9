package fleet.registry;

/** The store became unreachable before it told the outcome of a commit. Read to find out. */
public final class OutcomeUnknownException extends RegistryException {
  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
