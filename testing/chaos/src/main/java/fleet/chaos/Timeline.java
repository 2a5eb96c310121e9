package fleet.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A page with what was asked, what went wrong and what ran where, over time. */
final class Timeline {

  private static final int WIDTH = 1600;
  private static final int LEFT = 140;
  private static final int ROW = 16;
  private static final List<String> COLOURS =
      List.of("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f");

  private final History history;
  private final List<UnitRun> runs;
  private final List<Breach> violations;
  private final List<String> places;
  private final long from;
  private final long to;
  private final StringBuilder drawing = new StringBuilder();

  Timeline(History history, List<UnitRun> runs, List<Breach> violations) {
    this.history = history;
    this.runs = runs;
    this.violations = violations;
    var named = new TreeSet<String>();
    runs.forEach(run -> named.add(run.machine()));
    history.disturbances().forEach(one -> named.add(one.where()));
    this.places = List.copyOf(named);
    this.from =
        history.requests().stream().mapToLong(one -> one.during().fromMicros()).min().orElse(0);
    this.to = history.requests().stream().mapToLong(one -> one.during().toMicros()).max().orElse(1);
  }

  String page(String settings) {
    int row = 0;
    for (String place : places) {
      label(row, place);
      for (Disturbance one : history.disturbances()) {
        if (one.where().equals(place)) {
          bar(row, one.during(), one.losesMachine() ? "#e15759" : "#edc948", one.what());
        }
      }
      row++;
    }
    for (String unit : new TreeSet<>(history.requests().stream().map(Request::unit).toList())) {
      label(row, unit);
      for (UnitRun run : runs) {
        if (run.unit().equals(unit)) {
          String colour = COLOURS.get(places.indexOf(run.machine()) % COLOURS.size());
          Span shown = new Span(run.startMicros(), Math.min(to, run.atLeast().toMicros()));
          bar(row, shown, colour, run.machine());
        }
      }
      for (Request request : history.requestsOf(unit)) {
        tick(row, request);
      }
      row++;
    }
    return """
    <!DOCTYPE html><meta charset="utf-8"><title>Chaos</title>
    <style>body{font:14px sans-serif}svg text{font:11px sans-serif}</style>
    <h1>%s</h1>
    <p>%s. Red: a fault that may lose a machine; yellow: another one; a unit's colour is its machine's.
    Black ticks are acknowledged commands, grey ones were not acknowledged. Point at anything to read more.</p>
    %s
    <svg width="%d" height="%d">%s</svg>
    """
        .formatted(
            violations.isEmpty() ? "All held" : violations.size() + " violations",
            settings,
            list(),
            WIDTH,
            (row + 1) * ROW,
            drawing);
  }

  private String list() {
    List<String> lines = new ArrayList<>();
    for (Breach one : violations) {
      lines.add(
          "<li>%.1f s, %s: %s</li>"
              .formatted((one.atMicros() - from) / 1e6, one.unit(), escaped(one.text())));
    }
    return "<ul>" + String.join("", lines) + "</ul>";
  }

  private void label(int row, String text) {
    drawing.append("<text x=\"0\" y=\"%d\">%s</text>%n".formatted(row * ROW + 12, escaped(text)));
  }

  private void bar(int row, Span span, String colour, String title) {
    double x = x(span.fromMicros());
    drawing.append(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>%n"
            .formatted(
                x,
                row * ROW + 2,
                Math.max(1, x(span.toMicros()) - x),
                ROW - 5,
                colour,
                escaped(title)));
  }

  private void tick(int row, Request request) {
    double x = x(request.during().fromMicros());
    drawing.append(
        "<rect x=\"%.1f\" y=\"%d\" width=\"2\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>%n"
            .formatted(
                x,
                row * ROW,
                ROW - 2,
                request.acknowledged() ? "#000" : "#aaa",
                escaped("" + request)));
  }

  private double x(long micros) {
    return LEFT + (WIDTH - LEFT) * (double) (micros - from) / Math.max(1, to - from);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
