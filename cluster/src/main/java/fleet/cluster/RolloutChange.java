package fleet.cluster;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Requests to a rollout that is under way. */
public enum RolloutChange {
  /** Nothing more is changed for now. */
  PAUSE,
  /** It goes on. */
  RESUME,
  /** Its units get back what they had. */
  BACK;

  /** As the API has it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<RolloutChange> ofText(String text) {
    return Stream.of(values()).filter(change -> change.text().equals(text)).findFirst();
  }
}
