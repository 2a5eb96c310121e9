package fleet.core.requirements;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A wish to be near to, or away from, units or machines: {@code Affinity=[WEIGHT:]unit|<metadata
 * key> OP[~] VALUE}.
 *
 * @param subject a key of the machines' metadata, or {@code unit}
 * @param values any of them; a single number for {@code <} and {@code >}
 * @param soft whether it is given up if it cannot be had
 * @param weight of a soft one: the lightest are given up first
 */
public record Affinity(
    String subject, Operator operator, List<TextPattern> values, boolean soft, int weight) {

  /** The subject that stands for units. */
  public static final String UNIT = "unit";

  /** How the subject is compared. */
  public enum Operator {
    IS("=="),
    IS_NOT("!="),
    LESS("<"),
    MORE(">"),
    IN("in");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  public Affinity {
    values = List.copyOf(values);
  }

  /** Whether it is about other units, and not about the machine itself. */
  public boolean isAboutUnits() {
    return subject.equals(UNIT);
  }

  /** Whether it asks for something to be there, rather than not to be. */
  public boolean attracts() {
    return operator != Operator.IS_NOT;
  }

  /** Whether one of the values matches. */
  public boolean names(String text) {
    for (TextPattern value : values) {
      if (value.matches(text)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a machine with this metadata is what an affinity to metadata asks for. */
  public boolean holds(Map<String, String> metadata) {
    return holds(metadata.getOrDefault(subject, ""));
  }

  /**
   * The same for one value of the key.
   *
   * @param value empty if the machine has no such key
   */
  public boolean holds(String value) {
    return switch (operator) {
      case IS, IN -> !value.isEmpty() && names(value);
      case IS_NOT -> !names(value);
      case LESS -> compare(value) < 0;
      case MORE -> compare(value) > 0;
    };
  }

  /** With the number that is asked for; 0 if the machine's is none. */
  private int compare(String value) {
    OptionalDouble bound = number(values.getFirst().toString());
    OptionalDouble found = number(value);
    return bound.isEmpty() || found.isEmpty()
        ? 0
        : Double.compare(found.getAsDouble(), bound.getAsDouble());
  }

  static OptionalDouble number(String text) {
    return AffinityReader.NUMBER.matcher(text).matches()
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  /** The fault of the first malformed value, for people. */
  Optional<String> fault() {
    for (TextPattern value : values) {
      if (value.fault().isPresent()) {
        return Optional.of(
            "\"%s\" is malformed: %s"
                .formatted(ValueRules.shortened(value.toString()), value.fault().get()));
      }
    }
    return Optional.empty();
  }

  /** Such as {@code zone==a}; weight and softness are left out. */
  public String text() {
    String all = values.stream().map(TextPattern::toString).collect(Collectors.joining(","));
    return operator == Operator.IN ? subject + " in " + all : subject + operator.text() + all;
  }

  /** As it may be written. */
  @Override
  public String toString() {
    if (!soft) {
      return text();
    }
    String all = values.stream().map(TextPattern::toString).collect(Collectors.joining(","));
    String blank = operator == Operator.IN ? " " : "";
    return weight + ":" + subject + blank + operator.text() + "~" + blank + all;
  }
}
