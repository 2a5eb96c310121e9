package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.dashboard.DashboardServer;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Opens the dashboard to one browser of this machine. */
@Command(
    name = "dashboard",
    header = "Open the dashboard in a browser",
    customSynopsis = "[--open] [--port=PORT]",
    description = {
      "Prints a link to the dashboard, and serves it until Ctrl-C: overview, machines, units,",
      "journals, events and operations, as they change. The browser reaches fleetd through",
      "fleetctl, over the endpoint that fleetctl uses, and may see and do what your role allows.",
      "",
      "The link leads to this machine and works once: the browser that opens it gets a cookie, and",
      "nobody else gets in. For another browser, run the command again."
    },
    exitCodeList = {"1:fleetd could not be asked, or the port is not free", "130:ended by Ctrl-C"},
    footer = {"fleetctl dashboard", "fleetctl --endpoint=ssh://node1 dashboard --open"})
final class DashboardCommand extends FleetCommand {

  private static final int LAST_PORT = 65535;

  @Option(names = "--open", description = "Open the link with xdg-open.")
  boolean open;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port on 127.0.0.1. Default: any that is free.")
  int port;

  @Override
  int run() throws CommandException, FleetException {
    if (port < 0 || port > LAST_PORT) {
      throw CommandException.usage("Error: --port must be between 1 and " + LAST_PORT);
    }
    FleetClient client = client();
    client.expectDashboard();
    try (DashboardServer server = new DashboardServer(client, port)) {
      output().line(server.link());
      output().problem("The link works once, in one browser. Ctrl-C ends the dashboard.");
      if (open) {
        new WebBrowser(session().environment()).open(server.link(), output()::problem);
      }
      // While the browser starts, or the person turns to it.
      server.warmUp();
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw CommandException.failed(
          "Error: cannot listen on 127.0.0.1%s: %s"
              .formatted(port == 0 ? "" : ":" + port, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }
}
