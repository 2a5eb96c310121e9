package fleet.core.requirements;

import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requirements that do not go with the name of the unit that asks them. */
final class DoubtfulNames {

  private static final Pattern SPECIFIER = Pattern.compile("%([A-Za-z%])");

  /** Some values may only be numbers, and some only words. */
  private static final List<String> EXAMPLES = List.of("1", "a");

  private static final List<String> OF_INSTANCES = List.of("Spread", "MaxPerMachine");

  private final UnitName name;
  private final UnitFile file;

  DoubtfulNames(UnitName name, UnitFile file) {
    this.name = name;
    this.file = file;
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (UnitOption option : file.options()) {
      if (FleetSection.isPartOf(option)) {
        addSpecifiers(option, texts);
        addOfInstances(option, texts);
      }
    }
    faultOfInstances().ifPresent(texts::add);
    return texts;
  }

  private void addSpecifiers(UnitOption option, List<String> texts) {
    Matcher specifier = SPECIFIER.matcher(option.value());
    while (specifier.find()) {
      String found = specifier.group();
      if (!Specifiers.isIn(found)) {
        texts.add(
            "\"%s\" of %s= stays as it is: [X-Fleet] knows %%n, %%N, %%p and %%i"
                .formatted(found, option.name()));
      } else if (found.equals("%i") && isPlain()) {
        texts.add(
            "\"%%i\" of %s= is empty, as %s is no instance of a template"
                .formatted(option.name(), name));
      }
    }
  }

  private void addOfInstances(UnitOption option, List<String> texts) {
    if (isPlain() && OF_INSTANCES.contains(option.name()) && !option.value().isBlank()) {
      texts.add(
          "%s= has no effect: it is about the instances of a template, and %s is none"
              .formatted(option.name(), name));
    }
  }

  private boolean isPlain() {
    return !name.isTemplate() && !name.isInstance();
  }

  /** A fault that each instance of the template would be refused for. */
  private Optional<String> faultOfInstances() {
    if (!name.isTemplate() || Requirements.areSameForAll(file)) {
      return Optional.empty();
    }
    Optional<String> first = Optional.empty();
    for (String example : EXAMPLES) {
      try {
        Requirements.checkExpanded(name.instantiate(example), file);
        return Optional.empty();
      } catch (InvalidRequirementsException e) {
        first = first.or(() -> Optional.of(String.valueOf(e.getMessage())));
      }
    }
    return first;
  }
}
