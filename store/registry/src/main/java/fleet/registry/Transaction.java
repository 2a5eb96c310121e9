package fleet.registry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes that happen together, under conditions that must all hold. A key is not empty and is
 * written once; texts are valid Unicode.
 */
public record Transaction(List<Condition> conditions, List<Write> writes) {

  public Transaction {
    conditions = List.copyOf(conditions);
    writes = List.copyOf(writes);
    Set<String> written = new HashSet<>();
    for (Write write : writes) {
      if (write.key().isEmpty() || !written.add(write.key())) {
        throw new IllegalArgumentException(
            "a transaction writes a key once, and none that is empty: " + write.key());
      }
    }
  }

  /** A condition of the transaction. */
  public sealed interface Condition {
    String key();

    /** The key does not exist. */
    record Absent(String key) implements Condition {}

    /** The key exists and was last written at this revision. */
    record Unmodified(String key, long modified) implements Condition {}

    /** The key exists and was created at this revision, whatever its value now. */
    record CreatedAt(String key, long created) implements Condition {}
  }

  /** One change of the store. */
  public sealed interface Write {
    String key();

    /**
     * Sets the value of a key.
     *
     * @param lease id of the {@link Lease} that the key ends with, of a {@link SharedRegistry}
     *     alone; 0 for keys that stay
     */
    record Put(String key, String value, long lease) implements Write {
      public Put(String key, String value) {
        this(key, value, 0);
      }
    }

    /** Deletes the key; does nothing if it does not exist. */
    record Delete(String key) implements Write {}
  }

  public static Builder when() {
    return new Builder();
  }

  /** Collects conditions and writes; not safe for use by several threads. */
  public static final class Builder {
    private final List<Condition> conditions = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    private Builder() {}

    public Builder absent(String key) {
      conditions.add(new Condition.Absent(key));
      return this;
    }

    public Builder unmodified(Entry entry) {
      conditions.add(new Condition.Unmodified(entry.key(), entry.modified()));
      return this;
    }

    /**
     * The key is as it was read.
     *
     * @param read empty if it did not exist
     */
    public Builder unchanged(String key, Optional<Entry> read) {
      return read.map(this::unmodified).orElseGet(() -> absent(key));
    }

    public Builder createdAt(String key, long revision) {
      conditions.add(new Condition.CreatedAt(key, revision));
      return this;
    }

    public Builder put(String key, String value) {
      writes.add(new Write.Put(key, value));
      return this;
    }

    public Builder put(String key, String value, Lease lease) {
      writes.add(new Write.Put(key, value, lease.id()));
      return this;
    }

    /** Adds a condition made elsewhere. */
    public Builder and(Condition condition) {
      conditions.add(condition);
      return this;
    }

    public Builder delete(String key) {
      writes.add(new Write.Delete(key));
      return this;
    }

    public Transaction build() {
      return new Transaction(conditions, writes);
    }
  }
}
