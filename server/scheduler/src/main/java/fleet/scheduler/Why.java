package fleet.scheduler;

import java.util.List;
import java.util.Optional;

/**
 * Why a unit goes where it goes, or nowhere: for people who ask, and so not what a choice needs to
 * be made, but all there is to say about it.
 *
 * @param machines how many there are
 * @param obstacles what is in the way on machines that do not fit, one for each rule; each machine
 *     counts in the first rule only that it does not meet
 * @param nearest the machine that comes closest to fitting, if none does
 * @param contenders the machines that fit: the best one and then the two best others, and if it is
 *     none of these, the one that the unit is on; of a global unit all machines that it fits
 */
public record Why(
    int machines, List<Obstacle> obstacles, Optional<Miss> nearest, List<Contender> contenders) {

  public Why {
    obstacles = List.copyOf(obstacles);
    contenders = List.copyOf(contenders);
  }

  /**
   * A machine that nearly fits.
   *
   * @param machine its id
   * @param verdicts every rule that it does not meet
   * @param change the smallest change that would place the unit there, for people
   */
  public record Miss(String machine, List<Rejection> verdicts, String change) {

    public Miss {
      verdicts = List.copyOf(verdicts);
    }
  }

  /**
   * A machine that fits.
   *
   * @param machine its id
   * @param reason of the chosen one, why it was chosen; of another, why it was not
   */
  public record Contender(String machine, String reason) {}

  /** The obstacles on machines that do not fit, in one line; empty if all fit. */
  public String obstaclesInWords() {
    return obstacles.isEmpty() ? "" : Obstacle.inWords(machines, obstacles);
  }
}
