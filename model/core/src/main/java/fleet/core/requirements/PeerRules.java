package fleet.core.requirements;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names and patterns of other units that no unit could ever have, each with what to write instead.
 * One that has a specifier in it is not judged, as nobody knows yet what it will be.
 */
final class PeerRules {

  private static final Pattern BETWEEN_NAMES = Pattern.compile("[\\s,]");

  private final Requirements asked;

  PeerRules(Requirements asked) {
    this.asked = asked;
  }

  void check() throws InvalidRequirementsException {
    for (String peer : asked.machineOf()) {
      refuse("MachineOf", peer, faultOfName(peer, "MachineOf"));
    }
    for (Glob glob : asked.conflicts()) {
      refuse("Conflicts", glob.pattern(), faultOfPattern(glob, "Conflicts"));
    }
    for (Glob glob : asked.replaces()) {
      refuse("Replaces", glob.pattern(), faultOfPattern(glob, "Replaces"));
    }
    for (Affinity affinity : asked.affinities()) {
      if (affinity.isAboutUnits()) {
        checkAffinity(affinity);
      }
    }
  }

  private static void checkAffinity(Affinity affinity) throws InvalidRequirementsException {
    for (TextPattern value : affinity.values()) {
      if (value.isGlob()) {
        refuse(
            "Affinity",
            affinity.toString(),
            faultOfPattern(new Glob(value.toString()), "Affinity"));
      }
    }
  }

  private static Optional<String> faultOfName(String name, String option) {
    if (BETWEEN_NAMES.matcher(name).find()) {
      return Optional.of(
          "it is read as one name: give each unit a line " + option + "= of its own");
    }
    if (Specifiers.isIn(name)) {
      return Optional.empty();
    }
    try {
      UnitName meant = UnitName.of(completed(name));
      if (meant.isTemplate()) {
        return Optional.of(
            "a template runs nowhere: name an instance of it, such as " + meant.instantiate("1"));
      }
      return meant.value().equals(name)
          ? Optional.empty()
          : Optional.of("no unit is named so: did you mean " + meant + "?");
    } catch (InvalidUnitNameException e) {
      return Optional.of(e.getMessage() + ": expect the name of one unit, such as web.service");
    }
  }

  /** The name with the type that it lacks, or that it has misspelt. */
  private static String completed(String name) {
    int dot = name.lastIndexOf('.');
    String type = name.substring(dot + 1);
    if (dot < 0) {
      return name + ".service";
    }
    return UnitType.ofSuffix(type)
        .or(() -> UnitType.nearest(type))
        .map(meant -> name.substring(0, dot + 1) + meant.suffix())
        .orElse(name + ".service");
  }

  private static Optional<String> faultOfPattern(Glob glob, String option) {
    String pattern = glob.pattern();
    if (glob.isLiteral()) {
      Optional<String> template =
          UnitName.parse(completed(pattern)).filter(UnitName::isTemplate).map(PeerRules::instances);
      return template.isPresent() ? template : faultOfName(pattern, option);
    }
    if (BETWEEN_NAMES.matcher(pattern).find()) {
      return Optional.of("it is read as one pattern: give each a line " + option + "= of its own");
    }
    return Specifiers.isIn(pattern) ? Optional.empty() : new NamePatternRules(glob).fault();
  }

  private static String instances(UnitName template) {
    return "a template runs nowhere: did you mean its instances, %s@*.%s?"
        .formatted(template.prefix(), template.type().suffix());
  }

  private static void refuse(String option, String value, Optional<String> fault)
      throws InvalidRequirementsException {
    if (fault.isPresent()) {
      throw new InvalidRequirementsException(
          option + " \"" + value + "\" can match no unit: " + fault.get());
    }
  }
}
