package fleet.fleetctl.wait;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The judgement of a goal about a unit. */
public sealed interface Verdict {

  /**
   * A line for stdout: {@code Unit web.service launched on 113f16a7...}.
   *
   * @param state such as {@code launched}
   * @param machine its id; empty if there is none to name
   */
  record Announcement(String state, String machine) {}

  /** Not yet; the progress says what is being waited for. */
  record Pending(Optional<Announcement> announcement, Progress progress) implements Verdict {}

  /**
   * Perhaps: the verdict that follows if nothing changes for a while. Daemons of fleet 1.0 do not
   * say of which start a state is.
   */
  record Unsure(Verdict likely, Progress progress) implements Verdict {}

  /**
   * The goal is reached.
   *
   * @param note what the user should know besides; may be empty
   */
  record Reached(Announcement announcement, String note) implements Verdict {}

  /**
   * The goal cannot be reached any more.
   *
   * @param announcement what was reached before it failed
   * @param machine whose journal may say more; empty if none does
   */
  record Failed(Optional<Announcement> announcement, Progress why, String machine)
      implements Verdict {}

  /**
   * A global unit has failed on some of its machines.
   *
   * @param failures one for each of these machines, in the order of their ids
   * @param of how many machines have to run it
   */
  record FailedOnSome(List<Failed> failures, int of) implements Verdict {
    public FailedOnSome {
      failures = List.copyOf(failures);
    }
  }

  /**
   * A line about a unit.
   *
   * @param text such as {@code activating (start-pre) on}
   * @param machine the id that follows it; empty if none does
   * @param details what comes after the machine; may be empty
   */
  record Progress(String text, String machine, String details) {

    public static Progress of(String text) {
      return new Progress(text, "", "");
    }

    /** The line. */
    String line(UnaryOperator<String> machines) {
      return text + (machine.isEmpty() ? "" : " " + machines.apply(machine)) + details;
    }
  }

  static Verdict pending(Progress progress) {
    return new Pending(Optional.empty(), progress);
  }

  static Verdict failed(String why) {
    return new Failed(Optional.empty(), Progress.of(why), "");
  }
}
