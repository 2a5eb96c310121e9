package fleet.core.requirements;

import fleet.core.state.DesiredState;
import fleet.core.unit.Specifiers;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Values that could not be read, each with what to write instead. One that has a specifier in it is
 * not judged, as nobody knows yet what it will be.
 */
final class ValueRules {

  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,5}");
  private static final Pattern KEY = Pattern.compile("[^\\s=,]+");
  private static final Pattern STRATEGY = Pattern.compile("[a-z][a-z0-9-]*");

  private static final int SHOWN = 200;

  private final FleetSection section;

  ValueRules(FleetSection section) {
    this.section = section;
  }

  /** Empty for what is no number from 1. */
  static Optional<Integer> count(String text) {
    return COUNT.matcher(text).matches() ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  void check() throws InvalidRequirementsException {
    for (String value : written(section.values("Affinity"))) {
      refuse("Affinity", value, AffinityReader.read(value).fault());
    }
    checkSize(section.values("Affinity"));
    checkPorts("Ports");
    checkPorts("SharedPorts");
    for (String value : written(section.values("MaxPerMachine"))) {
      require(
          "MaxPerMachine", value, count(value).isPresent(), "it is not a number from 1 to 999999");
    }
    for (String value : written(section.words("Spread"))) {
      require(
          "Spread",
          value,
          KEY.matcher(value).matches(),
          "it is not a key of the machines' metadata: write such as zone");
    }
    for (String value : written(section.values(StateWish.OPTION))) {
      require(
          StateWish.OPTION,
          value,
          DesiredState.ofText(value).isPresent(),
          "write launched, loaded or inactive");
    }
    for (String value : written(section.values("Strategy"))) {
      require(
          "Strategy",
          value,
          STRATEGY.matcher(value).matches(),
          "it is not the name of a strategy: write such as binpack");
    }
  }

  private void checkPorts(String option) throws InvalidRequirementsException {
    for (String value : written(section.words(option))) {
      require(
          option,
          value,
          ClaimedPort.read(value, false).isPresent(),
          "it is no port: write such as 80, 127.0.0.1:80 or 53/udp, with blanks or commas"
              + " between several");
    }
  }

  private static void checkSize(List<String> affinities) throws InvalidRequirementsException {
    long size = affinities.stream().mapToLong(RegexLimits::size).sum();
    if (size > RegexLimits.SIZE_IN_ALL) {
      throw new InvalidRequirementsException(
          "Affinity: all of its lines have %d characters with repetitions written out, and may have %d: write fewer or simpler ones, or compare with a metadata of the machines"
              .formatted(size, RegexLimits.SIZE_IN_ALL));
    }
  }

  private static List<String> written(List<String> values) {
    return values.stream().filter(value -> !Specifiers.isIn(value)).toList();
  }

  private static void require(String option, String value, boolean isReadable, String fault)
      throws InvalidRequirementsException {
    refuse(option, value, isReadable ? Optional.empty() : Optional.of(fault));
  }

  private static void refuse(String option, String value, Optional<String> fault)
      throws InvalidRequirementsException {
    if (fault.isPresent()) {
      throw new InvalidRequirementsException(
          option + " \"" + shortened(value) + "\": " + fault.get());
    }
  }

  /** Keeps messages short enough to be read. */
  static String shortened(String value) {
    return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...";
  }
}
