package fleet.cluster;

import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import java.util.List;

/**
 * The grants that people made. Safe for use by many threads; calls block.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface AccessGrants {

  /**
   * A grant, and who made it.
   *
   * @param invitations with which its person can still log in
   */
  record Given(Grant grant, String by, List<Invitation> invitations) {
    public Given {
      invitations = List.copyOf(invitations);
    }
  }

  /** Ends what follows the grants. */
  interface Following extends AutoCloseable {
    @Override
    void close();
  }

  /** All of them, sorted by holder; sees every change that was answered before. */
  List<Given> list();

  /**
   * Gives a role, which replaces the holder's former one; a person who has logged in stays logged
   * in.
   */
  void grant(Grant grant, Caller caller);

  /** Takes a role away, with all logins and invitations; false if the holder has none. */
  boolean revoke(GrantHolder holder, Caller caller);

  /**
   * Follows changes from now on.
   *
   * @param changed runs after each change, and if they cannot be followed any more
   */
  Following follow(Runnable changed);
}
