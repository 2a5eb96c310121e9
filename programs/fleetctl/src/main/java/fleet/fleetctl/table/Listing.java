package fleet.fleetctl.table;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A list of things: the fields that they have, and how they are shown. */
public final class Listing<T> {

  /** Formats one field of a thing. */
  public interface Field<T> {
    String of(T thing);
  }

  private static final String ABSENT = "-";

  private final Map<String, Field<T>> fields = new LinkedHashMap<>();
  private final Map<String, Comparator<T>> orders = new LinkedHashMap<>();
  private String usual = "";
  private String wide = "";
  private String onTerminals = "";
  private @Nullable Field<T> name;
  private @Nullable Function<T, Entity> entity;

  /** Adds a field; an empty text is shown as a dash. */
  public Listing<T> with(String name, Field<T> field) {
    fields.put(name, field);
    return this;
  }

  /** Adds a field whose order is not that of its text. */
  public Listing<T> with(String name, Field<T> field, Comparator<T> order) {
    orders.put(name, order);
    return with(name, field);
  }

  /** The columns, with commas between, when nobody chooses; otherwise all of them. */
  public Listing<T> usual(String columns) {
    usual = columns;
    return this;
  }

  /** The columns on a terminal when nobody chooses; otherwise the usual ones. */
  public Listing<T> onTerminals(String columns) {
    onTerminals = columns;
    return this;
  }

  /** The columns when many are asked for; otherwise all of them. */
  public Listing<T> wide(String columns) {
    wide = columns;
    return this;
  }

  /** The whole name of a thing; otherwise the first field is its name. */
  public Listing<T> named(Field<T> field) {
    name = field;
    return this;
  }

  /** The entity of the API that a thing is; otherwise JSON has its fields as texts. */
  public Listing<T> entity(Function<T, Entity> as) {
    entity = as;
    return this;
  }

  String json(T thing, EntityJson writer) {
    return entity == null
        ? JsonText.of(cells(thing))
        : new String(writer.write(entity.apply(thing)), StandardCharsets.UTF_8);
  }

  private Map<String, String> cells(T thing) {
    Map<String, String> cells = new LinkedHashMap<>();
    fields.forEach((name, field) -> cells.put(name, field.of(thing)));
    return cells;
  }

  String name(T thing) {
    return (name == null ? fields.values().iterator().next() : name).of(thing);
  }

  List<String> columns(Format format, boolean terminal) {
    String few = terminal && !onTerminals.isEmpty() ? onTerminals : usual;
    String columns = format.kind() == Format.Kind.WIDE ? wide : few;
    return columns.isEmpty() ? List.copyOf(fields.keySet()) : List.of(columns.split(","));
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

  String render(List<T> things, List<String> names, boolean legend) {
    Table table = new Table();
    rows(things, names, legend).forEach(table::row);
    return table.render();
  }

  /** The cells of a table, the header first if it has one. */
  List<List<String>> rows(List<T> things, List<String> names, boolean legend) {
    List<List<String>> rows = new ArrayList<>(things.size() + 1);
    if (legend) {
      List<String> header = new ArrayList<>();
      for (String name : names) {
        header.add(name.replace('-', ' ').toUpperCase(Locale.ROOT));
      }
      rows.add(header);
    }
    for (T thing : things) {
      List<String> row = new ArrayList<>();
      for (String name : names) {
        row.add(cell(name, thing));
      }
      rows.add(row);
    }
    return rows;
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

  /** The order by a field, by the numbers in texts. */
  Comparator<T> order(String name) throws InvalidExpressionException {
    Field<T> field = fields.get(name);
    if (field == null) {
      throw new InvalidExpressionException(
          "cannot sort by \"%s\": there are %s"
              .formatted(name, String.join(", ", fields.keySet())));
    }
    return orders.getOrDefault(name, Comparators.by(field::of, new NaturalOrder()));
  }

  private String cell(String name, T thing) {
    Field<T> field = fields.get(name);
    String text = field == null ? "" : field.of(thing);
    return text.isEmpty() ? ABSENT : text;
  }
}
