package fleet.fleetctl.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The scripts with which shells complete words: each calls {@link CompleteCommand}. */
public final class Completion {

  public static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  private static final String PLACE = "/fleet/fleetctl/completion/fleetctl.";

  private Completion() {}

  /** The script of one of the {@link #SHELLS}. */
  public static String script(String shell) {
    try (InputStream script = Completion.class.getResourceAsStream(PLACE + shell)) {
      if (script == null) {
        throw new IllegalArgumentException(shell);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
