package fleet.core.state;

import java.util.List;

/** The names of Linux' signals, without SIG and without those for real time. */
public final class SignalNames {

  /** By number, from 1 on. */
  public static final List<String> ALL =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private SignalNames() {}

  /** Such as {@code SIGHUP}; {@code signal 34} for one that has no name. */
  public static String of(int number) {
    return number >= 1 && number <= ALL.size() ? "SIG" + ALL.get(number - 1) : "signal " + number;
  }
}
