package fleet.fleetctl.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The editor of a person, on the person's terminal. */
record Editor(String command) {

  /** As systemctl edit looks for one. */
  private static final String USUAL =
      "for editor in editor nano vim vi; do"
          + " if command -v $editor >/dev/null 2>&1; then exec $editor \"$@\"; fi; done;"
          + " echo 'no editor is installed: set EDITOR' >&2; exit 127";

  /** The one of {@code VISUAL}, or of {@code EDITOR}, which may have options. */
  static Editor of(Map<String, String> environment) {
    String visual = environment.getOrDefault("VISUAL", "");
    String chosen = visual.isBlank() ? environment.getOrDefault("EDITOR", "") : visual;
    return new Editor(chosen.isBlank() ? USUAL : chosen + " \"$@\"");
  }

  /** Returns the editor's exit code, once it has ended. */
  int run(Path file) throws CommandException {
    try {
      return new ProcessBuilder(List.of("/bin/sh", "-c", command, "sh", file.toString()))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw CommandException.failed("Error: cannot run the editor: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 130;
    }
  }
}
