package fleet.registry;

/** The outcome of a transaction that the registry answered. */
public sealed interface Outcome {

  /** The revision of the store after the transaction was decided. */
  long revision();

  /** All writes are durable. */
  record Committed(long revision) implements Outcome {}

  /** A condition did not hold, and nothing was written. */
  record Refused(long revision, Transaction.Condition condition) implements Outcome {}
}
