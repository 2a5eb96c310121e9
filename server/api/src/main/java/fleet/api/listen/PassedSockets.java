package fleet.api.listen;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The sockets that systemd hands over to a service of a socket unit. */
public final class PassedSockets {

  private static final int FIRST = 3;

  private PassedSockets() {}

  /**
   * Reads {@code LISTEN_FDS} and {@code LISTEN_PID}.
   *
   * @param pid this process: sockets meant for another one are left alone
   * @param insecure whether some may be open to the network
   * @return none if nothing was handed over
   * @throws ListenException if the variables make no sense
   */
  public static List<Listen> of(Map<String, String> environment, long pid, boolean insecure)
      throws ListenException {
    String count = environment.getOrDefault("LISTEN_FDS", "");
    String forPid = environment.getOrDefault("LISTEN_PID", "");
    if (count.isEmpty() || !forPid.equals(Long.toString(pid))) {
      return List.of();
    }
    return IntStream.range(0, number(count))
        .<Listen>mapToObj(i -> new Listen.Passed(FIRST + i, insecure))
        .toList();
  }

  private static int number(String text) throws ListenException {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as a negative number is.
    }
    throw new ListenException("LISTEN_FDS is \"" + text + "\", expected a number");
  }
}
