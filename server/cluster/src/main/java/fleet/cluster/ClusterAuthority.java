package fleet.cluster;

import java.util.List;
import java.util.Set;

/**
 * The certificate authority of the cluster. Safe for use by many threads; calls block.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface ClusterAuthority {

  /**
   * The authorities, and which machines are behind.
   *
   * @param present ids of the machines that are there
   */
  AuthorityStatus status(Set<String> present);

  /**
   * Begins to replace the authority, or continues.
   *
   * @param finish whether not to wait for absent machines
   * @return whether this began it
   * @throws IllegalStateException if it cannot be; the message is for people
   */
  boolean rotate(boolean finish, Caller caller);

  /**
   * Makes certificates for a member of etcd, by an authority that vouches for nothing else.
   *
   * @param names and addresses that the member is reached by, the one that names it first
   * @throws IllegalArgumentException if one is none; the message is for people
   * @throws IllegalStateException if it cannot be; the message is for people
   */
  EtcdCertificates certifyEtcd(List<String> names, Caller caller);
}
