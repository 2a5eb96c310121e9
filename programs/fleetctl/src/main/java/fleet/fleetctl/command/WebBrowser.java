package fleet.fleetctl.command;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The browser of a person, as xdg-open finds it. */
record WebBrowser(Map<String, String> environment) {

  private static final String PROGRAM = "xdg-open";

  /** One of these is there if a browser can show something. */
  private static final List<String> SESSION = List.of("DISPLAY", "WAYLAND_DISPLAY", "BROWSER");

  /**
   * Opens a link, without waiting for the browser.
   *
   * @param problems takes a line if that does not succeed, maybe later
   */
  void open(String link, Consumer<String> problems) {
    if (SESSION.stream().noneMatch(environment::containsKey)) {
      problems.accept("No browser was opened: there is no graphical session here.");
      return;
    }
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", "exec " + PROGRAM + " \"$1\"", "sh", link);
    builder.environment().putAll(environment);
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
    try {
      CompletableFuture<Void> _ =
          builder.start().onExit().thenAccept(ended -> tell(ended.exitValue(), problems));
    } catch (IOException e) {
      problems.accept("No browser was opened: " + e.getMessage());
    }
  }

  private static void tell(int code, Consumer<String> problems) {
    if (code != 0) {
      problems.accept(why(code));
    }
  }

  private static String why(int code) {
    return code == 127
        ? "No browser was opened: " + PROGRAM + " is not installed. Open the link yourself."
        : "No browser was opened: " + PROGRAM + " ended with " + code + ". Open the link yourself.";
  }
}
