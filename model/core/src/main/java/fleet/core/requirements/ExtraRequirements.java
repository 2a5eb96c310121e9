package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Requirements of a unit beside its file, each {@code Option=Value} of {@code [X-Fleet]}. */
final class ExtraRequirements {

  private static final String GLOBAL = "Global";

  private final List<String> written;

  ExtraRequirements(List<String> written) {
    this.written = List.copyOf(written);
  }

  /** The file as if these stood in one more section of it; what is no option has no effect. */
  UnitFile in(UnitFile file) {
    List<UnitOption> options = new ArrayList<>(file.options());
    for (String text : written) {
      option(text).ifPresent(options::add);
    }
    return new UnitFile(options);
  }

  private static Optional<UnitOption> option(String text) {
    int equals = text.indexOf('=');
    return equals < 0
        ? Optional.empty()
        : Optional.of(
            FleetSection.option(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip()));
  }

  /** Checks them by themselves, against each other and against a file that is valid. */
  void check(UnitName name, UnitFile file) throws InvalidRequirementsException {
    for (String text : written) {
      checkAlone(text);
    }
    UnitFile together = in(file);
    try {
      checkMachineIds(together);
      checkMetadata(file);
      Requirements.validate(name, together);
    } catch (InvalidRequirementsException e) {
      throw new InvalidRequirementsException(
          "with the extra requirements %s: %s"
              .formatted(String.join(", ", written), e.getMessage()));
    }
  }

  private static void checkAlone(String text) throws InvalidRequirementsException {
    Optional<UnitOption> read = option(text);
    if (read.isEmpty() || read.get().name().isEmpty()) {
      throw wrong(text, "expect OPTION=VALUE, such as MachineMetadata=region=eu");
    }
    UnitOption option = read.get();
    if (!OptionNames.KNOWN.contains(option.name())) {
      throw wrong(
          text,
          "[X-Fleet] has no option \"%s\"%s"
              .formatted(
                  option.name(),
                  OptionNames.nearest(option.name())
                      .map(": did you mean %s?"::formatted)
                      .orElse("")));
    }
    if (option.name().equals(GLOBAL)) {
      throw wrong(text, "whether a unit is global stands in its file and nowhere else");
    }
    if (option.name().equals(StateWish.OPTION)) {
      throw wrong(text, "the state is no requirement: it is that of the command");
    }
    if (option.value().isEmpty()) {
      throw wrong(text, "there is nothing behind the \"=\"");
    }
    try {
      var _ = UnitFile.of(List.of(option));
    } catch (UnitFileSyntaxException e) {
      throw wrong(text, String.valueOf(e.getMessage()));
    }
  }

  /** Only the first of several in one file counts, so an extra one would have no effect. */
  private static void checkMachineIds(UnitFile together) throws InvalidRequirementsException {
    List<String> ids = section(together).machineIds();
    for (String id : ids) {
      String first = ids.getFirst();
      if (!first.startsWith(id) && !id.startsWith(first)) {
        throw new InvalidRequirementsException(
            "unresolvable requirements: MachineID \"%s\" and \"%s\" exclude each other"
                .formatted(first, id));
      }
    }
  }

  /** Values of one key are alternatives: another would have the unit go where its file does not. */
  private void checkMetadata(UnitFile file) throws InvalidRequirementsException {
    Map<String, Set<String>> there = section(file).metadata();
    for (Map.Entry<String, Set<String>> extra :
        section(in(new UnitFile(List.of()))).metadata().entrySet()) {
      String key = extra.getKey();
      Set<String> values = there.getOrDefault(key, extra.getValue());
      if (!values.equals(extra.getValue())) {
        String value = String.join("|", extra.getValue());
        throw new InvalidRequirementsException(
            "MachineMetadata \"%s=%s\" would not narrow what the file asks, which is \"%s=%s\": values of one key are alternatives; write Affinity=%s==%s"
                .formatted(
                    key,
                    value,
                    key,
                    String.join("|", values),
                    key,
                    extra.getValue().iterator().next()));
      }
    }
  }

  private static FleetSection section(UnitFile file) {
    return new FleetSection(file, UnaryOperator.identity());
  }

  private static InvalidRequirementsException wrong(String text, String why) {
    return new InvalidRequirementsException("extra requirement \"" + text + "\": " + why);
  }
}
