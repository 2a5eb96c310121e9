package fleet.cluster;

/** The result of a request to change the course of an operation. */
public enum OperationChanged {
  CHANGED,
  /** It is so already. */
  ALREADY,
  /** No operation of this id goes on. */
  UNKNOWN
}
