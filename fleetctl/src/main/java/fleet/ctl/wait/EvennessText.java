package fleet.ctl.wait;

import fleet.core.operation.Evenness;
import fleet.entities.EvennessEntity;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says how many units machines have. */
public final class EvennessText {

  private EvennessText() {}

  public static String of(@Nullable EvennessEntity evenness) {
    return evenness == null ? of(null, null) : of(evenness.least(), evenness.most());
  }

  /** Such as "2 to 3 units each". */
  public static String of(@Nullable Integer least, @Nullable Integer most) {
    return new Evenness(Objects.requireNonNullElse(least, 0), Objects.requireNonNullElse(most, 0))
        .text();
  }
}
