package fleet.bench.scale;

import fleet.bench.figure.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Shows how some figures grow with the number of machines: a small diagram each, as one SVG. */
public final class GrowthPlot {

  private static final int COLUMNS = 3;
  private static final int WIDTH = 300;
  private static final int HEIGHT = 220;
  private static final int LEFT = 52;
  private static final int RIGHT = 22;
  private static final int TOP = 44;
  private static final int BOTTOM = 40;

  /** Room above the highest value. */
  private static final double HEADROOM = 1.15;

  /** Panels of the plot, by the name of the figure. */
  private static final List<Shown> SHOWN =
      List.of(
          new Shown("all_running", "all units running, s"),
          new Shown("leader_memory", "leader memory at rest, MB"),
          new Shown("leader_cpu_at_rest", "leader CPU at rest, % of a core"),
          new Shown("moved_from_1_lost", "one machine lost: its units run again, s"),
          new Shown("placed_after_leader_lost", "leader lost: next unit placed, s"),
          new Shown("new_leader_informed", "leader lost: next one knows all, s"));

  private static final double SMALLEST = 1e-9;

  private record Shown(String figure, String title) {}

  private record Point(int size, double value, double x, double y) {}

  private GrowthPlot() {}

  /**
   * Draws it.
   *
   * @param bySize the figures of each run, by the number of its machines
   */
  public static String svg(SortedMap<Integer, List<Figure>> bySize) {
    List<String> panels = new ArrayList<>();
    for (Shown shown : SHOWN) {
      SortedMap<Integer, Double> values = values(shown.figure(), bySize);
      if (!values.isEmpty()) {
        panels.add(panel(panels.size(), shown.title(), values));
      }
    }
    int rows = Math.ceilDiv(panels.size(), COLUMNS);
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">
    <rect width="100%%" height="100%%" fill="white"/>
    %s</svg>
    """
        .formatted(COLUMNS * WIDTH, rows * HEIGHT, String.join("", panels));
  }

  private static SortedMap<Integer, Double> values(
      String name, SortedMap<Integer, List<Figure>> bySize) {
    SortedMap<Integer, Double> values = new TreeMap<>();
    bySize.forEach((size, figures) ->
        figures.stream()
            .filter(figure -> figure.name().equals(name))
            .findFirst()
            .ifPresent(figure -> values.put(size, figure.value())));
    return values;
  }

  private static String panel(int number, String title, SortedMap<Integer, Double> values) {
    int left = number % COLUMNS * WIDTH + LEFT;
    int top = number / COLUMNS * HEIGHT + TOP;
    int width = WIDTH - LEFT - RIGHT;
    int height = HEIGHT - TOP - BOTTOM;
    double highest =
        HEADROOM * values.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double most = values.lastKey();
    List<Point> points = new ArrayList<>();
    values.forEach((size, value) ->
        points.add(
            new Point(
                size,
                value,
                left + width * size / most,
                top + height - height * value / Math.max(highest, SMALLEST))));
    String line =
        points.stream()
            .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
            .collect(Collectors.joining(" "));
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" font-size=\"13\">%s</text>\n",
            left - 36,
            top - 24,
            title));
    text.append(
        String.format(
            Locale.ROOT,
            "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#888\"/>\n",
            left,
            top,
            top + height,
            left + width));
    text.append(
        String.format(
            Locale.ROOT,
            "<polyline points=\"%s\" fill=\"none\" stroke=\"#2563a8\" stroke-width=\"2\"/>\n",
            line));
    for (Point point : points) {
      text.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#2563a8\"/>\n",
              point.x(),
              point.y()));
      text.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
              point.x(),
              point.y() - 8,
              shown(point.value())));
      text.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">%d</text>\n",
              point.x(),
              top + height + 15,
              point.size()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">machines</text>\n",
            left + width / 2,
            top + height + 30));
    return text.toString();
  }

  private static String shown(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
