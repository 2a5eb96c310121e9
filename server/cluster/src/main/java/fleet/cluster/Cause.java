package fleet.cluster;

/**
 * The cause of an event.
 *
 * @param by who asked for it; empty if nobody did, or nobody knows who
 * @param why the reason, in a few words; empty if there is none to tell
 */
public record Cause(String by, String why) {

  public static final Cause NONE = new Cause("", "");

  /** Somebody asked for it. */
  public static Cause by(String caller) {
    return new Cause(caller, "");
  }

  /** It follows from something. */
  public static Cause of(String why) {
    return why.isEmpty() ? NONE : new Cause("", why);
  }
}
