package fleet.cluster;

import fleet.core.text.SingleLine;

/** A change of one metadata key of one machine. */
public sealed interface MetadataChange {
  String machine();

  String key();

  /** For people and logs, such as {@code disk=ssd} or {@code disk removed}. */
  String text();

  record Set(String machine, String key, String value) implements MetadataChange {
    public Set {
      if (!SingleLine.isOne(key) || !SingleLine.isOne(value)) {
        throw new IllegalArgumentException(
            "metadata %s=%s: no control characters, please"
                .formatted(SingleLine.of(key), SingleLine.of(value)));
      }
    }

    @Override
    public String text() {
      return key + "=" + value;
    }
  }

  /** Removes the key, also if the machine's own configuration sets it. */
  record Remove(String machine, String key) implements MetadataChange {

    @Override
    public String text() {
      return key + " removed";
    }
  }
}
