package fleet.rpc.message;

/** A message that the other side should not have sent, or that this version does not understand. */
public final class MalformedMessageException extends Exception {

  private static final long serialVersionUID = 1;

  public MalformedMessageException(String what) {
    super(what);
  }

  MalformedMessageException(String what, Throwable cause) {
    super(what, cause);
  }
}
