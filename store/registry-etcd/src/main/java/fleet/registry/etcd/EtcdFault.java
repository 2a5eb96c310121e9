package fleet.registry.etcd;

import fleet.registry.RegistryException;

/** A failed request, and the meaning of its failure. */
final class EtcdFault extends Exception {

  private static final long serialVersionUID = 1;

  /** The knowledge that is left after a failure. */
  enum Kind {
    /** It never left. Trying again is safe. */
    NOT_SENT,
    /** Nobody knows whether it was, or will yet be, carried out. */
    UNKNOWN,
    /** etcd looked at it and did not do it; it would do the same again. */
    REFUSED,
    /**
     * etcd is full. Its answer does not tell whether this request was the last to get in: the
     * member that applies it looks at the quota again, and then does the work all the same.
     */
    FULL,
    /** The lease has ended. As REFUSED: nothing of the request was done. */
    LEASE_ENDED,
    /** The revision asked for is gone. */
    COMPACTED,
    /** The revision asked for has not been. */
    FUTURE,
    /** etcd has gone back behind what it told before, or it is another one. */
    ANOTHER_STORE
  }

  private final Kind kind;

  EtcdFault(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  /** Whether the same request may fare better a little later. */
  boolean passing() {
    return kind == Kind.NOT_SENT || kind == Kind.UNKNOWN;
  }

  RegistryException toRegistryException() {
    return new RegistryException(String.valueOf(getMessage()), this);
  }
}
