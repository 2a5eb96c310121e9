package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authorities of the cluster.
 *
 * @param authorities the signing one first; absent if there is none
 * @param etcd when the certificates end that were made for members of etcd, by their names
 * @param machines those that a rotation has not reached, or has lost
 * @param nextEnd when the first certificate of a machine ends
 * @param rotation the progress of a replacement, if there is one
 * @param serverKey whether the server that answers has the key that the authority's is sealed with
 */
@Json
public record AuthoritiesEntity(
    List<AuthorityEntity> authorities,
    Map<String, String> etcd,
    List<BehindEntity> machines,
    String nextEnd,
    @Nullable RotationEntity rotation,
    boolean serverKey)
    implements Entity {

  public AuthoritiesEntity {
    authorities = Empty.ifAbsent(authorities);
    etcd = Empty.ifAbsent(etcd);
    machines = Empty.ifAbsent(machines);
    nextEnd = Empty.ifAbsent(nextEnd);
  }
}
