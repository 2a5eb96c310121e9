package fleet.machinetests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import fleet.testkit.DashboardBrowser;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.SharedMachines;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The dashboard in a real browser, at a real cluster. */
@ExtendWith(MachinesExtension.class)
class DashboardTest {

  private static final String NO_SUCH_UNIT = "#/units?q=seen.service";

  /** A person who is faster than the browser draws. */
  private static final String CHANGES_THE_ADDRESS =
      """
      new MutationObserver((_, watch) => {
        if (!document.querySelector('.top')) return;
        watch.disconnect();
        location.hash = '%s';
      }).observe(document, { childList: true, subtree: true });
      """
          .formatted(NO_SUCH_UNIT);

  /** Machines of each state describe themselves again. */
  private static final String DESCRIBES_ITSELF =
      """
      async () => {
        const { ClusterState } = await import('/dashboard/main.js');
        const state = new ClusterState();
        state.setMachines([
          { id: '1', state: 'maintenance', maintenance: { by: 'ann' }, cordoned: true },
          { id: '2', state: 'drained', drain: { by: 'ann' }, cordoned: true },
          { id: '3', state: 'cordoned', cordoned: true },
          { id: '4', state: 'lost' },
        ]);
        for (const id of ['1', '2', '3', '4', '5']) {
          state.apply({ name: 'machine', machine: { id, hostname: 'again' } });
        }
        return [...state.machines.values()].map((machine) => machine.state);
      }
      """;

  private static final int MANY = 100_000;
  private static final int SHOWN_AT_MOST = 100;

  @Test
  void aUnitBecomesActiveBeforeThePersonsEyes(SharedMachines machines) {
    FleetMachine server = machines.joined().server();
    DashboardBrowser.visit(
        server.machine(),
        browser -> {
          browser.show(NO_SUCH_UNIT);
          Locator row =
              browser
                  .page()
                  .getByRole(AriaRole.ROW)
                  .filter(new Locator.FilterOptions().setHasText("seen.service"));
          awaitComplete(browser.page());
          assertThat(row.count()).isZero();

          server.sleeper("seen.service").succeed("start", "seen.service");
          row.filter(new Locator.FilterOptions().setHasText("active")).waitFor();

          browser.picture("units");
          assertThat(browser.barriers()).isEmpty();
          assertThat(browser.complaints()).isEmpty();

          server.succeed("destroy", "seen.service");
          browser.page().getByText("No unit matches").waitFor();
        });
  }

  @Test
  void anAddressThatChangesWhileThePageIsDrawnIsFollowed(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server().machine(),
        browser -> {
          Page page = browser.newPage();
          page.addInitScript(CHANGES_THE_ADDRESS);
          page.navigate(browser.address(""));
          awaitComplete(page);
        });
  }

  /** A browser drops all that it is loading when its network changes. */
  @Test
  void thePageAsksAgainForWhatBreaksOff(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server().machine(),
        browser -> {
          Page page = browser.newPage();
          Set<String> broken = new HashSet<>();
          page.route(
              url -> !URI.create(url).getPath().equals("/"),
              route -> {
                if (broken.add(URI.create(route.request().url()).getPath())) {
                  route.abort("connectionreset");
                } else {
                  route.resume();
                }
              });
          page.navigate(browser.address(NO_SUCH_UNIT));
          awaitComplete(page);
          assertThat(broken)
              .contains("/dashboard/main.js", "/dashboard/dashboard.css")
              .contains("/fleet/v1/events", "/fleet/v1/whoami", "/fleet/v1/unit-summaries");
        });
  }

  @Test
  void thePageDoesNotWaitForAnAnswerThatIsLost(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server().machine(),
        browser -> {
          for (String path : List.of("/fleet/v1/events", "/fleet/v1/unit-summaries")) {
            Page page = browser.newPage();
            page.clock().install();
            Set<String> lost = new HashSet<>();
            page.route(
                url -> URI.create(url).getPath().equals(path),
                route -> {
                  if (!lost.add(path)) {
                    route.resume();
                  }
                });
            page.waitForRequest(
                request -> URI.create(request.url()).getPath().equals(path),
                () -> page.navigate(browser.address(NO_SUCH_UNIT)));
            page.clock().fastForward("01:00");
            awaitComplete(page);
            page.close();
          }
        });
  }

  /** The units are made up here: no cluster of tests has that many. */
  @Test
  void aHundredThousandUnitsAreScrolledAndFiltered(SharedMachines machines) {
    FleetMachine server = machines.joined().server();
    DashboardBrowser.visit(
        server.machine(),
        browser -> {
          Page page = browser.newPage();
          answer(page, "/fleet/v1/unit-summaries", summaries(server.machine().id()));
          page.navigate(browser.address("#/units?q=many@"));
          Locator table =
              page.getByRole(AriaRole.GRID, new Page.GetByRoleOptions().setName("Units"));
          Locator rows = table.getByRole(AriaRole.ROW);

          assertThat(table).hasAttribute("aria-rowcount", Integer.toString(MANY + 1));
          assertThat(rows.nth(1)).containsText("many@1.service");
          assertThat(rows.count()).isLessThan(SHOWN_AT_MOST);
          table.press("End");
          assertThat(rows.last()).containsText("many@" + MANY + ".service");
          assertThat(rows.last()).containsText("running");
          assertThat(rows.count()).isLessThan(SHOWN_AT_MOST);

          page.getByLabel("Search units by name or pattern").fill("many@9999");
          // Names of one more digit match as well.
          assertThat(table).hasAttribute("aria-rowcount", "12");
          assertThat(rows.nth(1)).containsText("many@9999.service");
          assertThat(rows.last()).containsText("many@99999.service");
        });
  }

  private static void answer(Page page, String path, String lines) {
    page.route(
        url -> URI.create(url).getPath().equals(path),
        route ->
            route.fulfill(
                new Route.FulfillOptions().setContentType("application/x-ndjson").setBody(lines)));
  }

  /** A unit a line, which are more lines than fleetd sends. */
  private static String summaries(String machine) {
    return IntStream.rangeClosed(1, MANY)
        .mapToObj(number -> line(number, machine))
        .collect(Collectors.joining());
  }

  private static String line(int number, String machine) {
    return """
    {"units":[{"desiredState":"launched","machineID":"%2$s","name":"many@%1$d.service",\
    "states":[{"machineID":"%2$s","systemdActiveState":"active","systemdSubState":"running"}]}]}
    """
        .formatted(number, machine);
  }

  @Test
  void aMachineKeepsWhatItsEventsDoNotTell(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server().machine(),
        browser ->
            assertThat(browser.page().evaluate(DESCRIBES_ITSELF))
                .isEqualTo(List.of("maintenance", "drained", "cordoned", "ready", "ready")));
  }

  private static void awaitComplete(Page page) {
    page.getByText("No unit matches").waitFor();
    page.locator(".connection").getByText("Live").waitFor();
  }

  @Test
  void nobodyElseComesInByTheLink(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server().machine(),
        browser -> {
          browser.page().getByRole(AriaRole.HEADING).first().waitFor();
          browser.page().context().clearCookies();
          assertThat(browser.page().navigate(browser.link()).status()).isEqualTo(403);
          assertThat(browser.page().textContent("body")).contains("This link was used before");
        });
  }
}
