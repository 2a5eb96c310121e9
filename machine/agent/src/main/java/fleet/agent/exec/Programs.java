package fleet.agent.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs programs that end soon. */
public final class Programs {

  private static final Logger LOG = LoggerFactory.getLogger(Programs.class);

  private Programs() {}

  /** The command line of systemctl, to which more can be added. */
  public static List<String> systemctl(boolean userManager, String... words) {
    List<String> line = new ArrayList<>(List.of("systemctl"));
    if (userManager) {
      line.add("--user");
    }
    line.addAll(List.of(words));
    return line;
  }

  /** The output of a program; empty if it failed, which is logged. */
  public static Optional<String> run(List<String> line) {
    try {
      Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      if (process.waitFor() == 0) {
        return Optional.of(printed);
      }
      LOG.debug("{} failed: {}", line, printed);
    } catch (IOException e) {
      LOG.debug("{} cannot be run: {}", line.getFirst(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }
}
