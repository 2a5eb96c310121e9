package fleet.cluster;

/**
 * A join token just made.
 *
 * @param text what to give to the machines that are to join; it is kept nowhere
 * @param server where they find a server, as {@code join} of fleet.conf takes it; empty if unknown
 */
public record NewJoinToken(JoinToken token, String text, String server) {

  public NewJoinToken(JoinToken token, String text) {
    this(token, text, "");
  }

  @Override
  public String toString() {
    return token.toString();
  }
}
