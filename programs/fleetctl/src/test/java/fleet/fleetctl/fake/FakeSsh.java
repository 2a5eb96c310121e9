package fleet.fleetctl.fake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A program called ssh that records its arguments and plays a host: there, commands are run on this
 * machine, with this fleetctl. Its files tell it how to fail.
 */
public final class FakeSsh {

  /** Answers with the code in a file of that name, if there is one. */
  private static final String SCRIPT =
      """
      #!/bin/bash
      dir=$(dirname "$0")
      { printf '%s\\n' "$@"; echo; } >>"$dir/calls"
      fail() { [ ! -f "$dir/$1" ] || exit "$(cat "$dir/$1")"; }
      case " $* " in
        *" -O check "*) fail check; exit 255 ;;
        *" -f -N "*) fail connect; exit 0 ;;
      esac
      fail connected
      for word; do [ "$before" != -W ] || port=${word##*:}; before=$word; done
      if [ -n "$port" ]; then
        exec 3<>"/dev/tcp/127.0.0.1/$port"
        cat <&3 &
        cat >&3
        exit
      fi
      while [ "$1" != -- ]; do shift; done
      shift 2
      [ $# -gt 0 ] || exit 0
      PATH=$dir:$PATH exec sh -c "$*"
      """;

  private static final String FLEETCTL =
      """
      #!/bin/sh
      exec "JAVA" -cp "PATHS" fleet.fleetctl.Main "$@"
      """;

  private final Path directory;

  /** Makes it in a directory. */
  public FakeSsh(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    program("ssh", SCRIPT);
    program(
        "fleetctl",
        FLEETCTL
            .replace("JAVA", System.getProperty("java.home") + "/bin/java")
            .replace("PATHS", System.getProperty("java.class.path")));
  }

  /** Has a program there. */
  public void program(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A PATH with it before all others. */
  public String path() {
    return directory + ":" + System.getenv("PATH");
  }

  /** Has the check for a connection ("check"), the first one ("connect") or others fail. */
  public void exit(String step, int code) throws IOException {
    Files.writeString(directory.resolve(step), Integer.toString(code));
  }

  /** The arguments of every call. */
  public List<List<String>> calls() throws IOException {
    List<List<String>> calls = new ArrayList<>();
    for (String call : Files.readString(directory.resolve("calls")).split("\n\n", -1)) {
      if (!call.isBlank()) {
        calls.add(call.lines().toList());
      }
    }
    return calls;
  }

  /** The arguments of the last call. */
  public List<String> last() throws IOException {
    return calls().getLast();
  }
}
