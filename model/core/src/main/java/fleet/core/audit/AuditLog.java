package fleet.core.audit;

/** Takes what is to be written down. Safe for use by many threads. */
@FunctionalInterface
public interface AuditLog {

  /** Nobody writes anything down: for tests, and for what decides nothing. */
  AuditLog NONE = _ -> {};

  /**
   * Writes an entry down, or counts it if it is one of a flood. Returns when it is written, and
   * never throws: a log that cannot be written says so itself.
   */
  void record(AuditEntry entry);
}
