package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * The health of the store.
 *
 * @param kind {@code embedded} or {@code etcd}
 * @param problem why its members are not known; empty if they are
 * @param members sorted by name; empty for an embedded store
 */
@Json
public record StoreHealthEntity(String kind, String problem, List<StoreMemberEntity> members) {

  public StoreHealthEntity {
    kind = Empty.ifAbsent(kind);
    problem = Empty.ifAbsent(problem);
    members = Empty.ifAbsent(members);
  }
}
