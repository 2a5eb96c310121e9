package fleet.cluster;

import java.util.List;

/**
 * An invitation just made.
 *
 * @param code what to give to the person; it is kept nowhere
 * @param servers where to log in, as {@code HOST:PORT}
 */
public record NewInvitation(Invitation invitation, String code, List<String> servers) {

  public NewInvitation {
    servers = List.copyOf(servers);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return invitation.toString();
  }
}
