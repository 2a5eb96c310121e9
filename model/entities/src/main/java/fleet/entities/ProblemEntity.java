package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * Something that is wrong in the cluster.
 *
 * @param kind {@code machine}, {@code paused}, {@code store}, {@code failed}, {@code waiting},
 *     {@code blocked}, {@code starting}, {@code restarting}, {@code operation} or {@code versions}
 * @param unit empty if it is about none
 * @param machineID where the unit is, or the machine that it is about; empty for neither
 * @param name the operation or the store's member that it is about; empty for none
 * @param text for people
 * @param since in ISO 8601; empty if it is not known
 */
@Json
public record ProblemEntity(
    String kind, String unit, String machineID, String name, String text, String since) {

  public ProblemEntity {
    kind = Empty.ifAbsent(kind);
    unit = Empty.ifAbsent(unit);
    machineID = Empty.ifAbsent(machineID);
    name = Empty.ifAbsent(name);
    text = Empty.ifAbsent(text);
    since = Empty.ifAbsent(since);
  }
}
