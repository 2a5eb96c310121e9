package fleet.bench;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitUntilState;
import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.UnitSet;
import fleet.testkit.DashboardBrowser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The first view of the dashboard of a machine with many units: Chromium has an empty cache, and
 * {@code fleetctl dashboard} has just printed its link. The time runs from the start of the
 * navigation until the page has painted all units. Views take turns, so that a busy spell of the
 * host affects all of them.
 */
final class DashboardBenchmark implements Benchmark {

  private static final int ROUNDS = 9;

  private final Path fleet;
  private final int units;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   * @param units how many run on the machine
   */
  DashboardBenchmark(Path fleet, int units) {
    this.fleet = fleet;
    this.units = units;
  }

  @Override
  public String name() {
    return "dashboard";
  }

  @Override
  public String summary() {
    return "the first view of the dashboard at %d units, in Chromium with an empty cache"
        .formatted(units);
  }

  /**
   * A view of the dashboard.
   *
   * @param address its part of the address
   * @param complete the CSS selector of an element that has a text
   * @param text what that element says once the view shows all units
   */
  private record View(String name, String address, String complete, String text) {

    /** The script that tells when the view is painted. It runs before those of the page. */
    String watch() {
      return """
      window.firstView = new Promise((painted) => {
        const says = (selector, text) => document.querySelector(selector)?.textContent === text;
        const look = (_, observer) => {
          if (!says('.connection .live', 'Live') || !says('%s', '%s')) return;
          observer.disconnect();
          // The browser paints between the callbacks of a frame and the next task.
          requestAnimationFrame(() => setTimeout(() => painted(performance.now())));
        };
        new MutationObserver(look)
            .observe(document, { childList: true, characterData: true, subtree: true });
      });
      """
          .formatted(complete, text);
    }
  }

  /** One first view. */
  private record FirstView(double millis, double kilobytes, double requests) {

    private static final String MEASURED =
        """
        async () => {
          const millis = await window.firstView;
          const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
          const bytes = loaded.reduce((sum, { transferSize }) => sum + transferSize, 0);
          return { millis, kilobytes: bytes / 1e3, requests: loaded.length };
        }
        """;

    static FirstView of(DashboardBrowser browser, View view) {
      Page page = browser.page();
      page.addInitScript(view.watch());
      page.navigate(
          browser.link() + view.address(),
          new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
      Map<?, ?> measured = (Map<?, ?>) page.evaluate(MEASURED);
      return new FirstView(
          number(measured, "millis"), number(measured, "kilobytes"), number(measured, "requests"));
    }

    private static double number(Map<?, ?> measured, String name) {
      if (measured.get(name) instanceof Number number) {
        return number.doubleValue();
      }
      throw new AssertionError("the page measured no " + name + ": " + measured);
    }
  }

  @Override
  public void run(Report report) {
    try (BenchMachine node = BenchMachine.boot(fleet)) {
      node.startFleetd();
      UnitSet set = new UnitSet("dashboard", units, "/root/units");
      set.writeFiles(node.machine());
      node.machine().succeed(set.commandOnFiles("fleetctl", "start"));
      MassRound.checkActive(node, set);

      View overview = new View("overview", "#/", "#overview-units .count", "%,d".formatted(units));
      View list =
          new View(
              "units",
              "#/units",
              "[role=row][aria-rowindex=\"2\"] .c-unit",
              set.units().getFirst());
      List<FirstView> overviews = new ArrayList<>();
      List<FirstView> lists = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        overviews.add(measure(node, overview));
        lists.add(measure(node, list));
      }
      tell(overview, overviews, report);
      tell(list, lists, report);
    }
  }

  private static FirstView measure(BenchMachine node, View view) {
    List<FirstView> seen = new ArrayList<>();
    DashboardBrowser.beforeVisit(node.machine(), browser -> seen.add(FirstView.of(browser, view)));
    return seen.getFirst();
  }

  private static void tell(View view, List<FirstView> views, Report report) {
    String name = "dashboard_" + view.name();
    Samples millis = Samples.of(views, FirstView::millis);
    report.add(name + "_min", millis.min(), "ms");
    report.add(name + "_median", millis.median(), "ms");
    report.add(name + "_max", millis.max(), "ms");
    report.add(name + "_requests", Samples.of(views, FirstView::requests).median(), "requests");
    report.add(name + "_transferred", Samples.of(views, FirstView::kilobytes).median(), "kB");
  }
}
