package fleet.agent.bid;

import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code Condition…=} and {@code Assert…=} of units, judged by this machine's systemd. Safe for
 * use by many threads.
 *
 * @param userManager whether units run under the user's manager
 */
public record Conditions(boolean userManager) {

  private static final Logger log = LoggerFactory.getLogger(Conditions.class);
  private static final String CONDITION = "Condition";
  private static final String ASSERT = "Assert";

  /** The rights of a process differ from one service to the next. */
  private static final Pattern OF_OWN_RIGHTS =
      Pattern.compile("^(?:Condition|Assert)(?:Capability|PathIsReadWrite)=");

  /** Such as {@code test.service: ConditionPathExists=/srv/data failed.} */
  private static final Pattern FAILED = Pattern.compile("(?m)^\\S+: (\\S+?=.*) failed\\.$");

  /**
   * Conditions of a unit's file, specifiers expanded; those that an empty one resets are left out.
   */
  static List<String> of(UnitName unit, UnitFile file) {
    List<String> conditions = new ArrayList<>();
    for (UnitOption option : file.options()) {
      Optional<String> kind = kind(option);
      String value = option.valueInOneLine();
      if (kind.isPresent() && value.isEmpty()) {
        conditions.removeIf(before -> before.startsWith(kind.get()));
      } else if (kind.isPresent()) {
        conditions.add(option.name() + "=" + Specifiers.expand(unit, value));
      }
    }
    return judgedAlike(conditions);
  }

  /**
   * Leaves out those that the confined fleetd would judge differently than systemd, together with
   * their alternatives.
   */
  private static List<String> judgedAlike(List<String> conditions) {
    boolean alternatives =
        conditions.stream()
            .anyMatch(one -> OF_OWN_RIGHTS.matcher(one).find() && isAlternative(one));
    return conditions.stream()
        .filter(one -> !OF_OWN_RIGHTS.matcher(one).find())
        .filter(one -> !alternatives || !isAlternative(one))
        .toList();
  }

  private static boolean isAlternative(String condition) {
    return condition.contains("=|");
  }

  private static Optional<String> kind(UnitOption option) {
    if (!option.section().equals("Unit")) {
      return Optional.empty();
    }
    return List.of(CONDITION, ASSERT).stream().filter(option.name()::startsWith).findFirst();
  }

  /**
   * Conditions that do not hold here; empty if all do, or if systemd cannot say: it judges once
   * more when the unit starts. Waits for a command.
   */
  Optional<String> unmet(List<String> conditions) {
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of("systemd-analyze"));
    command.add(userManager ? "--user" : "--system");
    command.addAll(List.of("condition", "--"));
    command.addAll(conditions);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // It would tell the manager of fleetd that it is ready.
    builder.environment().remove("NOTIFY_SOCKET");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      try (InputStream output = process.getInputStream()) {
        String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? Optional.empty() : failed(text);
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      log.debug("conditions are not judged before the start: {}", e.getMessage());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<String> failed(String text) {
    List<String> failed = new ArrayList<>();
    for (Matcher line = FAILED.matcher(text); line.find(); ) {
      failed.add(line.group(1));
    }
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join(" and ", failed) + (failed.size() == 1 ? " is" : " are"));
  }
}
