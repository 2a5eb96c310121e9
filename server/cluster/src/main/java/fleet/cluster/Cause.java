package fleet.cluster;

/**
 * The cause of an event.
 *
 * @param by who asked for it; empty if nobody did, or that is unknown
 * @param why the reason, in a few words; may be empty
 */
public record Cause(String by, String why) {

  public static final Cause NONE = new Cause("", "");

  /** A request. */
  public static Cause by(String caller) {
    return new Cause(caller, "");
  }

  /** A consequence of something. */
  public static Cause of(String why) {
    return why.isEmpty() ? NONE : new Cause("", why);
  }
}
