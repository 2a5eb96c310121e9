package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for answers. */
final class PendingReplies {

  /** While systemd reloads it answers nothing else, so this covers a reload in between. */
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private PendingReplies() {}

  static <T> T await(CompletableFuture<T> answer) {
    return await(answer, PATIENCE);
  }

  /**
   * Returns the answer.
   *
   * @throws SystemdException as systemd refused, or if it did not answer in time
   */
  static <T> T await(CompletableFuture<T> answer, Duration patience) {
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw asSystemd(Objects.requireNonNullElse(e.getCause(), e));
    } catch (TimeoutException e) {
      throw new SystemdException(
          "",
          "systemd did not answer within "
              + patience.toSeconds()
              + " s; see what keeps it: systemctl list-jobs",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SystemdException("", "interrupted while waiting for systemd", e);
    }
  }

  /** Turns the refusal of a unit that is not in memory into a no. */
  static CompletableFuture<Boolean> isThere(CompletableFuture<Boolean> answer) {
    return answer.exceptionally(error -> {
      if (error instanceof SystemdException e && e.isNoSuchUnit()) {
        return false;
      }
      throw asSystemd(error);
    });
  }

  /** Those to which systemd says yes; it is asked about all of them at once. */
  static <T> List<T> confirmed(
      Collection<T> all, Function<T, CompletableFuture<Boolean>> question) {
    Map<T, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
    all.forEach(one -> asked.put(one, question.apply(one)));
    return asked.entrySet().stream()
        .filter(one -> await(one.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static SystemdException asSystemd(Throwable cause) {
    // A new exception, so that the trace shows who called; the old one shows the reading thread.
    return cause instanceof SystemdException refusal
        ? new SystemdException(refusal.error(), String.valueOf(refusal.getMessage()), refusal)
        : new SystemdException("", String.valueOf(cause), cause);
  }
}
