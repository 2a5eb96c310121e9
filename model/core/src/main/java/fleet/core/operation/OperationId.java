package fleet.core.operation;

import fleet.core.text.EnumText;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names an operation. Another of the same kind and subject takes its place, with the same id.
 *
 * @param subject the machine that is drained, the template or unit that is rolled out, or the
 *     global unit that is restarted; empty for one of the whole cluster, such as a rebalance
 */
public record OperationId(Kind kind, String subject) implements Comparable<OperationId> {

  private static final Comparator<OperationId> ORDER =
      Comparator.comparing(OperationId::kind).thenComparing(OperationId::subject);

  public static final OperationId REBALANCE = new OperationId(Kind.REBALANCE, "");

  /** The thing that an operation is of. */
  public enum Scope {
    CLUSTER,
    MACHINE,
    /** A unit, or the instances of a template. */
    UNITS
  }

  /** The kinds of operations. */
  public enum Kind implements EnumText {
    DRAIN(Scope.MACHINE),
    REBALANCE(Scope.CLUSTER),
    ROLLOUT(Scope.UNITS),
    /** One machine after the other, of a global unit. */
    RESTART(Scope.UNITS);

    private final Scope scope;

    Kind(Scope scope) {
      this.scope = scope;
    }

    public Scope scope() {
      return scope;
    }

    private Optional<OperationId> of(String id) {
      if (scope == Scope.CLUSTER) {
        return Optional.of(new OperationId(this, "")).filter(known -> known.text().equals(id));
      }
      String beginning = text() + "-";
      return Optional.of(id)
          .filter(text -> text.startsWith(beginning))
          .map(text -> text.substring(beginning.length()))
          .filter(subject -> scope == Scope.MACHINE ? !subject.isEmpty() : isUnitName(subject))
          .map(subject -> new OperationId(this, subject));
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
    return Stream.of(Kind.values()).flatMap(kind -> kind.of(text).stream()).findFirst();
  }

  /** The ids that operations on a unit may have. */
  public static List<OperationId> about(UnitName unit) {
    return Stream.of(Kind.values())
        .filter(kind -> kind.scope() == Scope.UNITS)
        .map(kind -> new OperationId(kind, unit.value()))
        .toList();
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
