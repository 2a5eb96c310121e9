package fleet.systemd.dbus;

import fleet.systemd.ServiceJob;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a service that is being stopped asks systemd about itself. It is one of its
 * own: the service cannot wait for a connection that is just being replaced.
 */
public final class ServiceConnection {

  private static final String SERVICE = "org.freedesktop.systemd1.Service";
  private static final String JOB = "org.freedesktop.systemd1.Job";
  private static final String JOB_REMOVED = "JobRemoved";
  private static final String DONE = "done";

  private final BusConnection link;
  private final Duration patience;
  private final Map<String, CompletableFuture<String>> results = new ConcurrentHashMap<>();

  private ServiceConnection(BusConnection link, Duration patience) {
    this.link = link;
    this.patience = patience;
  }

  /**
   * The job of the service whose main process has this id. Never fails, and never takes longer than
   * the patience.
   */
  public static ServiceJob jobOf(ManagerAddress address, long pid, Duration patience) {
    try {
      return within(address, patience, connection -> connection.job(pid));
    } catch (SystemdException e) {
      return new ServiceJob.Unknown(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Has systemd stop the socket of the same name as the service whose main process has this id, for
   * which it would start the service again. Returns when systemd listens there no longer.
   *
   * @return the name of the socket unit; empty if there is none
   * @throws SystemdException if that cannot be done, or takes longer than the patience
   */
  public static Optional<String> stopSocket(ManagerAddress address, long pid, Duration patience) {
    return within(address, patience, connection -> connection.stopSocket(pid));
  }

  private static <T> T within(
      ManagerAddress address, Duration patience, Function<ServiceConnection, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    AtomicReference<@Nullable BusConnection> opened = new AtomicReference<>();
    Thread asking =
        Thread.ofVirtual()
            .start(() -> {
              try (BusConnection link = BusConnection.open(address)) {
                opened.set(link);
                ServiceConnection connection = new ServiceConnection(link, patience);
                Thread.ofVirtual()
                    .name("systemd-service")
                    .start(() -> link.read(connection.new EndedJobs()));
                connection.joinBus();
                answer.complete(question.apply(connection));
              } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
              }
            });
    try {
      return PendingReplies.await(answer, patience);
    } finally {
      asking.interrupt();
      BusConnection link = opened.get();
      if (link != null) {
        link.close();
      }
    }
  }

  private void joinBus() {
    if (link.isOnBus()) {
      await(MethodCall.ofBus("join the bus", "Hello", ""), body -> true);
    }
  }

  private <T> T await(MethodCall call, Decoder<T> decoder) {
    return PendingReplies.await(link.call(call, decoder), patience);
  }

  /** The path and the name of the service; empty if the process is not the main one of any. */
  private Optional<Service> service(long pid) {
    String path =
        await(
            MethodCall.ofManager("find the unit of this process", "GetUnitByPID", "u", (int) pid),
            Unmarshaller::string);
    String unit = text(path, UnitPaths.UNIT, "Id");
    return unit.endsWith(".service") && mainPid(path) == pid
        ? Optional.of(new Service(path, unit))
        : Optional.empty();
  }

  private ServiceJob job(long pid) {
    return service(pid).map(this::job).orElseGet(ServiceJob.NoService::new);
  }

  private ServiceJob job(Service service) {
    Job job = await(property(service, "Job"), ServiceConnection::job);
    return job.id == 0
        ? new ServiceJob.None(service.name)
        : new ServiceJob.Pending(service.name, text(job.path, JOB, "JobType"));
  }

  private static MethodCall property(Service service, String property) {
    return MethodCall.ofProperty(
        "tell " + property + " of " + service.name, service.path, UnitPaths.UNIT, property);
  }

  private Optional<String> stopSocket(long pid) {
    hearOfJobs();
    Optional<String> socket = service(pid).flatMap(this::socket);
    socket.ifPresent(this::stop);
    return socket;
  }

  private Optional<String> socket(Service service) {
    String own = service.name.replaceFirst("\\.service$", ".socket");
    List<String> triggers = await(property(service, "TriggeredBy"), Unmarshaller::stringsVariant);
    return triggers.stream().filter(own::equals).findFirst();
  }

  /** A private connection gets all signals unasked. */
  private void hearOfJobs() {
    if (link.isOnBus()) {
      String rule = BusRules.ofManager(JOB_REMOVED);
      await(MethodCall.ofBus("follow jobs", "AddMatch", "s", rule), body -> true);
      await(MethodCall.ofManager("follow jobs", "Subscribe", ""), body -> true);
    }
  }

  /** At once: in order, it would be stopped after the service, which waits for this. */
  private void stop(String socket) {
    String job =
        await(
            MethodCall.ofManager("stop " + socket, "StopUnit", "ss", socket, "ignore-dependencies"),
            Unmarshaller::string);
    String result = PendingReplies.await(result(job), patience);
    if (!result.equals(DONE)) {
      throw new SystemdException("", "the job that stops " + socket + " ended with " + result);
    }
  }

  private CompletableFuture<String> result(String job) {
    return results.computeIfAbsent(job, _ -> new CompletableFuture<>());
  }

  private long mainPid(String path) {
    MethodCall call = MethodCall.ofProperty("tell the main process", path, SERVICE, "MainPID");
    return await(call, Unmarshaller::numberVariant);
  }

  private String text(String path, String type, String property) {
    return await(
        MethodCall.ofProperty("tell " + property, path, type, property),
        Unmarshaller::stringVariant);
  }

  private static Job job(Unmarshaller body) throws ProtocolException {
    body.structVariant("(uo)");
    return new Job(body.unsignedInt(), body.string());
  }

  private record Job(long id, String path) {}

  private record Service(String path, String name) {}

  private final class EndedJobs implements BusConnection.SignalHandler {
    @Override
    public void signal(Frame frame) throws IOException {
      if (frame.member().equals(JOB_REMOVED)) {
        Unmarshaller body = frame.body();
        body.unsignedInt(); // number
        CompletableFuture<String> result = result(body.string());
        body.string(); // unit
        result.complete(body.string());
      }
    }

    @Override
    public void caughtUp(BusConnection link) {}
  }
}
