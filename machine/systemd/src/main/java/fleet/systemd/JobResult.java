package fleet.systemd;

/**
 * How a job of systemd ended.
 *
 * @param text systemd's word, such as {@code done}, {@code failed}, {@code canceled}, {@code
 *     timeout}, {@code dependency}, {@code skipped}
 */
public record JobResult(String text) {
  public boolean isDone() {
    return text.equals("done");
  }
}
