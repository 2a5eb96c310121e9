package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.SharedMachines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The dashboard in a real browser, at a real cluster. */
@ExtendWith(MachinesExtension.class)
class DashboardTest {

  @Test
  void aUnitBecomesActiveBeforeThePersonsEyes(SharedMachines machines) {
    FleetMachine server = machines.joined().server();
    try (DashboardBrowser browser = DashboardBrowser.open(server)) {
      browser.show("#/units?q=seen.service");
      Locator row =
          browser
              .page()
              .getByRole(AriaRole.ROW)
              .filter(new Locator.FilterOptions().setHasText("seen.service"));
      browser.page().getByText("No unit matches").waitFor();
      assertThat(row.count()).isZero();

      server.sleeper("seen.service").succeed("start", "seen.service");
      row.filter(new Locator.FilterOptions().setHasText("active")).waitFor();

      browser.picture("units");
      assertThat(browser.barriers()).isEmpty();
      assertThat(browser.complaints()).isEmpty();

      server.succeed("destroy", "seen.service");
      browser.page().getByText("No unit matches").waitFor();
    }
  }

  @Test
  void nobodyElseComesInByTheLink(SharedMachines machines) {
    try (DashboardBrowser browser = DashboardBrowser.open(machines.joined().server())) {
      browser.page().getByRole(AriaRole.HEADING).first().waitFor();
      browser.page().context().clearCookies();
      assertThat(browser.page().navigate(browser.link()).status()).isEqualTo(403);
      assertThat(browser.page().textContent("body")).contains("This link was used before");
    }
  }
}
