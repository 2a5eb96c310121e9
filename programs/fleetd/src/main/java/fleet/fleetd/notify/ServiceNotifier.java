package fleet.fleetd.notify;

import fleet.fleetd.libc.DatagramSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the systemd that started this process how it fares (sd_notify). Says nothing if no systemd
 * asked for it, and never fails: a message that cannot be sent is logged. Safe for use by many
 * threads.
 */
public final class ServiceNotifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceNotifier.class);

  private final String address;
  private final Optional<DatagramSocket> socket;

  /** The text that systemd has, and whether it is the last one. */
  private String told = "";

  private boolean stopping;

  private ServiceNotifier(String address, Optional<DatagramSocket> socket) {
    this.address = address;
    this.socket = socket;
  }

  /** Speaks to {@code NOTIFY_SOCKET}, if set. */
  public static ServiceNotifier of(Map<String, String> environment) {
    String address = environment.getOrDefault("NOTIFY_SOCKET", "");
    if (address.isEmpty()) {
      return new ServiceNotifier("", Optional.empty());
    }
    try {
      return new ServiceNotifier(address, Optional.of(DatagramSocket.open()));
    } catch (IOException e) {
      LOG.warn("cannot tell systemd that fleetd is ready: {}", e.getMessage());
      return new ServiceNotifier(address, Optional.empty());
    }
  }

  /** Start-up, or a reload, is over. */
  public void ready(String status) {
    send("READY=1\n" + statusLine(status));
  }

  /** Sets the text that {@code systemctl status} shows. */
  public void status(String status) {
    send(statusLine(status));
  }

  /** A reload begins; {@link #ready} ends it. */
  public void reloading() {
    // Linux' nanoTime is CLOCK_MONOTONIC, which Type=notify-reload asks for.
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    send("RELOADING=1\nMONOTONIC_USEC=" + micros);
  }

  public synchronized void stopping(String status) {
    stopping = true;
    send("STOPPING=1\n" + statusLine(status));
  }

  /** Asks for more time to start, reload or stop in, counted from now. */
  public void extendTimeout(Duration time) {
    send("EXTEND_TIMEOUT_USEC=" + TimeUnit.NANOSECONDS.toMicros(time.toNanos()));
  }

  /** Gives a sign of life, and the text if it has changed; at the end it is not the probe's. */
  synchronized void alive(String status) {
    send(stopping || status.equals(told) ? "WATCHDOG=1" : "WATCHDOG=1\n" + statusLine(status));
  }

  private synchronized String statusLine(String status) {
    told = status;
    return "STATUS=" + status.replace('\n', ' ');
  }

  private void send(String message) {
    if (socket.isEmpty()) {
      return;
    }
    try {
      socket.get().send(message, address);
    } catch (IOException e) {
      LOG.warn(
          "cannot tell systemd {}: {}", message.lines().findFirst().orElse(""), e.getMessage());
    }
  }

  @Override
  public void close() {
    socket.ifPresent(DatagramSocket::close);
  }
}
