package fleet.machinetests;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import fleet.testkit.FleetMachine;
import fleet.testkit.Hangs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Chromium of this host, at the dashboard of a machine, by {@code fleetctl dashboard} on that
 * machine. It is on the machine's network too: a browser drops what it is loading when its network
 * changes, and that of this host does with every machine that boots. For one thread.
 */
final class DashboardBrowser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  private static final List<String> ARGUMENTS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  /** Rules of axe whose breach keeps somebody from using a page. */
  private static final String SERIOUS =
      """
      async () => (await axe.run()).violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
      """;

  private final Process fleetctl;
  private final String link;
  private final Path program;
  private final Playwright playwright;
  private final Browser chromium;
  private final PageTrace trace;
  private final Page page;

  private DashboardBrowser(FleetMachine machine, List<String> fleetctl) throws IOException {
    this.fleetctl =
        machine.machine().open(fleetctl).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    link =
        Objects.requireNonNull(
            this.fleetctl.inputReader(StandardCharsets.UTF_8).readLine(),
            "fleetctl dashboard printed no link");
    program = chromiumOn(machine);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    chromium =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(program).setArgs(ARGUMENTS));
    BrowserContext context = chromium.newContext();
    context.setDefaultTimeout((double) Hangs.AFTER.toMillis());
    PlaywrightAssertions.setDefaultAssertionTimeout((double) Hangs.AFTER.toMillis());
    context.addInitScript(axe());
    trace = new PageTrace(context, address(""));
    page = context.newPage();
  }

  /** Opens the dashboard of a machine as its root. A failure tells what the pages showed. */
  static void visit(FleetMachine machine, Consumer<DashboardBrowser> visit) {
    visit(machine, List.of("/opt/fleet/bin/fleetctl", "dashboard"), visit);
  }

  /** Opens the dashboard of a machine as one of its users. */
  static void visitAs(String user, FleetMachine machine, Consumer<DashboardBrowser> visit) {
    visit(
        machine,
        List.of(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--init-groups",
            "--reset-env",
            "/opt/fleet/bin/fleetctl",
            "dashboard"),
        visit);
  }

  private static void visit(
      FleetMachine machine, List<String> fleetctl, Consumer<DashboardBrowser> visit) {
    try (DashboardBrowser browser = new DashboardBrowser(machine, fleetctl)) {
      browser.accept(visit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(Consumer<DashboardBrowser> visit) {
    try {
      page.navigate(link);
      visit.accept(this);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + trace.report(), e);
    }
  }

  /** A program that is Chromium on the network of a machine: Playwright starts one by its path. */
  private static Path chromiumOn(FleetMachine machine) throws IOException {
    Path program =
        Files.createTempFile(
            "chromium",
            ".sh",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Files.writeString(
        program,
        "#!/bin/sh\nexec %s %s \"$@\"\n"
            .formatted(String.join(" ", machine.machine().enterNetwork()), CHROMIUM));
  }

  private static String axe() throws IOException {
    try (InputStream script =
        Objects.requireNonNull(DashboardBrowser.class.getResourceAsStream("/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The link that fleetctl printed, which was used. */
  String link() {
    return link;
  }

  /** The address of a view, such as {@code #/units}. */
  String address(String view) {
    return link.substring(0, link.indexOf('?')) + view;
  }

  /** The page that was opened by the link. */
  Page page() {
    return page;
  }

  /** An empty page beside the first. */
  Page newPage() {
    return page.context().newPage();
  }

  /** Opens a view, such as {@code #/units}. */
  DashboardBrowser show(String view) {
    page.navigate(address(view));
    return this;
  }

  /** Faults of the page that make it unusable for somebody, as axe finds them. */
  List<?> barriers() {
    return (List<?>) page.evaluate(SERIOUS);
  }

  /** Errors, breaches of the policy, and requests to other hosts. */
  List<String> complaints() {
    return trace.complaints();
  }

  /** Keeps a picture of the page in {@code target/screenshots}. */
  void picture(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", name + ".png")));
  }

  @Override
  public void close() throws IOException {
    chromium.close();
    playwright.close();
    fleetctl.descendants().forEach(ProcessHandle::destroy);
    fleetctl.destroy();
    Files.delete(program);
  }
}
