package fleet.cluster;

import java.util.Optional;

/**
 * The position of an event. Positions compare only within one epoch.
 *
 * @param epoch names one continuous run of events, a new one for each leader
 * @param sequence from 1, without holes
 */
public record EventId(String epoch, long sequence) {

  /** Reads what {@link #toString} wrote; empty if the text is something else. */
  public static Optional<EventId> parse(String text) {
    int dot = text.lastIndexOf('.');
    if (dot <= 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new EventId(text.substring(0, dot), Long.parseLong(text.substring(dot + 1))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return epoch + "." + sequence;
  }
}
