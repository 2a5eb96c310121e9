package fleet.cluster;

/** The result of {@link Cluster#destroy(fleet.core.unit.UnitName, DestroyCondition, Caller)}. */
public sealed interface DestroyResult {

  /** The unit is removed; its process is stopped later. */
  record Destroyed() implements DestroyResult {}

  /** There is no such unit. */
  record Unknown() implements DestroyResult {}

  /**
   * The unit is not as the condition says, and stays.
   *
   * @param why for people
   */
  record Kept(String why) implements DestroyResult {}
}
