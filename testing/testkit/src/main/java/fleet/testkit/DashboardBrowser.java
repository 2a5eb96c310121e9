package fleet.testkit;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
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
public final class DashboardBrowser implements AutoCloseable {

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

  private DashboardBrowser(BootedMachine machine, List<String> fleetctl) throws IOException {
    this.fleetctl = machine.open(fleetctl).start();
    link = linkOf(this.fleetctl);
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
    trace = new PageTrace(context, address(""));
    page = context.newPage();
  }

  /** Opens the dashboard of a machine as its root. A failure tells what the pages showed. */
  public static void visit(BootedMachine machine, Consumer<DashboardBrowser> visit) {
    beforeVisit(machine, opened(visit));
  }

  /** Opens the dashboard of a machine as one of its users. */
  public static void visitAs(String user, BootedMachine machine, Consumer<DashboardBrowser> visit) {
    List<String> fleetctl =
        List.of(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--init-groups",
            "--reset-env",
            "/opt/fleet/bin/fleetctl",
            "dashboard");
    run(machine, fleetctl, opened(visit));
  }

  /** Leaves it to the visitor to open the link, in a browser that has not seen the dashboard. */
  public static void beforeVisit(BootedMachine machine, Consumer<DashboardBrowser> visit) {
    run(machine, List.of("/opt/fleet/bin/fleetctl", "dashboard"), visit);
  }

  private static Consumer<DashboardBrowser> opened(Consumer<DashboardBrowser> visit) {
    return browser -> {
      browser.page.navigate(browser.link);
      visit.accept(browser);
    };
  }

  private static void run(
      BootedMachine machine, List<String> fleetctl, Consumer<DashboardBrowser> visit) {
    try (DashboardBrowser browser = new DashboardBrowser(machine, fleetctl)) {
      browser.accept(visit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(Consumer<DashboardBrowser> visit) {
    try {
      visit.accept(this);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + trace.report(), e);
    }
  }

  private static String linkOf(Process fleetctl) throws IOException {
    String link = fleetctl.inputReader(StandardCharsets.UTF_8).readLine();
    if (link == null) {
      throw new AssertionError(
          "fleetctl dashboard printed no link: "
              + new String(fleetctl.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }
    return link;
  }

  /** A program that is Chromium on the network of a machine: Playwright starts one by its path. */
  private static Path chromiumOn(BootedMachine machine) throws IOException {
    Path program =
        Files.createTempFile(
            "chromium",
            ".sh",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Files.writeString(
        program,
        "#!/bin/sh\nexec %s %s \"$@\"\n"
            .formatted(String.join(" ", machine.enterNetwork()), CHROMIUM));
  }

  private static String axe() {
    try (InputStream script =
        Objects.requireNonNull(DashboardBrowser.class.getResourceAsStream("/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The link that fleetctl printed, which works once. */
  public String link() {
    return link;
  }

  /** The address of a view, such as {@code #/units}. */
  public String address(String view) {
    return link.substring(0, link.indexOf('?')) + view;
  }

  /** The page for the link. */
  public Page page() {
    return page;
  }

  /** An empty page beside the first. */
  public Page newPage() {
    return page.context().newPage();
  }

  /** Opens a view, such as {@code #/units}. */
  public DashboardBrowser show(String view) {
    page.navigate(address(view));
    return this;
  }

  /** Faults of the page that make it unusable for somebody, as axe finds them. */
  public List<?> barriers() {
    // Not part of each page: it is larger than the page, which others measure.
    page.evaluate(axe());
    return (List<?>) page.evaluate(SERIOUS);
  }

  /** Errors, breaches of the policy, and requests to other hosts. */
  public List<String> complaints() {
    return trace.complaints();
  }

  /** Keeps a picture of the page in {@code target/screenshots}. */
  public void picture(String name) {
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
