package fleet.core.question;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** Verbs of systemctl that hold for now: the cluster does not record them. */
public enum UnitVerb implements EnumText {
  RELOAD("reloaded"),
  KILL("signalled"),
  FREEZE("frozen"),
  THAW("thawed"),
  RESET_FAILED("reset");

  private final String done;

  UnitVerb(String done) {
    this.done = done;
  }

  /** How the unit is afterwards, for people. */
  public String done() {
    return done;
  }

  /** Reads what {@link #text} wrote. */
  public static Optional<UnitVerb> ofText(String text) {
    return Stream.of(values()).filter(verb -> verb.text().equals(text)).findFirst();
  }
}
