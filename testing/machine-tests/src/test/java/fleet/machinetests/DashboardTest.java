package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.SharedMachines;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  @Test
  void aUnitBecomesActiveBeforeThePersonsEyes(SharedMachines machines) {
    FleetMachine server = machines.joined().server();
    DashboardBrowser.visit(
        server,
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
        machines.joined().server(),
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
        machines.joined().server(),
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
              .contains("/dashboard/main.js", "/dashboard/dashboard.css", "/dashboard/lib/htm.js")
              .contains("/fleet/v1/events", "/fleet/v1/whoami", "/fleet/v1/units");
        });
  }

  @Test
  void thePageDoesNotWaitForAnAnswerThatIsLost(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server(),
        browser -> {
          for (String path : List.of("/fleet/v1/events", "/fleet/v1/units")) {
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

  private static void awaitComplete(Page page) {
    page.getByText("No unit matches").waitFor();
    page.locator(".connection").getByText("Live").waitFor();
  }

  @Test
  void nobodyElseComesInByTheLink(SharedMachines machines) {
    DashboardBrowser.visit(
        machines.joined().server(),
        browser -> {
          browser.page().getByRole(AriaRole.HEADING).first().waitFor();
          browser.page().context().clearCookies();
          assertThat(browser.page().navigate(browser.link()).status()).isEqualTo(403);
          assertThat(browser.page().textContent("body")).contains("This link was used before");
        });
  }
}
