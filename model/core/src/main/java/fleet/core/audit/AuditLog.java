package fleet.core.audit;

/** Receives audit entries. Safe for use by many threads. */
@FunctionalInterface
public interface AuditLog {

  /** Drops all entries: for tests, and for code that decides nothing. */
  AuditLog NONE = _ -> {};

  /**
   * Writes an entry down, or counts it if it is one of a flood. Returns when it is written, and
   * never throws: a log that cannot be written says so itself.
   */
  void record(AuditEntry entry);
}
