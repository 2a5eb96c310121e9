package fleet.core.operation;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names an operation. Another of the same kind and subject takes its place, with the same id.
 *
 * @param subject the machine that is drained, the template or unit that is rolled out, or the
 *     global unit that is restarted; empty for a rebalance, which is of the whole cluster
 */
public record OperationId(Kind kind, String subject) implements Comparable<OperationId> {

  private static final Comparator<OperationId> ORDER =
      Comparator.comparing(OperationId::kind).thenComparing(OperationId::subject);

  public static final OperationId REBALANCE = new OperationId(Kind.REBALANCE, "");

  /** The kinds of operations. */
  public enum Kind {
    DRAIN,
    REBALANCE,
    ROLLOUT,
    /** One machine after the other, of a global unit. */
    RESTART;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static OperationId drain(String machine) {
    return new OperationId(Kind.DRAIN, machine);
  }

  public static OperationId rollout(UnitName name) {
    return new OperationId(Kind.ROLLOUT, name.value());
  }

  public static OperationId restart(UnitName name) {
    return new OperationId(Kind.RESTART, name.value());
  }

  /** Reads the result of {@link #text}; empty if it names no operation. */
  public static Optional<OperationId> of(String text) {
    if (text.equals(REBALANCE.text())) {
      return Optional.of(REBALANCE);
    }
    int dash = text.indexOf('-');
    String subject = text.substring(dash + 1);
    return Stream.of(Kind.values())
        .filter(kind -> kind != Kind.REBALANCE)
        .filter(kind -> dash > 0 && kind.text().equals(text.substring(0, dash)))
        .filter(kind -> !subject.isEmpty() && (kind == Kind.DRAIN || isUnitName(subject)))
        .map(kind -> new OperationId(kind, subject))
        .findFirst();
  }

  private static boolean isUnitName(String text) {
    try {
      return UnitName.of(text).value().equals(text);
    } catch (InvalidUnitNameException e) {
      return false;
    }
  }

  /** Such as {@code rebalance}, {@code drain-113f16a7} or {@code rollout-web@.service}. */
  public String text() {
    return subject.isEmpty() ? kind.text() : kind.text() + "-" + subject;
  }

  @Override
  public int compareTo(OperationId other) {
    return ORDER.compare(this, other);
  }

  /** The template or unit of a rollout, or the unit of a restart. */
  public UnitName unit() {
    return UnitName.of(subject);
  }
}
