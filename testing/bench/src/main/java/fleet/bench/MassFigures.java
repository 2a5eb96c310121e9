package fleet.bench;

import fleet.bench.MassRound.Course;
import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.CommandTiming;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Figures of rounds with many units. */
final class MassFigures {

  private static final String SECONDS = "s";
  private static final String RATIO = "ratio";

  private final Report report;

  MassFigures(Report report) {
    this.report = report;
  }

  /**
   * Rounds with a fleetd that has done this before.
   *
   * @param fromFiles stored and started by one command
   * @param submitted stored by one command and started by another
   */
  record Warm(List<MassRound> fromFiles, List<MassRound> submitted) {}

  void tellCold(List<MassRound> rounds) {
    tellStart("units_cold_systemctl_start", systemctl(rounds));
    tellStart("units_cold_fleet_start", fleet(rounds));
    ratio("units_cold_fleet_start_ratio", rounds, MassRound::startRatio);
  }

  void tell(Warm warm) {
    List<MassRound> rounds = warm.fromFiles();
    tellStart("units_systemctl_start", systemctl(rounds));
    tellStart("units_fleet_start", fleet(rounds));
    ratio("units_fleet_start_ratio", rounds, MassRound::startRatio);
    report.add(
        "units_fleet_start_ratio_max", Samples.of(rounds, MassRound::startRatio).max(), RATIO);

    List<Course> submitted = fleet(warm.submitted());
    median("units_fleet_submit", submitted, course -> seconds(course.submit()));
    tellStart("units_fleet_start_submitted", submitted);
    ratio("units_fleet_start_submitted_ratio", warm.submitted(), MassRound::startRatio);

    median("units_systemctl_stop", systemctl(rounds), course -> course.stop().seconds());
    median("units_fleet_stop", fleet(rounds), course -> course.stop().seconds());
    ratio("units_fleet_stop_ratio", rounds, MassRound::stopRatio);
    median("units_fleet_destroy", fleet(rounds), course -> seconds(course.destroy()));
  }

  /** The whole, its three parts, and whose processor time it was. */
  private void tellStart(String name, List<Course> courses) {
    median(name, courses, MassFigures::start);
    median(
        name + "_until_first",
        courses,
        course -> course.start().secondsTo(course.systemd().firstMicros()));
    median(name + "_first_to_last", courses, course -> course.systemd().seconds());
    median(
        name + "_last_to_return",
        courses,
        course -> start(course) - course.start().secondsTo(course.systemd().lastMicros()));
    median(name + "_cpu_command", courses, course -> course.start().cpuSeconds());
    median(name + "_cpu_systemd", courses, course -> course.cpu().systemd());
    median(name + "_cpu_dbus", courses, course -> course.cpu().dbusDaemon());
    median(name + "_cpu_fleetd", courses, course -> course.cpu().fleetd());
  }

  private <T> void median(String name, List<T> courses, ToDoubleFunction<T> measured) {
    report.add(name, Samples.of(courses, measured).median(), SECONDS);
  }

  private void ratio(String name, List<MassRound> rounds, ToDoubleFunction<MassRound> measured) {
    report.add(name, Samples.of(rounds, measured).median(), RATIO);
  }

  private static double start(Course course) {
    return course.start().seconds();
  }

  private static double seconds(Optional<CommandTiming> timing) {
    return timing.orElseThrow().seconds();
  }

  private static List<Course> systemctl(List<MassRound> rounds) {
    return courses(rounds, MassRound::systemctl);
  }

  private static List<Course> fleet(List<MassRound> rounds) {
    return courses(rounds, MassRound::fleet);
  }

  private static List<Course> courses(List<MassRound> rounds, Function<MassRound, Course> side) {
    return rounds.stream().map(side).toList();
  }
}
