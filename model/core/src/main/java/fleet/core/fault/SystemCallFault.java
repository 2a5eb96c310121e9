package fleet.core.fault;

/**
 * The fault of a system call in the words of native code, such as {@code finishConnect(..) failed
 * with error(-111): Connection refused}.
 */
public final class SystemCallFault {

  private static final String FAILED = "(..) failed with error(";
  private static final String BECAUSE = "): ";

  private SystemCallFault() {}

  /** The message without the call and its number, which tell an operator nothing. */
  public static String plain(String message) {
    int failed = message.indexOf(FAILED);
    int because = message.indexOf(BECAUSE, failed + FAILED.length());
    return failed < 0 || because < 0 ? message : message.substring(because + BECAUSE.length());
  }
}
