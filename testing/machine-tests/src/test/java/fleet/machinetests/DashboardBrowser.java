package fleet.machinetests;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import fleet.testkit.FleetMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Chromium on this host, at the dashboard of a machine, by {@code fleetctl dashboard} as people run
 * it. For one thread; closing it ends the browser and fleetctl.
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
  private final Playwright playwright;
  private final Browser chromium;
  private final Page page;
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private DashboardBrowser(Process fleetctl) throws IOException {
    this.fleetctl = fleetctl;
    link = firstLine(fleetctl);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    chromium =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(CHROMIUM).setArgs(ARGUMENTS));
    BrowserContext context = chromium.newContext();
    // A busy host makes each wait long; what hangs ends with its test.
    context.setDefaultTimeout(0);
    context.addInitScript(axe());
    page = context.newPage();
    page.onConsoleMessage(this::note);
    page.onPageError(complaints::add);
    page.onRequest(request -> {
      if (!request.url().startsWith(origin())) {
        complaints.add("asks elsewhere: " + request.url());
      }
    });
  }

  /** Opens the dashboard of a machine as its root. */
  static DashboardBrowser open(FleetMachine machine) {
    Path fleetctl = Path.of(System.getProperty("fleet.root", ""), "target/fleet/bin/fleetctl");
    String socket = "unix://" + machine.machine().path("/run/fleet.sock");
    try {
      Process process =
          new ProcessBuilder(
                  fleetctl.toAbsolutePath().toString(), "--endpoint", socket, "dashboard")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      DashboardBrowser browser = new DashboardBrowser(process);
      browser.page.navigate(browser.link);
      return browser;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstLine(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return Objects.requireNonNull(lines.readLine(), "fleetctl dashboard printed no link");
  }

  private static String axe() throws IOException {
    try (InputStream script =
        Objects.requireNonNull(DashboardBrowser.class.getResourceAsStream("/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void note(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      complaints.add(message.text());
    }
  }

  private String origin() {
    return link.substring(0, link.indexOf('?'));
  }

  /** The link that fleetctl printed, which was used. */
  String link() {
    return link;
  }

  /** The page that is open. */
  Page page() {
    return page;
  }

  /** Opens a view, such as {@code #/units}. */
  DashboardBrowser show(String view) {
    page.navigate(origin() + view);
    return this;
  }

  /** Faults of the page that make it unusable for somebody, as axe finds them. */
  List<?> barriers() {
    return (List<?>) page.evaluate(SERIOUS);
  }

  /** Errors, breaches of the policy, and requests to other hosts. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** Keeps a picture of the page in {@code target/screenshots}. */
  void picture(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", name + ".png")));
  }

  @Override
  public void close() {
    chromium.close();
    playwright.close();
    fleetctl.destroy();
  }
}
