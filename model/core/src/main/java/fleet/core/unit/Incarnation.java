package fleet.core.unit;

import org.jspecify.annotations.Nullable;

/**
 * Names one submitted content of a unit. Replacing the content, or destroying the unit and
 * submitting it again, makes a new incarnation even if the text is the same.
 *
 * @param id opaque, unique, compared for equality only
 */
public record Incarnation(String id) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Incarnation(String its) && id.equals(its);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id;
  }
}
