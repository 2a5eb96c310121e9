package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code cluster}: what all engines of the cluster must be able to do.
 *
 * @param engineVersion the newest engine that has taken part: older ones do not lead any more
 */
public record ClusterRecord(long engineVersion, UnknownFields unknown) {

  public ClusterRecord(long engineVersion) {
    this(engineVersion, UnknownFields.NONE);
  }

  public static ClusterRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new ClusterRecord(fields.number("engineVersion"), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("engineVersion", engineVersion).render(unknown);
  }

  public ClusterRecord withEngineVersion(long version) {
    return new ClusterRecord(version, unknown);
  }
}
