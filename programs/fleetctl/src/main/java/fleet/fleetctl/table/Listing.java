package fleet.fleetctl.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table of things of which the user chooses the fields. */
public final class Listing<T> {

  /** Formats one field of a thing. */
  public interface Field<T> {
    String of(T thing);
  }

  private static final String ABSENT = "-";

  private final Map<String, Field<T>> fields = new LinkedHashMap<>();

  /** Adds a field; an empty text is shown as a dash. */
  public Listing<T> with(String name, Field<T> field) {
    fields.put(name, field);
    return this;
  }

  /** Renders all fields. */
  public String render(List<T> things, boolean legend) {
    return render(things, List.copyOf(fields.keySet()), legend);
  }

  /**
   * Renders the chosen fields, in their order.
   *
   * @param chosen names with commas between
   * @throws InvalidFieldsException if one is unknown, or there is none
   */
  public String render(List<T> things, String chosen, boolean legend)
      throws InvalidFieldsException {
    return render(things, names(chosen), legend);
  }

  private String render(List<T> things, List<String> names, boolean legend) {
    Table table = new Table();
    if (legend) {
      List<String> header = new ArrayList<>();
      for (String name : names) {
        header.add(name.toUpperCase(Locale.ROOT));
      }
      table.row(header);
    }
    for (T thing : things) {
      List<String> row = new ArrayList<>();
      for (String name : names) {
        row.add(cell(name, thing));
      }
      table.row(row);
    }
    return table.render();
  }

  /** The chosen names, checked. */
  public List<String> names(String chosen) throws InvalidFieldsException {
    if (chosen.isEmpty()) {
      throw new InvalidFieldsException("Must define output format");
    }
    List<String> names = new ArrayList<>();
    int from = 0;
    while (from <= chosen.length()) {
      int comma = chosen.indexOf(',', from);
      int to = comma < 0 ? chosen.length() : comma;
      names.add(known(chosen.substring(from, to)));
      from = to + 1;
    }
    return names;
  }

  private String known(String name) throws InvalidFieldsException {
    if (!fields.containsKey(name)) {
      throw new InvalidFieldsException(
          "Invalid key in output format: \"%s\" (there are %s)"
              .formatted(name, String.join(", ", fields.keySet())));
    }
    return name;
  }

  private String cell(String name, T thing) {
    Field<T> field = fields.get(name);
    String text = field == null ? "" : field.of(thing);
    return text.isEmpty() ? ABSENT : text;
  }
}
