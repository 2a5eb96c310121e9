package fleet.cluster;

/**
 * A join token just made.
 *
 * @param text what to give to the machines that are to join; it is kept nowhere
 */
public record NewJoinToken(JoinToken token, String text) {
  @Override
  public String toString() {
    return token.toString();
  }
}
