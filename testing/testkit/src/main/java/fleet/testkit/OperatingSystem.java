package fleet.testkit;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An operating system that a machine can run. */
public enum OperatingSystem {

  /** The one of this machine, with all that is installed here but Java. */
  HOST,

  /** Debian 13 with systemd 257 and little else. The first use on this machine downloads it. */
  DEBIAN_13;

  /** The folder below which its files are; they are read, never written. */
  Path root() {
    return switch (this) {
      case HOST -> Path.of("/");
      case DEBIAN_13 -> new DebianRoot("trixie").make();
    };
  }

  /** The environment that systemd-nspawn needs to boot it. */
  Map<String, String> environment() {
    return switch (this) {
      case HOST -> Map.of();
      // Its systemd starts with cgroup v2 only, also if this machine mixes v1 and v2.
      case DEBIAN_13 -> Map.of("SYSTEMD_NSPAWN_UNIFIED_HIERARCHY", "1");
    };
  }

  /** Its name on a command line: {@code debian13}. */
  String option() {
    return name().toLowerCase(Locale.ROOT).replace("_", "");
  }

  static Optional<OperatingSystem> byOption(String option) {
    return Arrays.stream(values()).filter(one -> one.option().equals(option)).findFirst();
  }
}
