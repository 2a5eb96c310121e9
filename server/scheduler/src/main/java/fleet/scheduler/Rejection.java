package fleet.scheduler;

/**
 * Why one machine may not run a unit, in parts, so that the same words serve for many machines:
 * "lacks region=eu", "3 lack region=eu".
 *
 * @param rule the rule that is not met, such as {@code MachineMetadata}
 * @param ofOne the verb of one machine, such as "lacks"
 * @param ofMany the verb of several, such as "lack"
 * @param subject what the verb is about, such as "region=eu"
 */
public record Rejection(String rule, String ofOne, String ofMany, String subject) {

  /** Said of one machine: "lacks region=eu". */
  public String text() {
    return ofOne + " " + subject;
  }
}
