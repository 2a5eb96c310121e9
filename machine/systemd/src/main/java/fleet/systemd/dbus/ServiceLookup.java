package fleet.systemd.dbus;

import fleet.systemd.ServiceJob;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks systemd what it is about to do with a service. Opens a connection of its own: the caller is
 * being stopped, and cannot wait for a connection that is just being replaced.
 */
public final class ServiceLookup {

  private static final String SERVICE = "org.freedesktop.systemd1.Service";
  private static final String JOB = "org.freedesktop.systemd1.Job";

  private final BusConnection link;

  private ServiceLookup(BusConnection link) {
    this.link = link;
  }

  /**
   * The job of the service whose main process has this id. Never fails, and never takes longer than
   * the patience.
   */
  public static ServiceJob jobOf(ManagerAddress address, long pid, Duration patience) {
    CompletableFuture<ServiceJob> answer = new CompletableFuture<>();
    AtomicReference<@Nullable BusConnection> opened = new AtomicReference<>();
    Thread asking =
        Thread.ofVirtual().start(() -> answer.complete(ask(address, pid, patience, opened)));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new ServiceJob.Unknown("no answer within " + patience.toMillis() + " ms");
    } catch (ExecutionException e) {
      return new ServiceJob.Unknown(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ServiceJob.Unknown("interrupted");
    } finally {
      asking.interrupt();
      BusConnection link = opened.get();
      if (link != null) {
        link.close();
      }
    }
  }

  private static ServiceJob ask(
      ManagerAddress address,
      long pid,
      Duration patience,
      AtomicReference<@Nullable BusConnection> opened) {
    try (BusConnection link = BusConnection.open(address)) {
      opened.set(link);
      Thread.ofVirtual().name("systemd-lookup").start(() -> link.read(new Deaf()));
      return new ServiceLookup(link).job(pid, patience);
    } catch (IOException | SystemdException | CompletionException e) {
      return new ServiceJob.Unknown(String.valueOf(e.getMessage()));
    }
  }

  private ServiceJob job(long pid, Duration patience) {
    if (link.isOnBus()) {
      PendingReplies.await(
          link.call(MethodCall.ofBus("join the bus", "Hello", ""), body -> true), patience);
    }
    String path =
        PendingReplies.await(
            link.call(
                MethodCall.ofManager(
                    "find the unit of this process", "GetUnitByPID", "u", (int) pid),
                Unmarshaller::string),
            patience);
    String unit = text(path, UnitPaths.UNIT, "Id", patience);
    if (!unit.endsWith(".service") || mainPid(path, patience) != pid) {
      return new ServiceJob.NoService();
    }
    MethodCall call = MethodCall.ofProperty("tell the job of " + unit, path, UnitPaths.UNIT, "Job");
    Job job = PendingReplies.await(link.call(call, ServiceLookup::job), patience);
    return job.id == 0
        ? new ServiceJob.None(unit)
        : new ServiceJob.Pending(unit, text(job.path, JOB, "JobType", patience));
  }

  private long mainPid(String path, Duration patience) {
    MethodCall call = MethodCall.ofProperty("tell the main process", path, SERVICE, "MainPID");
    return PendingReplies.await(link.call(call, Unmarshaller::numberVariant), patience);
  }

  private String text(String path, String type, String property, Duration patience) {
    MethodCall call = MethodCall.ofProperty("tell " + property, path, type, property);
    return PendingReplies.await(link.call(call, Unmarshaller::stringVariant), patience);
  }

  private static Job job(Unmarshaller body) throws ProtocolException {
    String type = body.signature();
    if (!type.equals("(uo)")) {
      throw new ProtocolException("a job was expected, not " + type);
    }
    body.align(8);
    return new Job(body.unsignedInt(), body.string());
  }

  private record Job(long id, String path) {}

  /** For a connection on which only answers matter. */
  private static final class Deaf implements BusConnection.SignalHandler {
    @Override
    public void signal(Frame frame) {}

    @Override
    public void caughtUp(BusConnection link) {}
  }
}
