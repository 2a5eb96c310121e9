package fleet.machinetests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import fleet.testkit.DashboardBrowser;
import fleet.testkit.Etcd;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The views of the dashboard in a real browser, at three machines: their data, a drain, a journal
 * that moves, a leader that dies, and a person who may only look.
 */
@ExtendWith(MachinesExtension.class)
class DashboardViewsTest {

  private static final String COUNTER =
      """
      [Service]
      ExecStart=/bin/sh -c 'i=0; while :; do i=$((i+1)); echo count $i; sleep 0.5; done'
      """;

  private static final String STOPS_WHEN_LET =
      COUNTER
          + "TimeoutStopSec=infinity\n"
          + "ExecStop=/bin/sh -c 'until [ -e /run/let ]; do sleep 0.1; done'\n";

  private static FleetCluster cluster;
  private static FleetMachine first;

  @BeforeAll
  static void bootThree(Machines machines) {
    Etcd etcd = machines.etcd(EtcdSettings.plain());
    cluster = FleetCluster.prepare(machines, etcd, 3, FleetMachine.PATIENT);
    first = cluster.machine(1);
    first.machine().succeed("groupadd", "fleet-viewer");
    first.machine().succeed("useradd", "-G", "fleet-viewer", "vera");
    cluster.install();
  }

  @AfterEach
  void asBefore() {
    cluster.heal();
    for (FleetMachine one : cluster.machines()) {
      one.machine().write("/run/let", "");
      first.succeed("uncordon", one.machine().id());
    }
    cluster.destroyAll();
    cluster.machines().forEach(one -> one.machine().succeed("rm", "/run/let"));
  }

  /**
   * A view, and what it shows of the units of {@link #startSome()}.
   *
   * @param data a text that comes from the cluster
   */
  private record View(String address, String heading, String data) {

    String name() {
      return address.replaceAll("[^a-z]+", "-").replaceAll("^-|-$", "");
    }
  }

  private static List<View> views(FleetMachine machine) {
    String unit = "#/units/tick.service";
    return List.of(
        new View("#/", "Overview", "exit code 1"),
        new View("#/machines", "Machines", cluster.machine(3).machine().name()),
        new View("#/machines/" + machine.machine().id(), machine.machine().name(), "tick.service"),
        new View("#/units", "Units", "gpu.service"),
        new View("#/units?state=failed", "Units", "1 of 3"),
        new View(unit, "tick.service", "active (running)"),
        new View(unit + "/journal", "tick.service", "count 2"),
        new View(unit + "/history", "tick.service", "current"),
        new View(unit + "/file", "tick.service", "ExecStart="),
        new View(unit + "/events", "tick.service", "placed on " + machine.machine().name()),
        new View("#/units/gpu.service", "gpu.service", "lack gpu=yes"),
        new View("#/placement", "Placement", "3 units on 3 machines"),
        new View("#/placement?as=table", "Placement", machine.machine().name()),
        new View("#/operations", "Operations", "Nothing is under way"),
        new View("#/events?kind=failures", "Events", "failed on"));
  }

  /** Starts a unit that runs, one that fails and one that no machine fits. */
  private static void startSome() {
    first.unitFile("tick.service", COUNTER).succeed("start", "tick.service");
    first.unitFile("broken.service", "[Service]\nExecStart=/bin/false\n");
    first.sleeper("gpu.service", "MachineMetadata=gpu=yes");
    first.succeed("start", "--no-block", "broken.service", "gpu.service");
    first.awaitState("broken.service", "failed failed");
  }

