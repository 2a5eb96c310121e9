package fleet.core.store;

import java.util.List;

/**
 * The health of the store of record at one moment.
 *
 * @param kind such as {@code etcd}
 * @param problem why nothing is known of its members; empty if they are known, or it has none
 * @param members sorted by name; empty if the store is part of a fleetd
 */
public record StoreHealth(String kind, String problem, List<Member> members) {

  /** A store that is part of the one process that asks. */
  public static final StoreHealth EMBEDDED = new StoreHealth("embedded", "", List.of());

  public StoreHealth {
    members = List.copyOf(members);
  }

  /**
   * One server of the store.
   *
   * @param address where clients reach it; several with commas, empty before its first start
   * @param version empty if it does not answer
   * @param problem empty if it is healthy
   */
  public record Member(String name, String address, String version, String problem) {}
}
