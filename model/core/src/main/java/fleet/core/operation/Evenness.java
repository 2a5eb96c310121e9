package fleet.core.operation;

/**
 * How evenly units are spread over machines.
 *
 * @param least how many the emptiest machine has
 * @param most how many the fullest has
 */
public record Evenness(int least, int most) {

  public int difference() {
    return most - least;
  }

  /** Such as "2 to 5 units each". */
  public String text() {
    return difference() == 0
        ? most + (most == 1 ? " unit each" : " units each")
        : least + " to " + most + (most == 1 ? " unit each" : " units each");
  }
}
