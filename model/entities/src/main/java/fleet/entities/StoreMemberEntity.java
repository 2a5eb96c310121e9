package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A server of the store.
 *
 * @param address where clients reach it
 * @param version empty if it does not answer
 * @param problem empty if it is healthy
 */
@Json
public record StoreMemberEntity(String name, String address, String version, String problem) {

  public StoreMemberEntity {
    name = Empty.ifAbsent(name);
    address = Empty.ifAbsent(address);
    version = Empty.ifAbsent(version);
    problem = Empty.ifAbsent(problem);
  }
}
