package fleet.fleetd;

import fleet.api.MetricStore;
import fleet.fleetd.audit.WrittenAudit;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationException;
import fleet.fleetd.config.ConfigurationReader;
import fleet.fleetd.config.LoadedConfiguration;
import fleet.fleetd.config.Notice;
import fleet.fleetd.log.JournalStream;
import fleet.fleetd.log.Verbosity;
import fleet.fleetd.machine.KernelEvents;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.machine.MachineIdentity;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.fleetd.notify.Watchdog;
import fleet.trust.EnrolmentRefusedException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the daemon, from its command line to its exit code. */
public final class Fleetd {
  private static final Logger LOG = LoggerFactory.getLogger(Fleetd.class);

  /** Between two failures of fleet.service, so that they do not take a processor. */
  private static final Duration REST = Duration.ofSeconds(3);

  /** For the clients that have fleetd started, and those that come together with them. */
  private static final Duration TIME_TO_REFUSE = Duration.ofSeconds(1);

  /** Does not pass by itself: fleet.service does not restart fleetd after it. */
  private static final int MISTAKEN = 2;

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;
  private final RunningDaemon.Starter starter;

  public Fleetd(
      Map<String, String> environment,
      PrintStream out,
      PrintStream err,
      RunningDaemon.Starter starter) {
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.err = err;
    this.starter = starter;
  }

  /**
   * Returns when fleetd has stopped.
   *
   * @return the exit code
   */
  public int run(String... arguments) {
    return switch (CommandLine.parse(arguments)) {
      case CommandLine.ShowVersion() -> {
        out.println("fleetd version " + FleetdVersion.current());
        yield 0;
      }
      case CommandLine.ShowHelp() -> {
        out.print(CommandLine.USAGE);
        yield 0;
      }
      case CommandLine.Refused(String reason) -> {
        err.println(reason);
        err.print(CommandLine.USAGE);
        RefusalServer.of(environment).refuse(reason, TIME_TO_REFUSE);
        yield MISTAKEN;
      }
      case CommandLine.Restore restore -> restore(restore);
      case CommandLine.Run run -> serve(run, RefusalServer.of(environment));
    };
  }

  private int restore(CommandLine.Restore restore) {
    try {
      ConfigurationReader reader =
          new ConfigurationReader(environment, Map.of(), ConfigurationReader.DEFAULT_FILE);
      new RegistryRestore(reader.read(restore.config()).configuration(), out, Clock.systemUTC())
          .carryOut(restore.backup(), restore.force());
      return 0;
    } catch (Exception e) {
      complain(e, 0);
      return isMistake(e) ? MISTAKEN : 1;
    }
  }

  private int serve(CommandLine.Run run, RefusalServer clients) {
    int verbosity = 0;
    try {
      ConfigurationReader reader =
          new ConfigurationReader(environment, run.options(), ConfigurationReader.DEFAULT_FILE);
      LoadedConfiguration loaded = reader.read(run.file());
      verbosity = loaded.configuration().verbosity();
      Verbosity.set(verbosity);
      LOG.info("Starting fleetd version {}", FleetdVersion.current());
      ProgramFiles.check(environment);
      loaded.notices().forEach(Fleetd::say);
      serve(loaded.configuration(), () -> reader.read(run.file()), clients);
      return 0;
    } catch (Exception e) {
      complain(e, verbosity);
      if (isMistake(e)) {
        clients.refuse(Failures.describe(e), TIME_TO_REFUSE);
        return MISTAKEN;
      }
      if (environment.containsKey("NOTIFY_SOCKET")) {
        // systemd starts another at once, which may fail in the same way.
        clients.putOff(Failures.describe(e), REST);
      }
      return 1;
    }
  }

  private static boolean isMistake(Exception failure) {
    return failure instanceof EnrolmentRefusedException
        || (failure instanceof FatalException fatal && fatal.isToCorrect())
        || (failure instanceof ConfigurationException mistake && !mistake.mayPass());
  }

  private void serve(Configuration configuration, LifeCycle.Reader reader, RefusalServer clients)
      throws Exception {
    FatalErrorHandler.ofThisProcess();
    try (ServiceNotifier notifier = ServiceNotifier.of(environment)) {
      boolean user = configuration.systemdUser();
      LifeCycle life =
          new LifeCycle(notifier, reader, new OwnSystemdService(environment, user), out);
      Signals.handle(life);
      WorkingDirectories.ofThisProcess().make(configuration.directories());
      MachineFacts facts =
          MachineFacts.read(
              new MachineIdentity(Path.of("/"), FleetdVersion.current()), configuration);
      try (RuntimeLock _ = RuntimeLock.take(configuration.directories().runtime());
          KernelEvents _ = KernelEvents.watch(facts::lookAgain);
          WrittenAudit audit = WrittenAudit.open(facts.machine().id(), configuration.auditFile());
          RunningDaemon service =
              starter.start(
                  new StartupInputs(
                      configuration,
                      facts,
                      notifier,
                      environment,
                      life::fail,
                      audit,
                      new MetricStore()))) {
        life.started(service);
        Optional<Watchdog> watchdog = Watchdog.start(environment, notifier, service);
        life.awaitStop();
        clients.close();
        life.leave(service);
        watchdog.ifPresent(Watchdog::close);
      }
    }
  }

  static void say(Notice notice) {
    LOG.atLevel(notice.level()).log(notice.text());
  }

  private void complain(Exception failure, int verbosity) {
    // The priority makes it an error to the journal.
    String priority = JournalStream.isStandardError(environment) ? "<3>" : "";
    err.println(priority + "fleetd: " + Failures.describe(failure));
    if (verbosity > 0 && !(failure instanceof ConfigurationException)) {
      failure.printStackTrace(err);
    }
  }
}
