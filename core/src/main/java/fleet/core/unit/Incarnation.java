package fleet.core.unit;

/**
 * Names one submitted content of a unit. Replacing the content, or destroying the unit and
 * submitting it again, makes a new incarnation even where the text is the same.
 *
 * @param id opaque, unique, compared for equality only
 */
public record Incarnation(String id) {
  @Override
  public String toString() {
    return id;
  }
}
