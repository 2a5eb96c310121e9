package fleet.cluster;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Role;
import fleet.core.text.EnumText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of the cluster's authority.
 *
 * @param authorities the one that vouches first; empty if the cluster has none yet
 * @param rotation the progress of a replacement, if there is one
 * @param machines the machines that a rotation has not reached or has lost, sorted by id
 * @param nextEnd when the first certificate of a machine ends
 * @param serverKey whether the server that answers has the key that the authority's is sealed with
 * @param etcd when the certificates end that were made for members of etcd, by their names
 */
public record AuthorityStatus(
    List<Authority> authorities,
    Optional<Rotation> rotation,
    List<Behind> machines,
    Optional<Instant> nextEnd,
    boolean serverKey,
    Map<String, Instant> etcd) {

  public AuthorityStatus {
    etcd = OrderedCopy.of(etcd);
    authorities = List.copyOf(authorities);
    machines = List.copyOf(machines);
  }

  /** The role of an authority. */
  public enum Standing implements EnumText {
    /** It signs certificates of machines. */
    CURRENT,
    /** It will sign, once all machines trust it. */
    NEXT,
    /** It is trusted as long as machines have certificates by it. */
    FORMER;
  }

  /**
   * An authority.
   *
   * @param sha256 of its certificate
   * @param machines how many have a certificate by it, as far as they said so
   */
  public record Authority(
      String sha256, Instant since, Instant until, Standing standing, int machines) {}

  /**
   * The authority is being replaced.
   *
   * @param signing whether the next authority signs already
   * @param finish whether not to wait for absent machines
   * @param until when trust in the former authority ends at the latest; empty before the next one
   *     signs
   */
  public record Rotation(
      boolean signing, Instant since, String by, boolean finish, Optional<Instant> until) {}

  /**
   * A machine that a rotation has not reached or has lost.
   *
   * @param authority SHA-256 of the one that its certificate is by; empty if it never said
   * @param ends when its certificate does, as far as that is known
   * @param present whether it is there
   * @param awaited whether the rotation waits for it
   */
  public record Behind(
      String machine,
      Role role,
      Optional<String> authority,
      Optional<Instant> ends,
      boolean present,
      boolean awaited) {}
}
