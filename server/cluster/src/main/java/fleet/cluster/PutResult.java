package fleet.cluster;

/** The result of one put of {@link Cluster#put}. */
public enum PutResult {
  CREATED,
  REPLACED,
  /** The desired state was set, the comments of the text, or the set. */
  UPDATED,
  /** The unit does not exist, and there was no content to create it from. */
  NO_CONTENT,
  /**
   * The unit exists with the same content, or none was given, and neither a desired state nor a
   * set.
   */
  NO_DESIRED_STATE,
  /** A template cannot be loaded or launched. */
  TEMPLATE,
  /** The unit is loaded or launched, and asks something else beside its file. */
  OTHER_REQUIREMENTS
}
