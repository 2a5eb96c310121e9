package fleet.core.requirements;

/** Requirements that no machine could ever meet; the message says which ones. */
public final class InvalidRequirementsException extends Exception {
  public InvalidRequirementsException(String message) {
    super(message);
  }
}
