package fleet.cluster;

/** A change of one metadata key of one machine. */
public sealed interface MetadataChange {
  String machine();

  String key();

  record Set(String machine, String key, String value) implements MetadataChange {}

  /** Removes the key, also where the machine's own configuration sets it. */
  record Remove(String machine, String key) implements MetadataChange {}
}
