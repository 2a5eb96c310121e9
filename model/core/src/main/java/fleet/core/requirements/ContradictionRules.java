package fleet.core.requirements;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Requirements that exclude each other, whatever machines and units there are. */
final class ContradictionRules {

  private final Requirements asked;

  ContradictionRules(Requirements asked) {
    this.asked = asked;
  }

  void check() throws InvalidRequirementsException {
    checkGlobal();
    checkUnits();
    Set<String> keys = new TreeSet<>();
    for (Affinity affinity : asked.hardAffinities()) {
      if (!affinity.isAboutUnits()) {
        keys.add(affinity.subject());
      }
    }
    for (String key : keys) {
      checkValues(key);
      checkBounds(key);
    }
  }

  /** Agents judge these themselves, by what is said of the machine alone. */
  private void checkGlobal() throws InvalidRequirementsException {
    if (!asked.global()) {
      return;
    }
    for (Affinity affinity : asked.affinities()) {
      refuseGlobal(affinity.isAboutUnits() || affinity.soft(), "Affinity \"" + affinity + "\"");
    }
    refuseGlobal(!asked.spread().isEmpty(), "Spread");
    refuseGlobal(asked.maxPerMachine() > 0, "MaxPerMachine");
    refuseGlobal(asked.strategy().isPresent(), "Strategy");
  }

  private static void refuseGlobal(boolean there, String option)
      throws InvalidRequirementsException {
    if (there) {
      throw new InvalidRequirementsException(
          "Global cannot be used with "
              + option
              + ": a global unit runs on every machine that fits, so none is chosen for it");
    }
  }

  /** A unit that must be on the same machine must not be excluded by another rule. */
  private void checkUnits() throws InvalidRequirementsException {
    for (Affinity near : asked.hardAffinities()) {
      if (near.isAboutUnits() && near.attracts()) {
        if (alwaysMatched(near, asked.conflicts())) {
          throw new InvalidRequirementsException(
              "unresolvable requirements: Affinity \"%s\" wants what Conflicts keeps away"
                  .formatted(near));
        }
        for (Affinity away : asked.hardAffinities()) {
          if (away.isAboutUnits() && !away.attracts() && isWithin(near.values(), away)) {
            throw contradiction(near, away);
          }
        }
      }
    }
    for (String peer : asked.machineOf()) {
      for (Affinity away : asked.hardAffinities()) {
        if (away.isAboutUnits() && !away.attracts() && away.names(peer)) {
          throw exclusion("MachineOf \"" + peer + "\"", away);
        }
      }
    }
  }

  private static boolean alwaysMatched(Affinity near, List<Glob> conflicts) {
    return near.values().stream()
        .allMatch(value ->
            conflicts.stream()
                .anyMatch(glob ->
                    value.isLiteral()
                        ? glob.matches(value.toString())
                        : glob.pattern().equals(value.toString())));
  }

  /** Whether all that these match is kept away. */
  private static boolean isWithin(List<TextPattern> values, Affinity away) {
    return values.stream()
        .allMatch(value ->
            away.values().contains(value) || (value.isLiteral() && away.names(value.toString())));
  }

  /** If only some values would do, one of them must suit everything else that is asked. */
  private void checkValues(String key) throws InvalidRequirementsException {
    List<Affinity> rules = rules(key);
    Optional<Set<String>> metadata = Optional.ofNullable(asked.metadata().get(key));
    if (metadata.isPresent()) {
      for (Affinity rule : rules) {
        if (metadata.get().stream().noneMatch(rule::holds)) {
          String asks = String.join("|", metadata.get());
          throw exclusion("MachineMetadata \"%s=%s\"".formatted(key, asks), rule);
        }
      }
    }
    for (Affinity one : rules) {
      Optional<Set<String>> only = onlyValues(one);
      for (Affinity other : rules) {
        if (only.isPresent() && only.get().stream().noneMatch(other::holds)) {
          throw contradiction(one, other);
        }
      }
    }
    checkAllTogether(key, rules, metadata);
  }

  private static void checkAllTogether(
      String key, List<Affinity> rules, Optional<Set<String>> metadata)
      throws InvalidRequirementsException {
    List<Set<String>> lists = new ArrayList<>();
    metadata.ifPresent(lists::add);
    rules.forEach(rule -> onlyValues(rule).ifPresent(lists::add));
    for (Set<String> only : lists) {
      boolean met =
          only.stream()
              .anyMatch(value ->
                  rules.stream().allMatch(rule -> rule.holds(value))
                      && metadata.map(values -> values.contains(value)).orElse(true));
      if (!met) {
        throw new InvalidRequirementsException(
            "unresolvable requirements: no value of \"%s\" is all of %s"
                .formatted(
                    key,
                    rules.stream()
                        .map(rule -> "\"" + rule + "\"")
                        .collect(Collectors.joining(", "))));
      }
    }
  }

  private void checkBounds(String key) throws InvalidRequirementsException {
    for (Affinity less : rules(key)) {
      for (Affinity more : rules(key)) {
        if (less.operator() == Affinity.Operator.LESS
            && more.operator() == Affinity.Operator.MORE
            && bound(less) <= bound(more)) {
          throw contradiction(more, less);
        }
      }
    }
  }

  private static double bound(Affinity affinity) {
    OptionalDouble number = Affinity.number(affinity.values().getFirst().toString());
    return number.orElse(Double.NaN);
  }

  private List<Affinity> rules(String key) {
    return asked.hardAffinities().stream()
        .filter(affinity -> affinity.subject().equals(key))
        .toList();
  }

  /** The values that would do, if they are listed. */
  private static Optional<Set<String>> onlyValues(Affinity rule) {
    boolean listed =
        switch (rule.operator()) {
          case IS, IN -> rule.values().stream().allMatch(TextPattern::isLiteral);
          case IS_NOT, LESS, MORE -> false;
        };
    return listed
        ? Optional.of(
            rule.values().stream()
                .map(TextPattern::toString)
                .collect(Collectors.toCollection(TreeSet::new)))
        : Optional.empty();
  }

  private static InvalidRequirementsException exclusion(String option, Affinity affinity) {
    return new InvalidRequirementsException(
        "unresolvable requirements: %s and Affinity \"%s\" exclude each other"
            .formatted(option, affinity));
  }

  private static InvalidRequirementsException contradiction(Affinity one, Affinity other) {
    return new InvalidRequirementsException(
        "unresolvable requirements: Affinity \"%s\" and \"%s\" exclude each other"
            .formatted(one, other));
  }
}