  @Test
  void eachViewShowsTheClusterAndKeepsNobodyOut() {
    startSome();
    List<View> views = views(cluster.awaitRunning("tick.service"));
    DashboardBrowser.visit(
        first.machine(),
        browser -> {
          for (View view : views) {
            browser.show(view.address());
            heading(browser.page(), view.heading()).waitFor();
            content(browser.page()).getByText(view.data()).first().waitFor();
            browser.picture("view-" + view.name());
            assertThat(browser.barriers()).as(view.address()).isEmpty();
          }
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void aFilterInTheAddressIsThatOfTheTable() {
    startSome();
    DashboardBrowser.visit(
        first.machine(),
        browser -> {
          Page page = browser.show("#/units?state=failed").page();
          row(page, "broken.service").getByText("exit code 1").waitFor();
          assertThat(row(page, "tick.service")).hasCount(0);
          page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Filter by state"))
              .getByRole(AriaRole.BUTTON)
              .filter(new Locator.FilterOptions().setHasText("failed"))
              .click();
          row(page, "tick.service").waitFor();
          assertThat(page).hasURL(Pattern.compile("#/units$"));
        });
  }

  @Test
  void aDrainIsWatchedToItsEndAndTheJournalGoesAlong() {
    first.unitFile("tick.service", STOPS_WHEN_LET).succeed("start", "tick.service");
    FleetMachine before = cluster.awaitRunning("tick.service");
    DashboardBrowser.visit(
        first.machine(),
        browser -> {
          Page journal = browser.newPage();
          journal.navigate(browser.address("#/units/tick.service/journal"));
          journal.getByText("count 2").first().waitFor();
          Page page = browser.show("#/machines/" + before.machine().id()).page();
          Locator commands = commands(page, before.machine().name());
          button(commands, "Drain…").click();
          button(page.getByRole(AriaRole.DIALOG), "Drain").click();
          assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);

          page.getByText("0 of 1 unit done, 1 left").waitFor();
          browser.picture("drain");
          assertThat(browser.barriers()).isEmpty();
          before.machine().write("/run/let", "");

          status(page.locator(".operation-head"), "done").waitFor();
          FleetMachine after = cluster.awaitRunning("tick.service");
          assertThat(after).isNotEqualTo(before);
          journal.locator(".log-machine").getByText(after.machine().name()).first().waitFor();
          button(commands, "Uncordon").click();
          status(page.locator(".page-head"), "ready").waitFor();
          // The page does not ask for a drain that has ended.
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void aPageOutlivesTheLeaderThatItAsks() {
    FleetMachine old = cluster.leader();
    DashboardBrowser.visit(
        old.machine(),
        browser -> {
          Page page = browser.show("#/units?q=late.service").page();
          page.getByText("No unit matches").waitFor();
          killFleetd(page, old);
          browser.picture("leader-lost");
          assertThat(browser.barriers()).isEmpty();

          FleetMachine next = cluster.awaitLeaderBut(old);
          next.sleeper("late.service").succeed("start", "late.service");
          old.reviveFleetd();

          row(page, "late.service").getByText("active").waitFor();
          live(page).waitFor();
          browser.show("#/");
          page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Control"))
              .getByText(next.machine().name())
              .waitFor();
        });
  }

  /** The leader goes on behind the last event of the page, so nothing is read again. */
  @Test
  void aPageGoesOnWhenItsFleetdIsBack() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getFirst();
    DashboardBrowser.visit(
        asked.machine(),
        browser -> {
          Page page = browser.show("#/units?q=late.service").page();
          page.getByText("No unit matches").waitFor();
          killFleetd(page, asked);
          asked.reviveFleetd();
          live(page).waitFor();
          leader.sleeper("late.service").succeed("start", "late.service");
          row(page, "late.service").getByText("active").waitFor();
        });
  }

  /** Kills the fleetd that a page asks, for good, and waits until the page says so. */
  private static void killFleetd(Page page, FleetMachine machine) {
    live(page).waitFor();
    // While its socket listens, systemd starts another fleetd when the page asks again.
    machine.machine().succeed("systemctl", "stop", "fleet.socket");
    machine.killFleetdForGood();
    page.getByText("Connection lost").waitFor();
  }

  @Test
  void aViewerSeesCommandsWithTheReasonWhyTheyAreRefused() {
    first.unitFile("tick.service", COUNTER).succeed("start", "tick.service");
    String reason = "This takes the role operator; you have the role viewer.";
    DashboardBrowser.visitAs(
        "vera",
        first.machine(),
        browser -> {
          Page page = browser.show("#/units/tick.service").page();
          content(page).getByText(reason).waitFor();
          Locator commands = commands(page, "tick.service");
          for (String name : List.of("Restart…", "Stop…", "Destroy…")) {
            assertThat(button(commands, name)).isDisabled();
            assertThat(button(commands, name)).hasAttribute("title", reason);
          }
          button(commands, "Stop…").click(new Locator.ClickOptions().setForce(true));
          page.locator(".notices").getByText(reason).waitFor();
          assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
          browser.picture("viewer");
          assertThat(browser.barriers()).isEmpty();

          browser.show("#/machines/" + first.machine().id());
          content(page).getByText("This takes the role admin; you have the role viewer.").waitFor();
          assertThat(button(commands(page, first.machine().name()), "Drain…")).isDisabled();
          assertThat(browser.complaints()).isEmpty();
        });
    cluster.awaitRunning("tick.service");
  }

  private static Locator heading(Page page, String text) {
    return page.getByRole(
        AriaRole.HEADING, new Page.GetByRoleOptions().setName(text).setExact(true).setLevel(1));
  }

  /** The view, without the frame that all views have. */
  private static Locator content(Page page) {
    return page.getByRole(AriaRole.MAIN);
  }

  private static Locator live(Page page) {
    return page.locator(".connection").getByText("Live");
  }

  private static Locator row(Page page, String unit) {
    return page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText(unit));
  }

  private static Locator commands(Page page, String subject) {
    return page.getByRole(
        AriaRole.GROUP, new Page.GetByRoleOptions().setName("Commands for " + subject));
  }

  private static Locator button(Locator parent, String name) {
    return parent.getByRole(
        AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator status(Locator parent, String word) {
    return parent.locator(".status").getByText(word, new Locator.GetByTextOptions().setExact(true));
  }
}
