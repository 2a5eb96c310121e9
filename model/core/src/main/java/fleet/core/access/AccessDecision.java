package fleet.core.access;

/** Whether a subject may do something. */
public sealed interface AccessDecision {

  /**
   * It may.
   *
   * @param by the grant that allows it
   */
  record Allowed(Grant by) implements AccessDecision {}

  /**
   * It may not.
   *
   * @param because in one line
   * @param command on a server, that would allow it; empty if there is none
   */
  record Refused(String because, String command) implements AccessDecision {

    /** Both in one line. */
    public String text() {
      return command.isEmpty() ? because : because + "; to allow it, run on a server: " + command;
    }
  }
}
